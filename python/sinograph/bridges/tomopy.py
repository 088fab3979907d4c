# SPDX-License-Identifier: LGPL-3.0-or-later
"""recon () of TomoPy: `from sinograph.bridges.tomopy import recon` in place of `from tomopy import recon`."""
from __future__ import annotations

import numpy

from .._errors import Code, Error
from .._reconstruct import reconstruct

# TomoPy's names of windows, and those of `reconstruct`.
WINDOWS = {"none": "none", "shepp": "shepp-logan", "cosine": "cosine", "hann": "hann", "hamming": "hamming",
           "ramlak": "ram-lak", "parzen": "parzen", "butterworth": "butterworth"}
# What TomoPy counts `center` from: the middle of column 0 (half a column from its edge), or its edge.
METHODS = {"gridrec": ("fourier", 0.5), "fbp": ("direct", 0.0)}


def recon(tomo, theta, center=None, sinogram_order: bool = False, algorithm: str | None = None, init_recon=None,
          ncore: int | None = None, nchunk: int | None = None, **kwargs) -> numpy.ndarray:
    """Slices (z, y, x) of attenuation (angle, row, column), or (row, angle, column) with sinogram_order.

    theta: radians. center: the axis as TomoPy counts it for this algorithm; None: the middle of the detector.
    algorithm: "gridrec" or "fbp"; others iterate, which Sinograph does not. kwargs: filter_name, filter_par (cutoff and
    order of butterworth), and what sinograph.reconstruct takes. init_recon and nchunk have no effect.
    """
    algorithm = "gridrec" if algorithm is None else algorithm
    if algorithm not in METHODS:
        raise Error(f"algorithm='{algorithm}' is not one of {', '.join(METHODS)}", Code.BAD_PROPERTY, None, "algorithm")
    method, edge = METHODS[algorithm]
    window = kwargs.pop("filter_name", "none" if algorithm == "fbp" else "shepp")
    if window not in WINDOWS:
        # TomoPy has no meaning for None: its gridrec fails in a thread, which nobody sees, and gives no slices.
        hint = ": 'none' is no filter, and without filter_name it is TomoPy's default" if window is None else ""
        raise Error(f"filter_name={window!r} is not one of {', '.join(WINDOWS)}{hint}", Code.BAD_PROPERTY, None,
                    "filter_name")
    parameters = kwargs.pop("filter_par", None)
    if parameters is not None and window == "butterworth":
        kwargs.update(cutoff=float(parameters[0]), order=int(parameters[1]))
    if center is None:
        axis = numpy.shape(tomo)[-1] / 2
    else:
        centers = numpy.unique(numpy.asarray(center, numpy.float64))
        if centers.size > 1:
            raise Error("center differs between slices, which one run cannot have: call recon for each",
                        Code.BAD_PROPERTY, None, "center")
        axis = float(centers[0]) + edge
    return reconstruct(numpy.asarray(tomo, numpy.float32), numpy.rad2deg(theta), axis,
                       kind="sinograms" if sinogram_order else "projections", threads=ncore,
                       **{"method": method, "window": WINDOWS[window], **kwargs})
