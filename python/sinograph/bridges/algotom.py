# SPDX-License-Identifier: LGPL-3.0-or-later
"""fbp_reconstruction () of algotom.rec.reconstruction, and gridrec_reconstruction (), which TomoPy does there."""
from __future__ import annotations

import numpy

from .._errors import Code, Error
from .._reconstruct import reconstruct

WINDOWS = {None: "ram-lak", "hann": "hann", "hamming": "hamming", "parzen": "parzen", "shepp": "shepp-logan",
           "cosine": "cosine", "butterworth": "butterworth"}


def fbp_reconstruction(sinogram, center: float, angles=None, ratio: float | None = 1.0, ramp_win=None,
                       filter_name: str | None = "hann", pad: int | None = None, pad_mode: str = "edge",
                       apply_log: bool = True, gpu: bool = True, block=(16, 16),
                       ncore: int | None = None) -> numpy.ndarray:
    """A slice (y, x) of a sinogram (angle, column), or slices (y, slice, x) of sinograms (angle, slice, column).

    center: the axis, counted from the middle of column 0. angles: radians; None: 0 to pi, the last one included. ratio:
    radius of the circle that is kept, as a share of half the width; 0: as far as the axis allows; None: all. gpu: the
    first GPU of OpenCL if there is one. ramp_win, pad and block have no effect: rows are padded to twice their width.
    """
    return _reconstructed(sinogram, center, angles, ratio, apply_log, filter_name, ncore, method="direct",
                          device=None if gpu else "native", padding_mode="edge" if pad_mode == "edge" else "zero")


def gridrec_reconstruction(sinogram, center: float, angles=None, ratio: float | None = 1.0,
                           filter_name: str | None = "shepp", apply_log: bool = True, pad=100,
                           filter_par: float = 0.9, ncore: int | None = 1) -> numpy.ndarray:
    """As fbp_reconstruction (), by gridding in Fourier space on the CPU. filter_par has no effect."""
    return _reconstructed(sinogram, center, angles, ratio, apply_log, filter_name or "shepp", ncore, method="fourier",
                          device="native", padding_mode="edge" if pad else "zero")


def _reconstructed(sinogram, center, angles, ratio, apply_log, filter_name, ncore, **properties):
    if filter_name not in WINDOWS:
        raise Error(f"filter_name='{filter_name}' is not one of {', '.join(map(str, WINDOWS))}", Code.BAD_PROPERTY,
                    None, "filter_name")
    values = numpy.asarray(sinogram, numpy.float32)
    count, width = values.shape[0], values.shape[-1]
    if not 0 <= center < width:
        raise Error(f"center={center} is not in the range 0 to {width - 1}", Code.BAD_PROPERTY, None, "center")
    if apply_log:  # as algotom: where nothing passed, all did
        values = -numpy.log(numpy.where(values > 0, values, numpy.float32(1)))
    degrees = numpy.linspace(0, 180, count) if angles is None else numpy.rad2deg(angles)
    volume = reconstruct(values, degrees, center + 0.5, threads=ncore, window=WINDOWS[filter_name],
                         kind="projections", **properties)
    if ratio is not None:
        share = min(center, width - center) / (width / 2) if ratio == 0 else ratio
        place = numpy.arange(width) - width // 2  # the circle is about this pixel in algotom
        volume *= (place**2 + place[:, None]**2 <= (share * (width // 2))**2).astype(numpy.float32)
    return volume if volume.ndim == 2 else numpy.moveaxis(volume, 0, 1)
