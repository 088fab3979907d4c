# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of element types that streams do not have, in HDF5 and TIFF: what numpy's astype gives."""
import os
import unittest

import h5py
import numpy as np
import tifffile
from filestest import FilesTest, empty_dataset, write_scan

KINDS = "i1", "i2", "u4", "i4", "u8", "i8", "f8"
ORDERS = {**dict.fromkeys(KINDS, "<"), "i2": "<>", "u4": ">", "i8": ">", "f8": "<>"}
SHAPE = (6, 7, 9)


class Types(FilesTest):
    def values(self, kind):
        """With the extremes, which are where sign and order of bytes tell."""
        kind = np.dtype(kind)
        if kind.kind == "f":
            data = self.rng.normal(size=SHAPE) * 10. ** self.rng.integers(-40, 38, SHAPE)
            data.flat[:6] = np.nan, np.inf, -np.inf, 1e300, 1e-300, -0.
            return data
        info = np.iinfo(kind)
        data = self.rng.integers(info.min, info.max, SHAPE, kind, endpoint=True)
        data.flat[:4] = info.min, info.max, 0, 1
        return data

    def same(self, path, data, columns="2:9:3", missing="fail"):
        with np.errstate(over="ignore"):
            truth = data.astype(np.float32)
        given = "path=" + path, "missing=" + missing
        _, array = self.read(*given, rows=2, angles=4, threads=3)
        self.assertEqual(array.dtype, np.float32)
        np.testing.assert_array_equal(array.view(np.uint32), truth.view(np.uint32))
        _, array = self.read(*given, "projections=1::2", "rows=1:6:2", "columns=" + columns)
        begin, end, step = map(int, columns.split(":"))
        np.testing.assert_array_equal(array, truth[1::2, 1:6:2, begin:end:step])

    def test_hdf5(self):
        """Read plainly, decoded here, decoded by HDF5, made of other files, never written."""
        for kind in KINDS:
            for order in ORDERS[kind]:
                data = self.values(kind)
                stored = data.astype(order + kind)
                for extra in ({}, {"chunks": (2, 3, 4)}, {"chunks": (2, 3, 4), "compression": "gzip", "shuffle": True,
                                                         "fletcher32": True}):
                    write_scan("scan.h5", stored, **extra)
                    self.same("scan.h5", data, "3:8:1" if extra else "2:9:3")
                if kind[0] != "f":
                    write_scan("scan.h5", stored // 4, chunks=(2, 3, 4), scaleoffset=0)
                    self.same("scan.h5", data // 4)
            with h5py.File("part.h5", "w") as file:
                file["data"] = data
            layout = h5py.VirtualLayout(SHAPE, data.dtype)
            layout[:] = h5py.VirtualSource("part.h5", "data", SHAPE)
            with h5py.File("scan.h5", "w", libver="latest") as file:
                file.create_virtual_dataset("exchange/data", layout)
            self.same("scan.h5", data)
            with h5py.File("scan.h5", "w") as file:
                made = file.create_dataset("exchange/data", SHAPE, kind, chunks=(2, 7, 9), fillvalue=-5 if kind[0] != "u" else 5)
                made[2:4] = data[2:4]
                truth = made[:]
            self.same("scan.h5", truth, missing="zero")
            empty_dataset("scan.h5", h5py.h5t.py_create(np.dtype(">" + kind)), SHAPE,
                          lambda c: c.set_fill_value(np.array(77, kind)))
            self.same("scan.h5", np.full(SHAPE, 77, kind), missing="zero")

    def test_what_is_read(self):
        """Bytes of the file, not of the stream; memory for a line."""
        write_scan("scan.h5", self.values("i2"))
        info, _ = self.read("path=scan.h5", "rows=2:4")
        self.assertEqual((info["counters"]["bytes-read"], info["bytes_read"]), (6 * 2 * 9 * 2,) * 2)

    def test_frames(self):
        data = self.values("f8")
        with h5py.File("scan.h5", "w") as file:
            file["exchange/data"] = self.random(SHAPE, np.uint16)
            file["exchange/data_white"], file["exchange/data_dark"] = data, self.values("i2")
            dark = file["exchange/data_dark"][:]
        info, array = self.read("path=scan.h5", "rows=1:4", "columns=::2")
        self.assertEqual(array.dtype, np.uint16)
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(self.frames(info, "flats"), data[:, 1:4, ::2].astype(np.float32))
        np.testing.assert_array_equal(self.frames(info, "darks"), dark[:, 1:4, ::2].astype(np.float32))

    def test_tiff(self):
        for kind in KINDS:
            data = self.values(kind)
            for order in ORDERS[kind]:
                for how in {}, {"compression": "zlib", "rowsperstrip": 3}, {"tile": (16, 16)}:
                    if os.path.exists("scan.tif"):
                        os.unlink("scan.tif")
                    with tifffile.TiffWriter("scan.tif", byteorder=order) as file:
                        for page in data:
                            file.write(page, contiguous=False, **how)
                    self.same("scan.tif", data)

    def test_missing_files(self):
        for i in 0, 1, 3:
            tifffile.imwrite(f"p_{i}.tif", np.full((3, 4), -5 - i, np.int16))
        _, array = self.read("path=p_*.tif", "angles=0:180", "missing=zero")
        np.testing.assert_array_equal(array[:, 0, 0], [-5, -6, 0, -8])


if __name__ == "__main__":
    unittest.main()
