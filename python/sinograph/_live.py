# SPDX-License-Identifier: LGPL-3.0-or-later
"""Planes of a scan that is under way."""
from __future__ import annotations

import ctypes
import math
import time
from typing import NamedTuple

import numpy

from . import _arrays, _library as lib
from ._graph import Node
from ._runs import text
from ._waits import SLICE, run_of


class Picture(NamedTuple):
    """A plane: its values (line, pixel), its version, how many projections it holds, and where it lies."""
    array: numpy.ndarray
    version: int
    projections: int
    plane: str


class FoundAxis(NamedTuple):
    """A rotation axis in detector columns, its standard deviation, how many projections it is from, and whether it has settled."""
    column: float
    deviation: float
    projections: int
    settled: bool


class Live(Node):
    """The node live: shows planes while projections come. All of it may be used at any time, from any thread."""

    @property
    def planes(self) -> dict:
        """The planes that are wished, by their numbers."""
        return dict(lib.unpack(lib.live_list(self._pointer)))

    def add(self, plane: str) -> int:
        """Adds a plane, such as "z=100", "x=0" or "x=3,y=0,z=40,angle=30,tilt=20", and gives its number."""
        return lib.live_add(self._pointer, text("plane", plane))

    def move(self, number: int, plane: str) -> None:
        """Moves a plane; its picture is made anew from the projections that have come."""
        lib.live_move(self._pointer, number, text("plane", plane))

    def remove(self, number: int) -> None:
        """Removes a plane."""
        lib.live_remove(self._pointer, number)

    def set_axis(self, column: float | None) -> None:
        """Moves the rotation axis of all pictures. None: as the graph and the scan give it."""
        lib.live_axis(self._pointer, math.nan if column is None else column)

    @property
    def found_axis(self) -> FoundAxis | None:
        """The axis that was found while projections come, with find-axis=on. None: not yet."""
        column, deviation, projections, settled = lib.D(), lib.D(), lib.I64(), lib.BOOL()
        if not lib.live_found_axis(self._pointer, column, deviation, projections, settled):
            return None
        return FoundAxis(column.value, deviation.value, projections.value, bool(settled.value))

    def pull(self, number: int = 0, *, newer_than: int = 0, timeout: float | None = None) -> Picture | None:
        """The newest picture of a plane, if its version is above newer_than. Waits for it, for `timeout` seconds.

        None: none came in time, or the run has ended and there is none that is newer. Without a run, the picture is
        that of the last one.
        """
        end = math.inf if timeout is None else time.monotonic() + timeout
        while True:
            going = run_of(self._graph) is not None
            left = min(SLICE, max(end - time.monotonic(), 0)) if going else 0
            picture = self._pull(number, newer_than, left)
            if picture is not None or not going or time.monotonic() >= end:
                return picture

    def _pull(self, number, newer_than, seconds):
        version, projections, plane = lib.I64(), lib.I64(), lib.S()
        block = lib.live_pull(self._pointer, number, newer_than, int(seconds * 1e6), version, projections, plane, None)
        if not block:
            return None
        where = plane.value.decode()
        lib.free(plane)
        return Picture(_arrays.from_block(block)[0], version.value, projections.value, where)
