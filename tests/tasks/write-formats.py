# SPDX-License-Identifier: LGPL-3.0-or-later
"""`write` of MetaImage, OME-TIFF and OME-Zarr against numpy, tifffile and Blosc."""
import ctypes
import json
import os
import re
import unittest
from pathlib import Path
from xml.etree import ElementTree

import h5py
import numpy as np
import tifffile
from filestest import PROVENANCE, WriteTest, write_scan

OME = "{http://www.openmicroscopy.org/Schemas/OME/2016-06}"
BLOSC = ctypes.CDLL("libblosc.so.1")


class MetaImage(WriteTest):
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
        self.assertEqual(sorted(os.listdir("new")), ["volume.mhd", "volume.mhd.sums", "volume.raw"])

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
            self.assertEqual(line["warnings"], ["the scan's pixel size 0.65 is assumed to be in mm: set another unit with unit=, for "
                                                "example unit=um"]
                             if unit == "auto" else [])

    def test_spacing_of_what_was_binned(self):
        _, read = self.source((12, 8, 8), axes="projections", pixel=2)
        for rows, columns, z in (2, 2, 4), (4, 2, 8), (1, 2, 2):
            self.write([*read, "!", "bin", f"rows={rows}", f"columns={columns}"], "volume.mhd", "unit=mm")
            self.assertEqual(self.head("volume.mhd")["ElementSpacing"], f"4 {z} 1")

    def test_refuses(self):
        _, read = self.source(dtype=np.float16)
        self.refused("bad-property", "path=x.mhd: MetaImage stores u8, u16 or f32 values, not f16: set type=u8, u16 or f32", *read,
                     "!", "write", "path=x.mhd")
        _, read = self.source()
        write_scan("scan.h5", self.random((7, 5, 9), np.float32))
        read += ["!", "write"]
        self.refused("bad-property", "path=x-%i.mhd: MetaImage stores the whole stream in one file, leave the number out", *read,
                     "path=x-%i.mhd")
        for name, shown in (("50%%", "50%"), (" a", " a"), ("LIST", "LIST"), ("a\\b", "a\\b")):
            for suffix, kind in (".mhd", "MetaImage"), (".nhdr", "NRRD"), (".vgi", "VGStudio"):
                self.refused("bad-property", f"path='{shown}{suffix}': the header of {kind} contains the name of the pixels, and programs would not find "
                             "them: choose a name without %, \\ and line breaks, which does not begin with a space or with LIST", *read,
                             f"path={name}{suffix}")
        self.chain(*read, "path=50%%.nrrd")  # has its pixels behind the head
        self.refused("bad-property", "unit= is for files that store pixel sizes with a unit, which HDF5 of projections does not: leave it out", "read", "path=scan.h5",
                     "angles=0:180", "!", "write", "path=x.h5", "unit=um")
        for name in "volume.mhd", "volume.raw":
            with open(name, "w") as file:
                file.write("mine")
            self.refused("exists", f"'{name}' exists: set overwrite=true to replace it", *read, "path=volume.mhd")
            os.unlink(name)


class OmeTiff(WriteTest):
    def pixels(self, path):
        with tifffile.TiffFile(path) as tiff:
            self.assertTrue(tiff.is_ome)
            root = ElementTree.fromstring(tiff.ome_metadata)
            return tiff.series[0].axes, tiff.asarray(), root.find(f"{OME}Image/{OME}Pixels").attrib, root

    def test_all_types(self):
        for dtype, name in (np.uint8, "uint8"), (np.uint16, "uint16"), (np.float32, "float"):
            for axes in "slices", "projections", "sinograms":
                data, read = self.source(dtype=dtype, axes=axes)
                self.write(read, "volume.ome.tif", rows=2, angles=3)
                order, pixels, words, root = self.pixels("volume.ome.tif")
                self.assertEqual((order, words["Type"], words["SizeZ"], "PhysicalSizeX" in words), ("ZYX", name, "7", False))
                np.testing.assert_array_equal(pixels, data)
                self.assertEqual(root.find(f".//{OME}CommentAnnotation/{OME}Value").text, PROVENANCE)

    def test_sequence(self):
        data, read = self.source()
        self.write(read, "one-%i.ome.tiff")
        for i, page in enumerate(data):
            order, pixels, words, _ = self.pixels(f"one-{i}.ome.tiff")
            self.assertEqual((order, words["SizeZ"]), ("YX", "1"))
            np.testing.assert_array_equal(pixels, page)

    def test_sizes(self):
        _, read = self.source(pixel=0.65)
        for unit, mm in ("um", 0.65e-3), ("nm", 0.65e-6), ("auto", 0.65):
            self.write([*read, "rows=::2"], "volume.ome.tif", "unit=" + unit)
            words = self.pixels("volume.ome.tif")[2]
            self.assertEqual([words[f"PhysicalSize{a}"] for a in "XYZ"], ["0.65", "0.65", "1.3"])
            self.chain("read", "path=volume.ome.tif", "angles=0:180", "!", "write", "path=again.mhd", "overwrite=true")
            with open("again.mhd", encoding="utf-8") as file:
                sizes = re.search("ElementSpacing = (.*)", file.read())[1].split()
            self.assertAlmostEqual(float(sizes[0]) / mm, 1, 12)
        stated = "read", "path=volume.ome.tif", "angles=0:180"
        self.refused("bad-property", "unit=um: the scan's lengths are known to be in mm, with a pixel size of 0.65: leave unit= out, or give "
                     "the source pixel-size= in um", *stated, "!", "write", "path=no.mhd", "unit=um")
        self.chain(*stated, "pixel-size=650", "!", "write", "path=other.mhd", "unit=um")

    def test_refuses(self):
        _, read = self.source(dtype=np.float16)
        self.refused("bad-property", "path=x.ome.tif: OME-TIFF stores u8, u16 or f32 values, not f16: set type=u8, u16 or f32", *read,
                     "!", "write", "path=x.ome.tif")


class OmeZarr(WriteTest):
    def level(self, path, dtype):
        with open(path + "/.zarray", encoding="utf-8") as file:
            facts = json.load(file)
        self.assertEqual((np.dtype(facts["dtype"]), facts["zarr_format"], facts["dimension_separator"]), (np.dtype(dtype), 2, "/"))
        array = np.zeros([-(-n // c) * c for n, c in zip(facts["shape"], facts["chunks"])], dtype)
        for folder, _, names in os.walk(path):
            for name in names:
                if name == ".zarray":
                    continue
                with open(os.path.join(folder, name), "rb") as file:
                    chunk = file.read()
                if facts["compressor"]:
                    whole = ctypes.create_string_buffer(int(np.prod(facts["chunks"])) * array.itemsize)
                    self.assertEqual(BLOSC.blosc_decompress_ctx(chunk, whole, ctypes.c_size_t(len(whole)), 1), len(whole))
                    chunk = whole.raw
                place = [int(n) * c for n, c in zip(os.path.relpath(os.path.join(folder, name), path).split("/"), facts["chunks"])]
                array[tuple(slice(a, a + c) for a, c in zip(place, facts["chunks"]))] = np.frombuffer(chunk, dtype).reshape(facts["chunks"])
        return array[tuple(slice(n) for n in facts["shape"])], facts

    def half(self, volume):
        pads = [(0, n % 2) for n in volume.shape]
        y = np.pad(volume.astype(np.float64), pads, mode="edge")
        return y.reshape(*(n for extent in y.shape for n in (extent // 2, 2))).mean((1, 3, 5))

    def test_levels(self):
        for dtype, close in (np.uint8, 0.51), (np.uint16, 0.51), (np.float16, 1e-3), (np.float32, 1e-6):
            data, read = self.source((5, 140, 301), dtype=dtype)
            data[:, :64, :64] = 0  # a chunk that is not there
            with h5py.File("source.h5", "a") as file:
                file["exchange/data"][...] = data
            for packed, name in ("auto", "zstd"), ("lz4", "lz4"), ("none", None):
                self.write(read, "volume.zarr", "compression=" + packed, rows=2, threads=3)
                want, facts = self.level("volume.zarr/0", dtype)
                np.testing.assert_array_equal(want, data)
                self.assertEqual(facts["compressor"] and facts["compressor"]["cname"], name)
                for number, shape in (1, (3, 70, 151)), (2, (2, 35, 76)):
                    means = self.half(want)
                    got = self.level(f"volume.zarr/{number}", dtype)[0]
                    self.assertEqual(got.shape, shape)
                    np.testing.assert_allclose(got.astype(np.float64), means, rtol=0, atol=close)
                    want = got
                self.assertEqual(sorted(os.listdir("volume.zarr")), [".checksums", ".zattrs", ".zgroup", "0", "1", "2"])

    def test_attributes(self):
        _, read = self.source((3, 9, 130), pixel=0.5)
        self.write(read, "volume.zarr", "unit=um")
        with open("volume.zarr/.zattrs", encoding="utf-8") as file:
            words = json.load(file)
        scales = words["multiscales"][0]
        self.assertEqual((scales["version"], scales["axes"][0]), ("0.4", {"name": "z", "type": "space", "unit": "micrometer"}))
        self.assertEqual([[t[t["type"]] for t in d["coordinateTransformations"]] for d in scales["datasets"]],
                         [[[0.5, 0.5, 0.5], [0, 0, 0]], [[1, 1, 1], [0.25, 0.25, 0.25]]])
        self.assertEqual(words["sinograph"], json.loads(PROVENANCE))

    def test_same_files(self):
        _, read = self.source((70, 40, 150))
        all_files = []
        for threads, rows in (1, 1), (5, 9):
            self.write(read, "volume.zarr", threads=threads, rows=rows)
            all_files.append({path: path.read_bytes() for path in Path("volume.zarr").rglob("*") if path.is_file()})
        self.assertTrue(len(all_files[0]) > 5 and all_files[0] == all_files[1])

    def test_refuses(self):
        _, read = self.source()
        self.write(read, "volume.zarr//")
        self.refused("bad-property", "path=x.tif/ ends in '/', but TIFF is a file: remove the '/'", *read, "!", "write", "path=x.tif/")
        self.refused("exists", "'volume.zarr' exists: set overwrite=true to replace it", *read, "!", "write", "path=volume.zarr")
        for mine in "volume.zarr/0/notes.txt", "volume.zarr/0/0/x.tif":
            with open(mine, "w") as file:
                file.write("mine")
            self.refused("exists", "'volume.zarr' is a folder that contains other files than OME-Zarr: give path= another name", *read,
                         "!", "write", "path=volume.zarr", "overwrite=true")
            os.unlink(mine)
        self.write(read, "volume.zarr")
        with open("volume.zarr/mine", "w") as file:
            file.write("mine")
        self.refused("exists", "'volume.zarr' is a folder that contains other files than OME-Zarr: give path= another name", *read, "!",
                     "write", "path=volume.zarr", "overwrite=true")
        with open("file.zarr", "w") as file:
            file.write("mine")
        self.refused("exists", "'file.zarr' exists: choose another name or remove it", *read, "!", "write", "path=file.zarr",
                     "overwrite=true")
        self.refused("bad-property", "path=x.zarr: OME-Zarr supports compression=zstd, lz4 or none, not deflate", *read, "!", "write",
                     "path=x.zarr", "compression=deflate")
        self.refused("bad-property", "path=x-%i.zarr: OME-Zarr stores the whole stream in one file, leave the number out", *read, "!",
                     "write", "path=x-%i.zarr")
        _, read = self.source(axes="projections")
        self.refused("bad-property", "path=x.zarr: OME-Zarr cannot store projections: name .ome.tif, .ome.tiff, .tif, .tiff, .h5, .hdf5, "
                                     ".nxs, .mhd, .nrrd, .nhdr or .vgi", *read, "!", "write", "path=x.zarr")
        self.assertEqual(sorted(os.listdir()), ["file.zarr", "out.bin", "source.h5", "volume.zarr"])


if __name__ == "__main__":
    unittest.main()
