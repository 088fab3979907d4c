# SPDX-License-Identifier: LGPL-3.0-or-later
"""Where the rays of a scan run."""
from __future__ import annotations

import ctypes
import math

import numpy

from . import _arrays, _library as lib
from ._errors import Code, Error
from ._runs import Object


def bad(name, words):
    return Error(f"{name}: {words}", Code.BAD_PROPERTY, None, name)


def real(values, name, most=1):
    """Finite numbers of so many axes at most, in one row of float64."""
    try:
        array = _arrays.host(values)
    except ValueError as error:  # lists of several lengths
        raise bad(name, error) from None
    if array.dtype.kind not in "uif" and array.size > 0:
        raise bad(name, f"values of {array.dtype} are no real numbers")
    if array.ndim > most:
        raise bad(name, f"an array of shape {array.shape} has too many axes")
    array = numpy.ascontiguousarray(array, numpy.float64).ravel()
    if not numpy.isfinite(array).all():
        raise bad(name, "a number is not finite")
    return array


def is_list(values, name):
    """Whether values are more than one number."""
    try:
        return numpy.ndim(values) > 0
    except ValueError as error:  # lists of several lengths
        raise bad(name, error) from None


def axes(values, count):
    """The rotation axis, for so many projections."""
    array = real(values, "axis")
    if array.size not in (1, count):
        raise bad("axis", f"{array.size} numbers for {count} projections: give one, or one for each projection")
    return array


def given(array):
    """An array as C takes it: address and count."""
    return array.ctypes.data, array.size


def above_zero(number, name):
    try:
        value = float(number)
    except (TypeError, ValueError) as error:
        raise bad(name, error) from None
    if not 0 < value < math.inf:
        raise bad(name, f"{number} is not a number above 0")
    return value


class Geometry(Object):
    """Where the rays of a scan run. It never changes; the functions give changed copies.

    angles: of the projections, in degrees. axis: the rotation axis in detector columns, where column u spans
    [u, u + 1), one number or one for each projection. pixel_size: distance of neighbouring columns, in the unit of
    length of the scan. energy: of the X-rays in keV. distance: of sample and detector in m. What is None is unknown.
    """
    _of_views = False  # whether the rays of each projection are given one by one, with the axis in them

    def __init__(self, angles=None, axis=None, pixel_size: float | None = None, energy: float | None = None,
                 distance: float | None = None) -> None:
        degrees = real(angles if angles is not None else [], "angles")
        columns = axes(axis, degrees.size) if axis is not None else None
        numbers = {name: above_zero(number, name) for name, number in (
            ("pixel_size", pixel_size), ("energy", energy), ("distance", distance)) if number is not None}
        made = lib.geometry_new(*given(degrees))
        if columns is not None:
            made = replaced(made, lib.geometry_axis(made, *given(columns)))
        for name, number in numbers.items():
            made = replaced(made, lib.geometry_numbers[name](made, number))
        super().__init__(made)

    def __copy__(self) -> Geometry:
        return self

    def __deepcopy__(self, memo) -> Geometry:
        return self

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
        return _geometry(lib.geometry_cone(self._pointer, source_origin, origin_detector, middle_row), True)

    def matrices(self, matrices) -> Geometry:
        """The geometry of matrices, an array (angle, 3, 4): (column, row, 1) w = matrix (x, y, z, 1)."""
        numbers = real(matrices, "matrices", 3)
        return _geometry(lib.geometry_matrices(self._pointer, *given(numbers)), True)

    def _with_axis(self, axis):
        """A copy with another axis."""
        if self._of_views:
            raise bad("axis", "a geometry of a cone or of matrices has the axis: make it with the other one")
        return _geometry(lib.geometry_axis(self._pointer, *given(axes(axis, len(self.angles)))), False)


def replaced(old, new):
    lib.unref(old)
    return new


def _geometry(pointer, of_views):
    made = Geometry.__new__(Geometry)
    made._of_views = of_views
    Object.__init__(made, pointer)
    return made


def turn(count):
    """Angles over half a turn, the last one before its end, which is where it begins."""
    return numpy.arange(count) * (180.0 / max(count, 1))
