# SPDX-License-Identifier: LGPL-3.0-or-later
"""`write` of MetaImage and of compressed HDF5 against numpy and h5py."""
import os
import re
import unittest

import h5py
import numpy as np
from filestest import FilesTest

PROVENANCE = '{"nodes": [{"name": "caf\u00e9"}], "edges": []}'
ALL = np.uint8, np.uint16, np.float16, np.float32


class Formats(FilesTest):
    def source(self, shape=(7, 5, 9), dtype=np.float32, axes="slices", pixel=None):
        """A file to read, and the words that read it."""
        data = self.random(shape, dtype)
        with h5py.File("source.h5", "w") as file:
            file["exchange/data"] = data
            if pixel is not None and axes != "slices":
                file["exchange/data"].attrs["pixel_size"] = pixel
        words = {"slices": [] if pixel is None else [f"pixel-size={pixel}"]}.get(axes, ["angles=0:180"])
        return data, ["read", "path=source.h5", "axes=" + axes, *words]

    def write(self, read, path, *words, **options):
        return self.chain(*read, "!", "write", "path=" + path, "overwrite=true", *words, provenance=PROVENANCE, **options)[0][-1]


class MetaImage(Formats):
    def head(self, path):
        with open(path, encoding="utf-8") as file:
            return dict(line.rstrip("\n").split(" = ", 1) for line in file)

    def test_all_types(self):
        for dtype, name in (np.uint8, "MET_UCHAR"), (np.uint16, "MET_USHORT"), (np.float32, "MET_FLOAT"):
            for axes in "slices", "projections", "sinograms":
                data, read = self.source(dtype=dtype, axes=axes)
                self.write(read, "new/volume.mhd", rows=2, angles=3)
                head = self.head("new/volume.mhd")
                self.assertEqual((head["ElementType"], head["DimSize"], head["ElementDataFile"], head["ElementByteOrderMSB"]),
                                 (name, "9 5 7", "volume.raw", "False"))
                self.assertEqual((list(head)[0], list(head)[-1], head["NDims"]), ("ObjectType", "ElementDataFile", "3"))
                self.assertNotIn("ElementSpacing", head)
                self.assertEqual(head["Comment"], PROVENANCE)
                np.testing.assert_array_equal(np.fromfile("new/volume.raw", np.dtype(dtype).newbyteorder("<")).reshape(data.shape), data)
        self.assertEqual(sorted(os.listdir("new")), ["volume.mhd", "volume.raw"])

    def test_spacing(self):
        """In mm; rows and columns that are left out make distances larger."""
        for axes, words, unit, truth in (
                ("slices", [], "auto", (0.65, 0.65, 0.65)), ("slices", [], "um", (0.00065, 0.00065, 0.00065)),
                ("slices", ["rows=::2"], "cm", (6.5, 6.5, 13)), ("slices", ["columns=::3"], "m", (1950, 650, 650)),
                ("projections", ["rows=::2", "columns=::4"], "mm", (2.6, 1.3, 1)),
                ("sinograms", ["rows=::2"], "mm", (0.65, 1, 1.3))):
            _, read = self.source(axes=axes, pixel=0.65)
            line = self.write([*read, *words], "volume.mhd", "unit=" + unit)
            np.testing.assert_allclose([float(w) for w in self.head("volume.mhd")["ElementSpacing"].split()], truth, rtol=1e-12)
            self.assertEqual(line["warnings"], ["the scan's pixel size 0.65 is taken to be in mm: unit= says another one, as unit=um"]
                             if unit == "auto" else [])

    def test_spacing_of_what_was_binned(self):
        _, read = self.source((12, 8, 8), axes="projections", pixel=2)
        for rows, columns, z in (2, 2, 4), (4, 2, 8), (1, 2, 2):
            self.write([*read, "!", "bin", f"rows={rows}", f"columns={columns}"], "volume.mhd", "unit=mm")
            self.assertEqual(self.head("volume.mhd")["ElementSpacing"], f"4 {z} 1")

    def test_refuses(self):
        _, read = self.source(dtype=np.float16)
        self.refused("bad-property", "path=x.mhd: MetaImage holds u8, u16 or f32 values, not f16: set type=u8, u16 or f32", *read,
                     "!", "write", "path=x.mhd")
        _, read = self.source()
        read += ["!", "write"]
        self.refused("bad-property", "path=x-%i.mhd: MetaImage holds all of the stream in one file, leave the number out", *read,
                     "path=x-%i.mhd")
        self.refused("bad-property", "unit= is for files that keep sizes of pixels with their unit, which HDF5 does not: leave it "
                     "out", *read, "path=x.h5", "unit=um")
        for name in "volume.mhd", "volume.raw":
            with open(name, "w") as file:
                file.write("mine")
            self.refused("exists", f"'{name}' exists: set overwrite=true to replace it", *read, "path=volume.mhd")
            os.unlink(name)


class Deflate(Formats):
    def check(self, data, path):
        with h5py.File(path) as file:
            stored = file["exchange/data"]
            self.assertEqual((stored.dtype, stored.compression, stored.compression_opts, stored.shuffle),
                             (data.dtype, "gzip", 1, data.itemsize > 1))
            np.testing.assert_array_equal(stored[:], data)
            return stored.attrs["provenance"], stored.chunks

    def test_all_types(self):
        """Noise, which becomes larger, and what is mostly zero."""
        for dtype in ALL:
            for axes in "slices", "projections", "sinograms":
                data, read = self.source(dtype=dtype, axes=axes)
                line = self.write(read, "out.h5", "compression=deflate", rows=0 if axes == "projections" else 2, angles=3,
                                  threads=2)
                self.assertEqual(line["whole"], axes == "projections")
                self.assertEqual(self.check(data, "out.h5"), (PROVENANCE, (1, 5, 9)))
                np.testing.assert_array_equal(self.read("path=out.h5", "axes=" + axes, *read[3:])[1], data)

    def test_chunks(self):
        """Of pages that do not divide into them; zeros take no room."""
        data, read = self.source((3, 1001, 600))
        data[1:] = 0
        with h5py.File("source.h5", "a") as file:
            file["exchange/data"][...] = data
        files = []
        for threads, rows in (1, 1), (2, 2), (7, 3):
            self.write(read, "out.h5", "compression=deflate", threads=threads, rows=rows)
            self.assertEqual(self.check(data, "out.h5")[1], (1, 334, 600))
            with open("out.h5", "rb") as file:
                files.append(file.read())
        self.assertTrue(files[0] == files[1] == files[2])
        self.assertLess(len(files[0]), 1.1 * data[0].nbytes)
        np.testing.assert_array_equal(self.read("path=out.h5", "axes=slices", "rows=1:", "columns=3:50")[1], data[1:, :, 3:50])

    def test_conversion(self):
        data, read = self.source()
        self.write(read, "out.h5", "compression=deflate", "type=f16")
        self.check(data.astype(np.float16), "out.h5")

    def test_scan(self):
        """Darks and flats go with it, plain."""
        data, read = self.source(dtype=np.uint16, axes="projections")
        with h5py.File("source.h5", "a") as file:
            file["exchange/data_white"], file["exchange/data_dark"] = data[:3], data[3:5]
        self.write(read, "out.h5", "compression=deflate", angles=2)
        info, array = self.read("path=out.h5")
        np.testing.assert_array_equal(array, data)
        np.testing.assert_array_equal(self.frames(info, "flats"), data[:3])
        np.testing.assert_array_equal(self.frames(info, "darks"), data[3:5])

    def test_refuses(self):
        _, read = self.source()
        for path, ways, what in ("x.tif", "none", "TIFF"), ("x.h5", "none or deflate", "HDF5"):
            self.refused("bad-property", f"path={path}: {what} can have compression={ways}, not zstd", *read, "!", "write",
                         "path=" + path, "compression=zstd")


if __name__ == "__main__":
    unittest.main()
