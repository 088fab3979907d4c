# SPDX-License-Identifier: LGPL-3.0-or-later
"""Files of EDF, FITS, MRC and PNG, made byte by byte from what defines them."""
import struct
import zlib

import numpy as np


def edf(pages, kind, order="<", head=1024, **more):
    """One head for each page, padded with blanks."""
    names = {"u1": "UnsignedByte", "i1": "SignedByte", "u2": "UnsignedShort", "i2": "SignedShort", "u4": "UnsignedInteger",
             "i4": "SignedInteger", "u8": "Unsigned64", "i8": "Signed64", "f4": "FloatValue", "f8": "DoubleValue"}
    content = b""
    for i, page in enumerate(pages):
        data = page.astype(order + kind).tobytes()
        keys = {"HeaderID": f"EH:{i + 1:06d}:000000:000000", "Image": i + 1,
                "ByteOrder": "LowByteFirst" if order == "<" else "HighByteFirst", "DataType": names[kind],
                "Dim_1": page.shape[-1], "Dim_2": page.shape[-2], "Size": len(data), "title": "a } in {braces}", **more}
        text = "{\n" + "".join(f"{k} = {v} ;\n" for k, v in keys.items() if v is not None)
        content += text.ljust(head - 2).encode() + b"}\n" + data
    return content


def fits(data, bits, **more):
    axes = {"NAXIS": data.ndim, **{f"NAXIS{i + 1}": n for i, n in enumerate(data.shape[::-1])}}
    cards = {"SIMPLE": "T", "BITPIX": bits, **axes, **more}
    text = "".join(f"{k:8}= {v:>20} / of {k}".ljust(80) for k, v in cards.items())
    text += "COMMENT = no value / at all".ljust(80) * 40 + "END".ljust(80)
    kind = {8: "u1", 16: ">i2", 32: ">i4", 64: ">i8", -32: ">f4", -64: ">f8"}[bits]
    content = data.astype(kind).tobytes()
    return text.ljust(-(-len(text) // 2880) * 2880).encode() + content + bytes(-len(content) % 2880)


def mrc(data, mode, order="<", extended=0, imod=None, mark=True):
    kind = {0: "i1", 1: "i2", 2: "f4", 6: "u2", 12: "f2"}[mode]
    head = bytearray(1024)
    struct.pack_into(order + "4i", head, 0, *data.shape[::-1], mode)
    struct.pack_into(order + "i", head, 92, extended)
    if imod is not None:
        struct.pack_into(order + "ii", head, 152, 1146047817, imod)
    if mark:
        head[208:216] = b"MAP " + (b"DD\0\0" if order == "<" else b"\x11\x11\0\0")
    return bytes(head) + b"x" * extended + data.astype(order + kind).tobytes()


def chunk(name, content):
    """Of a PNG file."""
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(page, piece=8192, colour=0, bits=None, interlaced=0, filters=(0, 1, 2), more=b"", size=None):
    """A grey image, whose lines are as they are, differences along them, or differences from the line above."""
    lines, columns = size or page.shape
    rows = np.frombuffer(page.astype(page.dtype.newbyteorder(">")).tobytes(), np.uint8).reshape(len(page), -1)
    pixel, out = page.dtype.itemsize, b""
    for y, row in enumerate(rows):
        how = filters[y % len(filters)]
        left, above = np.r_[np.zeros(pixel, np.uint8), row[:-pixel]], rows[y - 1] if y else np.zeros_like(row)
        out += bytes([how]) + (row - (0, left, above)[how]).astype(np.uint8).tobytes()
    head = struct.pack(">IIBBBBB", columns, lines, bits or 8 * pixel, colour, 0, 0, interlaced)
    packed = zlib.compress(out)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more +
            b"".join(chunk(b"IDAT", packed[i:i + piece]) for i in range(0, len(packed), piece)) + chunk(b"IEND", b""))
