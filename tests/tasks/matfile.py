# SPDX-License-Identifier: LGPL-3.0-or-later
"""MATLAB files of version 5, made byte by byte from what defines them."""
import struct
import zlib

import numpy as np

TYPES = {"i1": 1, "u1": 2, "i2": 3, "u2": 4, "i4": 5, "u4": 6, "f4": 7, "f8": 9, "i8": 12, "u8": 13}
CLASSES = {"f8": 6, "f4": 7, "i1": 8, "u1": 9, "i2": 10, "u2": 11, "i4": 12, "u4": 13, "i8": 14, "u8": 15}


def element(order, kind, content, short=False):
    if short and len(content) <= 4:
        return struct.pack(order + "I", len(content) << 16 | kind) + content.ljust(4, b"\0")
    return struct.pack(order + "II", kind, len(content)) + content + bytes(-len(content) % 8)


def array(order, name, values, stored=None, kind=None, flags=0):
    """A matrix with values of a type of their own."""
    stored = stored or values.dtype.str[1:]
    return element(order, 14, element(order, 6, struct.pack(order + "II", (kind or CLASSES[values.dtype.str[1:]]) | flags, 0))
                   + element(order, 5, np.array(values.shape, order + "i4").tobytes()) + element(order, 1, name.encode(), short=True)
                   + element(order, TYPES[stored], values.astype(order + stored).tobytes("F")))


def packed(order, matrix):
    content = zlib.compress(matrix)
    return struct.pack(order + "II", 15, len(content)) + content


def mat(order, *elements):
    return (b"MATLAB 5.0 MAT-file, made by hand".ljust(116) + bytes(8) + struct.pack(order + "HH", 0x100, ord("M") << 8 | ord("I")) + b"".join(elements))
