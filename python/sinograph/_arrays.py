# SPDX-License-Identifier: LGPL-3.0-or-later
"""Arrays that go to the library and come from it."""
from __future__ import annotations

import contextlib
import ctypes
import weakref

import numpy

from . import _cuda, _library as lib
from ._errors import Code, Error

ELEMENTS = {"u1": 0, "u2": 1, "f2": 2, "f4": 3}  # SinoElement of the types that are taken as they are
TYPES = [numpy.dtype(name) for name in ELEMENTS]
NAMES = ["u8", "u16", "f16", "f32"]
HOST = (1, 3, 13)  # DLPack's numbers of memory that the CPU reads: its own, pinned, managed


def host(values):
    """The array of NumPy that a thing is, without a copy where its memory is the host's."""
    if isinstance(values, numpy.ma.MaskedArray):
        raise Error("a masked array has values that do not count, which the library cannot know: give "
                    "array.filled (value)", Code.BAD_FORMAT)
    if isinstance(values, numpy.ndarray):
        return values
    facts = getattr(values, "__cuda_array_interface__", None) if _cuda.is_cuda(values) else None
    if facts is not None:
        return _cuda.to_host(values, facts)
    if hasattr(values, "__dlpack_device__") and not hasattr(values, "__array_interface__"):
        device = int(values.__dlpack_device__()[0])
        if device not in HOST:
            raise Error(f"the array's memory is of a device of DLPack's kind {device}, which the CPU cannot read: copy "
                        "it to the host first", Code.BAD_FORMAT)
        return numpy.from_dlpack(values)
    return numpy.asarray(values)


def prepared(values, wanted=None):
    """A dense array of a type that the library takes, of `wanted` types if given; the same one where it is that.

    uint8 and uint16 stay what they are: they may be counts, and a node that wants none has to see that they are.
    """
    array = host(values)
    if array.dtype.kind not in "uif":
        raise TypeError(f"an array of {array.dtype} has no values that can be measured: give numbers that are real")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    known = array.dtype in TYPES
    if not known or (wanted is not None and array.dtype.kind == "f" and NAMES[TYPES.index(array.dtype)] not in wanted):
        array = array.astype(numpy.float32, copy=False)
    return numpy.ascontiguousarray(array)


def element_of(array):
    return TYPES.index(array.dtype)


# --- memory that the library uses ---

# By counter: an array, and the counter that the library raises when it does not need it any more. Each entry has one
# reference of its own beside that of the dictionary, which Python empties at its end, when threads may still read.
_lent = {}


def sweep():
    """Drops the arrays that the library has released."""
    for address, entry in list(_lent.items()):  # other threads may add some meanwhile, or drop the same ones
        if entry[1].value != 0 and _lent.pop(address, None) is not None:
            ctypes.pythonapi.Py_DecRef(ctypes.py_object(entry))


def lend(array):
    """(address, size, function, data): how C takes an array's memory, which stays until the function was called.

    The function is one of GLib that raises a counter, so that no thread of the library ever waits for Python.
    """
    sweep()
    counter = ctypes.c_int(0)
    address = ctypes.addressof(counter)
    entry = (array, counter)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(entry))
    _lent[address] = entry
    return array.ctypes.data, array.nbytes, lib.increase, address


@contextlib.contextmanager
def lent_bytes(array):
    """A GBytes of an array's memory."""
    given = lib.bytes_new(*lend(array))
    try:
        yield given
    finally:
        lib.bytes_unref(given)


# --- memory of the library ---

class Memory:
    """What an array of a block refers to, and keeps it."""

    def __reduce__(self):  # a copy would have the address without keeping the memory
        raise TypeError("the memory of a result cannot be copied or pickled: copy the array")

    def __init__(self, block):
        self._finish = weakref.finalize(self, lib.unref, block)
        self._finish.atexit = False
        count = lib.SIZE()
        shape = lib.numbers(lib.buffer_shape(block, ctypes.byref(count)), count)
        address = lib.buffer_address(block)
        if not address:
            raise Error("there is no memory for a copy of the block", Code.MEMORY)
        self.__array_interface__ = {"version": 3, "shape": tuple(shape), "data": (address, False),
                                    "typestr": TYPES[lib.buffer_element(block)].str}


def from_block(block):
    """The array of a SinoBuffer, whose reference it takes. The memory is the array's alone."""
    return numpy.asarray(Memory(block))
