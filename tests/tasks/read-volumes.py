# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of MetaImage and Zarr, written here byte by byte from what defines them. Costs 1 s."""
import json
import os
import unittest

import numpy as np
from filestest import FilesTest, NodeError

SHAPE = (5, 7, 9)
META = {"u1": "MET_UCHAR", "i1": "MET_CHAR", "u2": "MET_USHORT", "i2": "MET_SHORT", "u4": "MET_UINT", "i4": "MET_INT",
        "f4": "MET_FLOAT", "f8": "MET_DOUBLE"}


def head_of(data, where, **more):
    sizes = " ".join(map(str, data.shape[::-1]))
    keys = {"ObjectType": "Image", "NDims": str(data.ndim), "BinaryData": "True", "BinaryDataByteOrderMSB": "False", "DimSize": sizes,
            "ElementType": META[data.dtype.str[1:]], **more, "ElementDataFile": where}
    return "".join(f"{key} = {value}\n" for key, value in keys.items() if value is not None).encode()


def zarr(path, data, chunk, separator="/", pack=None, leave_out=(), **more):
    """An array of Zarr, version 2, with plain chunks."""
    os.makedirs(path)
    about = {"zarr_format": 2, "shape": data.shape, "chunks": chunk, "dtype": data.dtype.str, "compressor": pack, "fill_value": 0,
             "order": "C", "filters": None, "dimension_separator": separator, **more}
    with open(f"{path}/.zarray", "w") as file:
        json.dump(about, file)
    for place in np.ndindex(*(-(-n // c) for n, c in zip(data.shape, chunk))):
        if place in leave_out:
            continue
        part = np.zeros(chunk, data.dtype)
        found = data[tuple(slice(i * c, (i + 1) * c) for i, c in zip(place, chunk))]
        part[tuple(map(slice, found.shape))] = found
        name = f"{path}/{separator.join(map(str, place))}"
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as file:
            file.write(part.tobytes())


class Volumes(FilesTest):
    def values(self, kind, shape=SHAPE):
        if np.dtype(kind).kind == "f":
            return self.rng.normal(size=shape).astype(kind)
        info = np.iinfo(np.dtype(kind))
        return self.rng.integers(info.min, info.max, shape, np.dtype(kind).newbyteorder("="), endpoint=True).astype(kind)

    def same(self, path, truth, *words):
        truth = truth.astype(np.float32 if truth.dtype.str[1:] not in ("u1", "u2", "f2") else truth.dtype.newbyteorder("="))
        _, array = self.read("path=" + path, "axes=slices", *words, rows=2, threads=2)
        self.assertEqual(array.dtype, truth.dtype)
        np.testing.assert_array_equal(array, truth)
        _, array = self.read("path=" + path, "axes=slices", "rows=1::2", "columns=1:6:2", *words)
        np.testing.assert_array_equal(array, truth[1::2, :, 1:6:2])

    def fails(self, path, message):
        with self.assertRaises(NodeError) as caught:
            self.chain("read", "path=" + path, "axes=slices")
        self.assertEqual(caught.exception.code, "bad-file")
        self.assertIn(message, caught.exception.message)

    def test_metaimage(self):
        os.mkdir("inner")
        for kind in META:
            for order in "<", ">":
                data = self.values(order + kind)
                msb = {"BinaryDataByteOrderMSB": str(order == ">")}
                with open("local.mha", "wb") as file:
                    file.write(head_of(data, "LOCAL", **msb) + data.tobytes())
                self.same("local.mha", data)
        for where in "inner/pixels.raw", os.path.abspath("inner/pixels.raw"):
            with open("head.mhd", "wb") as file:
                file.write(head_of(data, where, HeaderSize="3", **msb))
            with open("inner/pixels.raw", "wb") as file:
                file.write(b"abc" + data.tobytes())
            self.same("head.mhd", data)
        with open("head.mhd", "wb") as file:
            file.write(head_of(data, "inner/pixels.raw", HeaderSize="-1", **msb))
        self.same("head.mhd", data)
        with open("flat.mha", "wb") as file:
            file.write(head_of(data[0], "LOCAL", **msb) + data[0].tobytes())
        _, array = self.read("path=flat.mha", "axes=slices")
        np.testing.assert_array_equal(array, data[:1].astype(np.float32))

    def test_damaged_metaimage(self):
        data = self.values("<u2")
        for message, keys in (("is compressed", {"CompressedData": "True"}), ("several values in a pixel", {"ElementNumberOfChannels": "3"}),
                              ("values of type 'MET_LONG_ARRAY'", {"ElementType": "MET_LONG_ARRAY"}), ("DimSize = 3", {"DimSize": "3"}),
                              ("DimSize = 3 x 4", {"DimSize": "3 x 4"}), ("DimSize = 9 7 -5", {"DimSize": "9 7 -5"}),
                              ("HeaderSize = -2", {"HeaderSize": "-2"}), ("values as text", {"BinaryData": "False"})):
            with open("x.mhd", "wb") as file:
                file.write(head_of(data, "x.raw", **keys))
            data.tofile("x.raw")
            self.fails("x.mhd", message)
        with open("x.mhd", "wb") as file:
            file.write(head_of(data, "LIST"))
        self.fails("x.mhd", "'x.mhd' lists a file for each image")
        with open("x.mhd", "wb") as file:
            file.write(b"ObjectType = Image\nNDims = 3\n")
        self.fails("x.mhd", "'x.mhd' is damaged: its header has no ElementDataFile")
        with open("x.mhd", "wb") as file:
            file.write(head_of(data, "nothing.raw"))
        self.fails("x.mhd", "nothing.raw': No such file or directory")
        with open("x.mha", "wb") as file:
            file.write(head_of(data, "LOCAL") + data.tobytes()[:-1])
        self.fails("x.mha", "'x.mha' is truncated")

    def test_zarr(self):
        for number, kind in enumerate(("|u1", "<u2", ">u2", "<f2", "<f4", ">f4")):
            data = self.values(kind)
            zarr(f"a{number}.zarr", data, (2, 3, 4), "/."[number % 2])
            self.same(f"a{number}.zarr", data)
            self.same(f"a{number}.zarr/", data)
        zarr("group.zarr/0", data, (5, 7, 9))
        zarr("group.zarr/1", data[::2, ::2, ::2], (2, 3, 4))
        self.same("group.zarr", data)
        self.same("group.zarr", data[::2, ::2, ::2], "dataset=1")
        self.same("group.zarr:/0", data)
        zarr("five.zarr", data[None, None], (1, 1, 2, 3, 4), ".")
        self.same("five.zarr", data)
        for number, (kind, fill) in enumerate((("<f4", 0), ("<f4", None), (">f4", "NaN"), ("<f2", 1.5), ("<u2", 7), ("|u1", 255))):
            data = self.values(kind)
            zarr(f"holes{number}.zarr", data, (2, 3, 4), leave_out={(0, 0, 0)}, fill_value=fill, filters=[])
            data[:2, :3, :4] = np.float32(fill or 0)
            self.same(f"holes{number}.zarr", data)

    def test_damaged_zarr(self):
        data = self.values("<u2")
        for number, (message, keys) in enumerate((
                ("has the compressor 'zstd': only blosc works, or none", {"pack": {"id": "zstd"}}), ("has filters", {"filters": [{"id": "delta"}]}),
                ("has chunks in Fortran's order", {"order": "F"}), ("has values of type '<i4'", {"dtype": "<i4"}),
                ("has another version of Zarr than 2", {"zarr_format": 3}), ("has 2 axes, and chunks with 2", {"shape": [7, 9], "chunks": [7, 9]}),
                ("has more than three axes with several elements", {"shape": [2, 5, 7, 9], "chunks": [1, 5, 7, 9]}),
                ("has the fill_value -1", {"fill_value": -1}), ("has a fill_value that is no number", {"fill_value": "x"}),
                ("has chunks of more than", {"chunks": [1024, 2048, 2048]}))):
            zarr(f"b{number}.zarr", data, (2, 3, 4), **keys)
            self.fails(f"b{number}.zarr", f"'b{number}.zarr/.zarray' {message}")
        zarr("c.zarr", data, (2, 3, 4))
        os.truncate("c.zarr/1/1/1", 7)
        self.fails("c.zarr", "'c.zarr/1/1/1' is damaged: it is not a chunk of 48 bytes")
        os.mkdir("empty.zarr")
        self.fails("empty.zarr", "'empty.zarr' has no array of Zarr's version 2 at '0'")
        with open("c.zarr/.zarray", "w") as file:
            file.write("{")
        self.fails("c.zarr", "'c.zarr/.zarray' is damaged")


if __name__ == "__main__":
    unittest.main()
