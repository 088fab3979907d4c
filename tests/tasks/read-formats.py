# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of EDF, FITS, MRC, NumPy and raw files, written here byte by byte from what defines them."""
import os
import struct
import unittest

import fields
import numpy as np
from filestest import FilesTest

ANGLES = "angles=0:180"
SHAPE = (5, 4, 6)


def edf(path, pages, kind, *how, mode="wb", **more):
    with open(path, mode) as file:
        file.write(fields.edf(pages, kind, *how, **more))


def fits(path, *what, **more):
    with open(path, "wb") as file:
        file.write(fields.fits(*what, **more))


def mrc(path, *what, **more):
    with open(path, "wb") as file:
        file.write(fields.mrc(*what, **more))


class Formats(FilesTest):
    def random(self, shape, dtype):
        if np.dtype(dtype).kind == "f":
            return super().random(shape, dtype)
        info = np.iinfo(dtype)
        return self.rng.integers(info.min, info.max, shape, info.dtype.newbyteorder("="), endpoint=True)

    def same(self, path, truth, *words):
        if truth.dtype not in (np.uint8, np.uint16, np.float16):
            truth = truth.astype(np.float32)
        info, array = self.read("path=" + path, ANGLES, *words, rows=2, angles=3, threads=2)
        self.assertEqual(array.dtype, truth.dtype)
        np.testing.assert_array_equal(array, truth)
        _, array = self.read("path=" + path, ANGLES, "projections=::2", "rows=1:3", "columns=1:6:2", *words)
        np.testing.assert_array_equal(array, truth[::2, 1:3, 1:6:2])
        return info

    def fails(self, path, message, *words):
        self.refused("bad-file", message, "read", "path=" + path, ANGLES, *words)

    def test_edf(self):
        for kind, order in (("u1", "<"), ("i1", "<"), ("u2", ">"), ("i2", "<"), ("u4", "<"), ("i4", ">"), ("u8", "<"), ("i8", ">"),
                            ("f4", ">"), ("f8", "<")):
            data = self.random(SHAPE, np.dtype(kind))
            edf("scan.edf", data, kind, order)
            self.same("scan.edf", data)
        data = self.random(SHAPE, np.uint16)
        edf("scan.edf", data, "u2")
        info = self.same("scan.edf", data)
        self.assertEqual((info["counters"]["bytes-read"], info["bytes_read"]), (data.nbytes,) * 2)
        # Heads of other lengths, so that images are not at equal distances.
        for i, (page, head) in enumerate(zip(data, (512, 1024, 512, 2048, 4096))):
            edf("scan.edf", [page], "u2", head=head, mode="ab" if i else "wb")
        self.same("scan.edf", data)
        edf("scan.edf", [data], "u2", Dim_3=5, Size=None)
        self.same("scan.edf", data)
        with open("scan.edf", "ab") as file:
            file.write(b"\n" * 100)
        self.same("scan.edf", data)
        # A head without an image before the others, as ESRF's have for what holds for all.
        with open("scan.edf", "wb") as file:
            file.write(b"{\nEDF_DataFormatVersion = 2.40 ;\nEDF_DataBlocks = 5 ;\n".ljust(510) + b"}\n")
        edf("scan.edf", data, "u2", mode="ab")
        self.same("scan.edf", data)
        for i, page in enumerate(data):
            edf(f"p_{i}.edf", [page], "u2", "<>"[i % 2])
        self.same("p_*.edf", data)
        edf("dark.edf", data[:2], "u2")
        os.mkdir("folder")
        edf("folder/a.edf", data, "u2")
        info, _ = self.read("path=folder", ANGLES, "darks=dark.edf")
        np.testing.assert_array_equal(self.frames(info, "darks"), data[:2])

    def test_damaged_edf(self):
        data = self.random(SHAPE, np.uint16)
        edf("scan.edf", data, "u2")
        size = os.path.getsize("scan.edf")
        os.truncate("scan.edf", size - 7)
        self.fails("scan.edf", f"'scan.edf' is truncated: its 5 images of 6 x 4 pixels (u16) end at byte {size}, the file has "
                   f"{size - 7}")
        os.truncate("scan.edf", 4 * 1072 + 100)
        self.fails("scan.edf", "'scan.edf' is truncated: one of its headers has no end")
        for more, what in (({"Dim_1": "many"}, "is damaged: dim_1 is 'many'"), ({"Dim_2": -4}, "is damaged: dim_2 is '-4'"),
                           ({"Dim_1": 10**9}, "has 1 x 4 x 1000000000 pixels: at most 4194304 along an axis work"),
                           ({"Dim_2": 4 * 10**6, "Dim_1": 4 * 10**6}, "is damaged: Size is 48, and its pixels have 32000000000000 "
                            "bytes"),
                           ({"Dim_1": 6 * 10**5, "Size": None}, "is truncated: its 1 images of 600000 x 4 pixels (u16) end at byte "
                            "4801024, the file has 5360"),
                           ({"DataType": "Pixels"}, "has the unknown DataType 'pixels'"),
                           ({"ByteOrder": "Middle"}, "is damaged: ByteOrder is 'middle'"),
                           ({"COMPRESSION": "GzipCompression"}, "is compressed ('gzipcompression'): write it again without compression"),
                           ({"Size": 2**60}, "is truncated: one of its headers has no end")):
            edf("scan.edf", data, "u2", **more)
            if "Size" in more and more["Size"]:
                continue  # what follows the first image is nothing then, and that one is there
            self.fails("scan.edf", "'scan.edf' " + what)
        edf("scan.edf", [data[0], data[0, :2]], "u2")
        self.fails("scan.edf", "'scan.edf' has images of several sizes or types: all images of a scan must have the same size and type")
        edf("p_0.edf", data[:1], "u2")
        edf("p_1.edf", data[:1], "i2")
        self.fails("p_*.edf", "'p_1.edf' is 4 x 6 i16, but 'p_0.edf' is 4 x 6 u16: all images of a scan must have the same size and type")
        with open("text.edf", "w") as file:
            file.write("no head, but text }\n")
        self.fails("text.edf", "'text.edf' is damaged: it does not begin with a header in braces")

    def test_fits(self):
        for bits, kind in (8, np.uint8), (16, np.int16), (32, np.int32), (64, np.int64), (-32, np.float32), (-64, np.float64):
            data = self.random(SHAPE, kind)
            fits("scan.fits", data, bits)
            self.same("scan.fits", data)
        stored = self.random(SHAPE, np.int16)
        fits("scan.fits", stored, 16, BZERO="3.2768D4", BSCALE="1.0")
        self.same("scan.fits", (stored + 32768).astype(np.uint16))
        fits("scan.fits", stored, 16, BZERO=-7.5, BSCALE=0.25)
        self.same("scan.fits", stored * 0.25 - 7.5)
        fits("scan.fits", self.random(SHAPE, np.int32), 32, BZERO=2147483648)
        with open("scan.fits", "rb") as file:
            self.same("scan.fits", np.frombuffer(file.read()[-2880:][:480], ">i4").reshape(SHAPE) + 2.**31)
        data = self.random(SHAPE, np.float32)
        for i, page in enumerate(data):
            fits(f"p_{i}.fits", page[None] if i else page, -32)
        self.same("p_*.fits", data)

    def test_damaged_fits(self):
        data = self.random(SHAPE, np.int16)
        for more, what in (({"BITPIX": 12}, "is damaged: BITPIX is 12"), ({"NAXIS": 0}, "has no image in its primary header, which has 0 "
                                                                                        "axes: write the image of the extension to its own "
                                                                                        "file"),
                           ({"NAXIS1": "'six'"}, "is damaged: NAXIS1 is ''six'', which is not a number"),
                           ({"NAXIS1": 0}, "is damaged: its header describes 5 images of 0 x 4 pixels"),
                           ({"NAXIS2": 1.5}, "is damaged: NAXIS2 is 1.5"),
                           ({"NAXIS2": 10**14}, "has 5 x 100000000000000 x 6 pixels: at most 4194304 along an axis work"),
                           ({"NAXIS1": 4 * 10**6, "NAXIS2": 4 * 10**6, "NAXIS3": 4 * 10**6}, "claims to contain 227374 PiB: no file is so large"),
                           ({"BSCALE": "NaN"}, "is damaged: BSCALE is 'NaN', which is not a number"),
                           ({"NAXIS": 4, "NAXIS4": 2}, "has 4 axes: a stack of images has three"),
                           ({"NAXIS3": 500}, "is truncated: its 500 images of 6 x 4 pixels (i16) end at byte 29760, the file has "
                            "8640")):
            fits("scan.fits", data, 16, **more)
            self.fails("scan.fits", "'scan.fits' " + what)
        with open("scan.fits", "wb") as file:
            file.write(b"SIMPLE  =                    T".ljust(80) + b"COMMENT".ljust(80) * 80)
        self.fails("scan.fits", "'scan.fits' is truncated: 2160 bytes are missing at byte 6480")
        with open("scan.fits", "wb") as file:
            file.write(b"SIMPLE  =                    T".ljust(80))
            file.truncate(2880 * 2000)
        self.fails("scan.fits", "'scan.fits' is damaged: its header has no end")

    def test_mrc(self):
        for mode, kind in (0, np.int8), (1, np.int16), (2, np.float32), (6, np.uint16), (12, np.float16):
            for order in "<>":
                data = self.random(SHAPE, kind)
                mrc("scan.mrc", data, mode, order, extended=1000 * (order == ">"))
                self.same("scan.mrc", data)
        mrc("scan.st", data, 2, mark=False)  # as old programs write it, told by the suffix
        self.same("scan.st", data.astype(np.float32))
        data = self.random(SHAPE, np.int8)
        mrc("scan.mrc", data, 0, imod=0)
        self.same("scan.mrc", data.view(np.uint8))
        mrc("scan.mrc", data, 0, imod=1)
        self.same("scan.mrc", data)

    def test_damaged_mrc(self):
        data = self.random(SHAPE, np.float32)
        mrc("scan.mrc", data, 2)
        os.truncate("scan.mrc", 1024 + data.nbytes - 1)
        self.fails("scan.mrc", "'scan.mrc' is truncated: its 5 images of 6 x 4 pixels (f32) end at byte 1504, the file has 1503")
        os.truncate("scan.mrc", 900)
        self.fails("scan.mrc", "'scan.mrc' is truncated: 124 bytes are missing at byte 900")
        for at, value, what in ((12, 4, "contains values of mode 4: only 0 (bytes), 1 (i16), 2 (f32), 6 (u16) and 12 (f16) work"),
                                (92, -4, "is damaged: its extended header has -4 bytes"),
                                (92, 2**31 - 1, "is truncated: its 5 images of 6 x 4 pixels (f32) end at byte 2147485151, the file "
                                 "has 1504"),
                                (0, 2**31 - 1, "is damaged: its header describes -129 x 67108864 x 83886080 pixels of type 33554432"),
                                (8, 0, "is damaged: its header describes 100663296 x 67108864 x 0 pixels of type 33554432"),
                                (8, 2**22, "is truncated: its 4194304 images of 6 x 4 pixels (f32) end at byte 402654208, the file "
                                 "has 1504")):
            mrc("scan.mrc", data, 2)
            with open("scan.mrc", "r+b") as file:
                file.seek(at)
                file.write(struct.pack("<i", value))
            self.fails("scan.mrc", "'scan.mrc' " + what)

    def test_npy(self):
        for kind in "<u1", "<u2", ">u2", "<f2", ">f4", "i1", ">i2", "<u4", ">i4", "<u8", "<i8", ">f8":
            data = self.random(SHAPE, np.dtype(kind)).astype(kind)
            np.save("scan.npy", data)
            self.same("scan.npy", data.astype(data.dtype.newbyteorder("=")))
        for version in (1, 0), (2, 0), (3, 0):
            with open("scan.npy", "wb") as file:
                np.lib.format.write_array(file, data, version=version)
            self.same("scan.npy", data.astype(np.float64))
        data = self.random(SHAPE, np.uint16)
        for i, page in enumerate(data):
            np.save(f"p_{i}.npy", page)
        self.same("p_*.npy", data)

    def test_damaged_npy(self):
        def head(text, magic=b"\x93NUMPY\1\0"):
            with open("scan.npy", "wb") as file:
                file.write(magic + struct.pack("<H", len(text)) + text.encode() + bytes(100))
        good = "{'descr': '<u2', 'fortran_order': False, 'shape': (5, 4, 6), }"
        head(good)
        self.fails("scan.npy", "'scan.npy' is truncated: its 5 images of 6 x 4 pixels (u16) end at byte 312, the file has 172")
        for old, new, what in (("'descr'", "'type'", "is damaged: its header has no 'descr'"),
                               ("'<u2'", "'<c8'", "contains values of the type ''<c8'': convert them with array.astype ('float32')"),
                               ("'<u2'", "[('a', '<u2')]", "contains values of the type '[('a'': convert them with array.astype ('float32')"),
                               ("False", "True", "is in Fortran order, which is not the order of images: save numpy.ascontiguousarray "
                                                 "(array)"),
                               ("(5, 4, 6)", "(5,)", "has 1 axes: a stack of images has three"),
                               ("(5, 4, 6)", "(5, 4, 6, 7)", "has 4 axes: a stack of images has three"),
                               ("(5, 4, 6)", "(5, -4, 6)", "is damaged: its header describes 5 images of 6 x -4 pixels"),
                               ("(5, 4, 6)", "(5, 4, 9000000000000000000)", "has 5 x 4 x 9000000000000000000 pixels: at most 4194304 "
                                "along an axis work"),
                               ("(5, 4, 6)", "(", "has 0 axes: a stack of images has three")):
            head(good.replace(old, new))
            self.fails("scan.npy", "'scan.npy' " + what)
        head(good, b"\x93NUMPY\2\0" + struct.pack("<H", 0))
        with open("scan.npy", "r+b") as file:
            file.seek(8)
            file.write(b"\xff" * 4)
        self.fails("scan.npy", "'scan.npy' is damaged: its header gives its own length as 4294967295 bytes")
        with open("scan.npy", "wb") as file:
            file.write(b"\x93NUMPY\1\0")
        self.fails("scan.npy", "'scan.npy' is truncated: 2 bytes are missing at byte 8")

    def test_raw(self):
        for kind, order in ("u1", "<"), ("u2", ">"), ("f2", "<"), ("f4", ">"), ("i2", ">"), ("i4", "<"), ("f8", ">"):
            data = self.random(SHAPE, np.dtype(kind))
            name = {"u": "u", "i": "i", "f": "f"}[kind[0]] + str(8 * int(kind[1]))
            with open("scan.dat", "wb") as file:
                file.write(b"head" * 5 + data.astype(order + kind).tobytes())
            self.same("scan.dat", data, f"raw={name}:6x4+20:" + ("big" if order == ">" else "little"))
        data.astype("<f4").tofile("scan.raw")
        for word in "f32:6x4", "f32:6x4x5", "f32:6x4x5+0:little":
            self.same("scan.raw", data.astype(np.float32), "raw=" + word)
        self.same("scan.raw", data.astype(np.float32)[:3], "raw=f32:6x4x3")  # whatever follows
        for i, page in enumerate(data):
            page.astype("<f4").tofile(f"p_{i}.raw")
        self.same("p_*.raw", data.astype(np.float32), "raw=f32:6x4")
        # Frames are of the same kind, unless their bytes tell another one.
        np.save("flats.npy", self.random((2, 4, 6), np.float32))
        info, _ = self.read("path=scan.raw", "raw=f32:6x4", "darks=p_1.raw", "flats=flats.npy")
        np.testing.assert_array_equal(self.frames(info, "darks")[0], data[1].astype(np.float32))
        np.testing.assert_array_equal(self.frames(info, "flats"), np.load("flats.npy"))
        # The description goes before what the bytes tell.
        size = os.path.getsize("flats.npy")
        info, array = self.read("path=flats.npy", f"raw=u8:{size}x1")
        self.assertEqual(bytes(array[0, 0, :6]), b"\x93NUMPY")

    def test_refuses_raw(self):
        np.zeros(SHAPE, np.uint16).tofile("scan.raw")
        self.fails("scan.raw", "'scan.raw' does not describe its pixels: set raw= to their type, columns and rows, and the number of bytes "
                               "before them, as in raw=u16:2048x2048+1024")
        wanted = ("give type:columnsxrows, and then, if needed, ximages, +offset and :big, as in u16:2048x2048x720+1024:big")
        types = "the type must be one of u8, u16, f16, f32, i8, i16, u32, i32, u64, i64 and f64"
        for word, what in (("u16", "the type or the size is missing"), ("u17:6x4", types), (":6x4", types),
                           ("u16:6", "the size must have two or three numbers"), ("u16:6x4x5x1", "the size must have two or three numbers"),
                           ("u16:6xfour", "the size must have numbers from 1 to 4194304"), ("u16:0x4", "the size must have numbers from 1 to "
                                                                                                "4194304"),
                           ("u16:6x4+x", "the offset must be a number of bytes"), ("u16:6x4+-1", "the offset must be a number of bytes"),
                           ("u16:6x4:middle", "the byte order must be little or big"), ("u16:6x4:big:1", "the type or the size is missing")):
            self.refused("bad-property", f"raw={word}: {what}: {wanted}", "read", "path=scan.raw", ANGLES, "raw=" + word)
        self.fails("scan.raw", "'scan.raw' has 240 bytes, and raw=u16:7x4 gives images of 56 bytes after the first 0: these are 4.28571 "
                               "images: correct raw=, or add the number of images", "raw=u16:7x4")
        self.fails("scan.raw", "'scan.raw' has 240 bytes, and raw=u16:6x4+9000000000000000000 gives images of 48 bytes after the first "
                               "9000000000000000000: these are 0 images: correct raw=, or add the number of images",
                   "raw=u16:6x4+9000000000000000000")
        self.fails("scan.raw", "'scan.raw' is truncated: its 6 images of 6 x 4 pixels (u16) end at byte 288, the file has 240",
                   "raw=u16:6x4x6")
        self.fails("scan.raw", "'scan.raw' claims to contain 131072 PiB: no file is so large", "raw=u16:4194304x4194304x4194304")


class Known(FilesTest):
    def test_what_is_not_read(self):
        """What a file is, and what to do with it."""
        for name, start, what in (
                ("scan.tif", b"BM", "is a BMP image: convert it to TIFF"),
                ("scan.tif.gz", b"\x1f\x8b\x08", "is a compressed file: unpack it first"),
                ("scan.npz", b"PK\x03\x04", "is a ZIP archive, such as .npz: unpack it first"),
                ("scan.nc", b"CDF\x01", "is a NetCDF file of the classic kind: convert it with nccopy -k nc4, which makes HDF5"),
                ("scan.dcm", bytes(128) + b"DICM", "is a DICOM file: convert it to TIFF")):
            with open(name, "wb") as file:
                file.write(start + bytes(400))
            self.refused("bad-file", f"'{name}' {what}", "read", "path=" + name)

    def test_a_dataset_of_what_has_none(self):
        np.save("scan.h5", np.zeros(SHAPE, np.uint16))
        os.rename("scan.h5.npy", "scan.h5")
        self.refused("bad-property", "dataset=/images is for HDF5, MATLAB 5 and Zarr files, but 'scan.h5' is NumPy, according to its first "
                                     "bytes: leave it out", "read", "path=scan*.h5", "dataset=/images")


class Angles(FilesTest):
    def setUp(self):
        super().setUp()
        np.save("scan.npy", np.zeros((100, 1, 2), np.uint16))

    def angles(self, *words):
        info, _ = self.read("path=scan.npy", *words)
        return np.degrees(info["angles"]), info["warnings"]

    def test_darks_and_flats_take_no_share(self):
        """Ten frames before the turn and ten behind it."""
        got, said = self.angles("angles=90:270", "projections=10:90")
        np.testing.assert_allclose(got, 90 + 2.25 * np.arange(80), rtol=1e-12)
        self.assertEqual(said, ["angles=90:270 is spread over the 80 projections from 10 to 89 that projections= takes, not over all "
                                "100"])
        got, said = self.angles("angles=0:180", "projections=::3")  # those that a step leaves out have their share
        np.testing.assert_allclose(got, 1.8 * np.arange(0, 100, 3), atol=1e-12)
        self.assertEqual(said, [])
        got, _ = self.angles("angles=0:180:inclusive", "projections=10:91")
        np.testing.assert_allclose(got, 2.25 * np.arange(81), atol=1e-12)
        got, _ = self.angles("angles=0:180:inclusive", "projections=7")
        np.testing.assert_allclose(got, [0])

    def test_a_step_tells_which(self):
        for word, truth in ("0:180:1.8", 1.8 * np.arange(10, 90)), ("0:180:2.25", 2.25 * np.arange(80)):
            got, said = self.angles("angles=" + word, "projections=10:90")
            np.testing.assert_allclose(got, truth, atol=1e-12)
            self.assertEqual(said, [])
        self.refused("bad-property", "angles=0:180:3 makes 60 angles for 100 projections, of which projections= selects 80: leave out "
                                     "darks, flats and projections after the turn with projections=begin:end", "read", "path=scan.npy",
                     "angles=0:180:3", "projections=10:90")

    def test_files(self):
        truth = np.linspace(0, 180, 100)
        for name, numbers, words in (("all", truth, ["projections=10:90:2"]), ("range", truth[10:90], ["projections=10:90:2"]),
                                     ("some", truth[10:90:2], ["projections=10:90:2"])):
            np.savetxt(name, numbers, header="a log of the stage, in degrees")
            got, said = self.angles("angles=" + name, *words)
            np.testing.assert_allclose(got, truth[10:90:2], atol=1e-12)
            self.assertEqual(said, [])
        np.savetxt("short", truth[:70])
        self.refused("bad-file", "'short' has 70 angles for 100 projections, of which 80 are read: it needs one for each", "read",
                     "path=scan.npy", "angles=short", "projections=10:90")
        for comment in "radians", "angle [rad]":
            np.savetxt("turned", np.radians(truth), header=comment)
            np.testing.assert_allclose(self.angles("angles=turned")[0], truth, atol=1e-12)
        np.savetxt("turned", np.radians(truth), header="degrees")
        np.testing.assert_allclose(self.angles("angles=turned")[0], np.radians(truth), atol=1e-12)
        np.savetxt("turned", np.radians(truth))
        self.refused("bad-file", "the angles in 'turned' span 3.14159, which may be radians: begin the file with the line '# radians', "
                     "or with '# degrees'", "read", "path=scan.npy", "angles=turned")


if __name__ == "__main__":
    unittest.main()
