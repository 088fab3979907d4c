# SPDX-License-Identifier: LGPL-3.0-or-later
"""Preparation for pipelines of HTTomo."""
from __future__ import annotations

import numpy

from ... import filters

__all__ = ["flat_field"]


def flat_field(data: numpy.ndarray, flats: numpy.ndarray, darks: numpy.ndarray, minus_log: bool = True,
               reduce: str = "mean", device: str | None = None) -> numpy.ndarray:
    """Attenuation, or transmission without minus_log, of counts (angle, row, column), as of the node `flat-field`."""
    return filters.flat_field(data, flats=flats, darks=darks, absorption=minus_log, reduce=reduce, device=device)
