# SPDX-License-Identifier: LGPL-3.0-or-later
"""A part of the override: where the frames of an array lie."""
import math
import re
import sys

from gi.module import get_introspection_module
from gi.repository import GLib, GObject

Sino = get_introspection_module("Sino")

# The type strings of NumPy's array interface, in the byte order of the machine.
_ORDER = "<" if sys.byteorder == "little" else ">"
TYPES = {"u8": "|u1", "u16": _ORDER + "u2", "f16": _ORDER + "f2", "f32": _ORDER + "f4"}
NAMES = {"u8": "uint8", "u16": "uint16", "f16": "float16", "f32": "float32"}


def error(code, text):
    return GLib.Error.new_literal(Sino.error_quark(), text, code)


class Frames:
    """Where the frames of an array lie. It knows only the array interface, which other libraries offer, too."""

    def __init__(self, array):
        facts = getattr(array, "__array_interface__", None)
        if facts is None:
            raise TypeError(f"frames are an array or bytes, not {type(array).__name__}")
        self.array, self.shape, self.type = array, tuple(facts["shape"]), facts["typestr"]
        if len(self.shape) not in (2, 3) or 0 in self.shape:
            raise error(Sino.Error.BAD_FORMAT, f"an array of shape {self.shape} is not a frame (row, column), nor frames "
                        "(frame, row, column)")
        if facts.get("data") is None:
            raise TypeError("the array does not give the address of its values")
        self.address, self.item = facts["data"][0], int(re.match(r"..(\d+)", self.type)[1])
        self.bytes = math.prod(self.shape[-2:]) * self.item
        self.count = self.shape[0] if len(self.shape) == 3 else 1
        dense = [math.prod(self.shape[i + 1:]) * self.item for i in range(len(self.shape))]
        # The stride along an extent of 1 says nothing.
        strides = [dense[i] if self.shape[i] == 1 else stride for i, stride in enumerate(facts.get("strides") or dense)]
        self.dense = strides[-2:] == dense[-2:]
        self.step = strides[0] if len(strides) == 3 else self.bytes
        self.ordered = self.dense or (strides == sorted(strides, reverse=True) and strides[-1] > 0)

    def pieces(self, most):
        """Addresses and numbers of bytes of frames that lie one after the other, `most` bytes at once or a frame."""
        some = max(most // self.bytes, 1) if self.step == self.bytes else 1
        for first in range(0, self.count, some):
            yield self.address + first * self.step, min(some, self.count - first) * self.bytes


def keep(thing):
    """An object for C that keeps a thing of Python."""
    owner = GObject.Object()
    owner.thing = thing
    return owner


def contiguous(array):
    import numpy

    return numpy.ascontiguousarray(array)
