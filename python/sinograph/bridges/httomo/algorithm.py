# SPDX-License-Identifier: LGPL-3.0-or-later
"""Reconstruction for pipelines of HTTomo."""
from __future__ import annotations

import numpy

from ..._reconstruct import reconstruct as _reconstruct

__all__ = ["reconstruct", "_calc_output_dim_reconstruct"]


def reconstruct(data: numpy.ndarray, angles: numpy.ndarray, center: float | None = None, method: str = "auto",
                window: str = "auto", mask: bool = False, device: str | None = None,
                memory: str | None = None) -> numpy.ndarray:
    """Slices (y, slice, x) of attenuation (angle, slice, column), as HTTomo orders them.

    angles: radians. center: the axis, counted from the middle of column 0, as HTTomo's methods that find it give it;
    None: the middle of the detector. method, window, mask: as of the node `reconstruct`.
    """
    axis = data.shape[-1] / 2 if center is None else float(center) + 0.5
    volume = _reconstruct(data, numpy.rad2deg(angles), axis, device=device, memory=memory, method=method, window=window,
                          mask=mask)
    return volume.swapaxes(0, 1)


def _calc_output_dim_reconstruct(non_slice_dims_shape, **parameters):
    columns = non_slice_dims_shape[1]
    return columns, columns
