# SPDX-License-Identifier: LGPL-3.0-or-later
"""Where the rays of a scan run."""
from __future__ import annotations

import ctypes

import numpy

from . import _library as lib
from ._errors import Code, Error
from ._runs import Object


def doubles(values):
    """(address, count) of numbers, and what keeps them."""
    array = numpy.ascontiguousarray(values, numpy.float64).ravel()
    return (array.ctypes.data, array.size), array


class Geometry(Object):
    """Where the rays of a scan run. It never changes; the functions give changed copies.

    angles: of the projections, in degrees. axis: the rotation axis in detector columns, where column u spans
    [u, u + 1), one number or one for each projection. pixel_size: distance of neighbouring columns, in the unit of length of the
    scan. energy: of the X-rays in keV. distance: of sample and detector in m. What is None is unknown.
    """

    def __init__(self, angles=None, axis=None, pixel_size: float | None = None, energy: float | None = None,
                 distance: float | None = None) -> None:
        given, _keep = doubles(angles if angles is not None else [])
        made = lib.geometry_new(*given)
        if axis is not None:
            given, _keep = doubles(axis)
            made = replaced(made, lib.geometry_axis(made, *given))
        for name, number in (("pixel_size", pixel_size), ("energy", energy), ("distance", distance)):
            if number is not None:
                if not number > 0:
                    lib.unref(made)
                    raise Error(f"{name}={number} is not above 0", Code.BAD_PROPERTY, None, name)
                made = replaced(made, lib.geometry_numbers[name](made, float(number)))
        super().__init__(made)

    @property
    def angles(self) -> numpy.ndarray:
        """Degrees, one for each projection."""
        count = lib.SIZE()
        got = lib.geometry_angles(self._pointer, ctypes.byref(count))
        return numpy.array(got[:count.value], numpy.float64)

    def cone(self, source_origin: float, origin_detector: float, middle_row: float) -> Geometry:
        """The cone beam, or the fan beam of one row, with this one's angles and axis.

        source_origin, origin_detector: distances from the axis, in the unit of the pixel size, or in columns.
        middle_row: where the ray through the axis that is at right angles to it meets the detector.
        """
        return _geometry(lib.geometry_cone(self._pointer, source_origin, origin_detector, middle_row))

    def matrices(self, matrices) -> Geometry:
        """The geometry of matrices, an array (angle, 3, 4): (column, row, 1) w = matrix (x, y, z, 1)."""
        given, _keep = doubles(matrices)
        return _geometry(lib.geometry_matrices(self._pointer, *given))


def replaced(old, new):
    lib.unref(old)
    return new


def _geometry(pointer):
    made = Geometry.__new__(Geometry)
    Object.__init__(made, pointer)
    return made


def turn(count):
    """Angles over half a turn, the last one before its end, which is where it begins."""
    return numpy.arange(count) * (180.0 / count)
