# SPDX-License-Identifier: LGPL-3.0-or-later
"""Sinograph: reconstruction of X-ray tomography scans, with arrays.

    volume = sinograph.reconstruct (projections, axis=521.5, flats=flats, darks=darks)
    smooth = sinograph.filters.median (volume, size=5)
    sinograph.Graph ("read path=scan.h5 ! flat-field ! reconstruct ! write path=slices.h5").run ()

All work is done by the library, in its own threads. Ctrl-C ends every call.
"""
from __future__ import annotations

import ctypes as _ctypes

from . import _library, aio, filters
from ._errors import Cancelled, Code, Doubt, Error
from ._geometry import Geometry
from ._graph import Block, Graph, Node, Sink, Source, describe, nodes
from ._live import FoundAxis, Live, Picture
from ._reconstruct import reconstruct
from ._runs import Run
from ._view import View, view

__all__ = ["Block", "Cancelled", "Code", "Doubt", "Error", "FoundAxis", "Geometry", "Graph", "Live", "Node", "Picture", "Run", "Sink",
           "Source", "View", "aio", "describe", "devices", "filters", "nodes", "reconstruct", "view"]


def _version():
    numbers = [_ctypes.c_uint() for _ in range(3)]
    _library.version(*map(_ctypes.byref, numbers))
    return ".".join(str(number.value) for number in numbers)


def devices() -> dict:
    """The devices of this machine: id, as in device="cl:0", and name."""
    class Array(_ctypes.Structure):
        _fields_ = [("data", _ctypes.POINTER(_library.P)), ("length", _ctypes.c_uint)]

    array = _library.device_list()
    try:
        facts = Array.from_address(array)
        return {_library.device_id(facts.data[i]).decode(): _library.device_name(facts.data[i]).decode()
                for i in range(facts.length)}
    finally:
        _library.ptr_array_unref(array)


__version__ = _version()
