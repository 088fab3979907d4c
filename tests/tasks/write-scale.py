# SPDX-License-Identifier: LGPL-3.0-or-later
"""What files say of their values and voxels: held to numpy, and to the readers of other programs where they are installed.
Costs 10 s."""
import importlib.util
import json
import os
import re
import unittest

import h5py
import numpy as np
import tifffile
from filestest import PROVENANCE, NodeError, WriteTest

# Every format that keeps a scale, and voxel sizes.
PATHS = ("stack.tif", "stack.ome.tif", "volume.h5", "packed.h5 compression=deflate", "volume.nxs", "volume.mhd", "volume.nrrd",
         "volume.nhdr", "volume.vgi", "volume.zarr")
LOW, HIGH = -0.25, 3.5


def peer(name):
    """A reader of another program; the test is skipped where it is missing."""
    if importlib.util.find_spec(name) is None:
        raise unittest.SkipTest(f"there is no {name}")
    return __import__(name)


class Scale(WriteTest):
    def written(self, path, dtype="u16", pixel=0.65, rows=(), unit="mm", shape=(7, 5, 9)):
        """The values, the greys that numpy makes of them, and the step between two greys."""
        data, read = self.source(shape, pixel=pixel)
        top = {"u8": 255, "u16": 65535}[dtype]
        line = self.write([*read, *rows], *path.split(), f"type={dtype}", f"range={LOW}:{HIGH}", *([f"unit={unit}"] if pixel else []))
        step = (HIGH - LOW) / top
        grey = np.rint((np.clip(data.astype(np.float64), LOW, HIGH) - LOW) / step)
        return data, grey, step, line

    def read_back(self, path, *words):
        return self.read("path=" + path.split()[0], "axes=slices", *words)

    def test_values_come_back(self):
        """Within half a step, and exactly slope * grey + offset in float32; greys and their scale are kept on request."""
        for path in PATHS:
            for dtype in "u16", "u8":
                data, grey, step, line = self.written(path, dtype)
                self.assertEqual(line["warnings"], [])
                info, values = self.read_back(path)
                with self.subTest(path):
                    np.testing.assert_array_equal(values, (step * grey + LOW).astype(np.float32))
                    inside = (data > LOW) & (data < HIGH)
                    self.assertLessEqual(np.abs(values - data)[inside].max(), 0.5001 * step + 1e-6)
                    self.assertAlmostEqual(info["pixel_size"], 0.65, 6)
                    info, greys = self.read_back(path, "scale=keep")
                    self.assertEqual(info["element"], dtype)
                    np.testing.assert_array_equal(greys, grey)

    def test_greys_pass_from_format_to_format(self):
        for first, then in zip(PATHS, PATHS[1:] + PATHS[:1]):
            _, grey, step, _ = self.written(first)
            name = "again-" + then.split()[0]
            self.chain("read", "path=" + first.split()[0], "axes=slices", "scale=keep", "!", "write", "path=" + name, "overwrite=true")
            _, values = self.read_back(name)
            with self.subTest(f"{first} to {then}"):
                np.testing.assert_allclose(values, step * grey + LOW, rtol=1e-6, atol=1e-7)

    def test_sizes_come_back(self):
        """In mm, whatever the unit was; rows that were left out make distances larger."""
        units = ("mm", 1), ("um", 1e-3), ("cm", 10)
        for number, path in enumerate(PATHS):
            for unit, mm in units[number % 3:][:1]:
                self.written(path, unit=unit, rows=["rows=::2"])
                info, _ = self.read_back(path, "scale=keep")
                with self.subTest(f"{path} {unit}"):
                    self.assertAlmostEqual(info["pixel_size"] / (0.65 * mm), 1, 6)  # TIFF's ratios are read as 32-bit floats
                    self.chain("read", "path=" + path.split()[0], "axes=slices", "!", "write", "path=sizes.mhd", "overwrite=true")
                    sizes = [float(w) for w in re.search("ElementSpacing = (.*)", self.text("sizes.mhd"))[1].split()]
                    np.testing.assert_allclose(sizes, np.array([0.65, 0.65, 1.3]) * mm, rtol=1e-6)

    def test_nothing_is_made_up(self):
        """Without a pixel size there is no size, without integers no scale."""
        for path in PATHS:
            data, read = self.source()
            self.write(read, *path.split())
            info, values = self.read_back(path)
            with self.subTest(path):
                self.assertNotIn("pixel_size", info)
                np.testing.assert_array_equal(values, data)

    def test_rescale_states_it(self):
        """As 'write range=' does, but in the stream; a filter that changes values forgets it."""
        data, read = self.source(pixel=0.65)
        rescaled = [*read, "!", "rescale", "type=u16", f"min={LOW}", f"max={HIGH}"]
        self.chain(*rescaled, "!", "write", "path=stream.h5", "unit=mm")
        self.chain(*read, "!", "write", "path=file.h5", "type=u16", f"range={LOW}:{HIGH}", "unit=mm")
        with h5py.File("stream.h5") as stream, h5py.File("file.h5") as file:
            np.testing.assert_array_equal(stream["exchange/data"][:], file["exchange/data"][:])
            for name in "scale_factor", "add_offset":
                self.assertAlmostEqual(stream["exchange/data"].attrs[name], file["exchange/data"].attrs[name], 12)
        self.chain(*rescaled, "!", "calculate", "expression=x*x", "!", "write", "path=other.h5", "unit=mm")
        with h5py.File("other.h5") as file:
            self.assertNotIn("scale_factor", file["exchange/data"].attrs)

    def text(self, path):
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def test_tiff(self):
        """As ImageJ and tifffile read it; also one file per slice, and BigTIFF's ratios lie in the tags."""
        data, grey, step, _ = self.written("stack.tif", unit="um", rows=["rows=::2"])
        with tifffile.TiffFile("stack.tif") as tiff:
            self.assertTrue(tiff.is_imagej)
            words = tiff.imagej_metadata
            self.assertEqual((words["images"], words["slices"], words["unit"], words["cf"]), (4, 4, "cm", 0))
            np.testing.assert_allclose((words["spacing"], words["c0"], words["c1"]), (1.3e-4, LOW, step), rtol=1e-12)
            np.testing.assert_array_equal(tiff.asarray(), grey[::2])
            for page in tiff.pages:
                self.assertEqual(page.tags["ResolutionUnit"].value, 3)  # cm
                for name in "XResolution", "YResolution":
                    above, below = page.tags[name].value
                    self.assertAlmostEqual(above / below / (1 / 0.65e-4), 1, 9)
        self.written("one-%i.tif")
        with tifffile.TiffFile("one-3.tif") as tiff:
            above, below = tiff.pages[0].tags["XResolution"].value
            self.assertEqual(len(tiff.pages), 1)
            self.assertAlmostEqual(above / below, 10 / 0.65, 8)

    def test_hdf5(self):
        _, grey, step, _ = self.written("volume.nxs", rows=["rows=::2"], unit="um")
        with h5py.File("volume.nxs") as file:
            words = dict(file["exchange/data"].attrs)
            self.assertEqual((words["scale_factor"], words["add_offset"], words["scaling"], words["offset"]), (step, LOW, step, LOW))
            np.testing.assert_allclose(words["element_size_um"], (1.3, 0.65, 0.65), rtol=1e-12)
            np.testing.assert_array_equal(file["entry/data/data"][:], grey[::2])

    def test_nrrd(self):
        """Every byte of the head; pynrrd reads the same where it is installed."""
        for path in "volume.nrrd", "volume.nhdr":
            _, grey, step, _ = self.written(path, rows=["rows=1::2"])
            with open(path, "rb") as file:
                whole = file.read()
            head, _, rest = whole.partition(b"\n\n")
            lines = head.decode().split("\n")
            fields = dict(re.split(":=|: ", line, maxsplit=1) for line in lines[1:] if not line.startswith("#"))
            self.assertEqual((lines[0], fields["type"], fields["sizes"], fields["encoding"], fields["endian"]),
                             ("NRRD0004", "uint16", "9 5 3", "raw", "little"))
            self.assertEqual((fields["space directions"], fields["space origin"], fields["space units"]),
                             ("(0.65,0,0) (0,0.65,0) (0,0,1.3)", "(0,0,0.65)", '"mm" "mm" "mm"'))
            self.assertEqual(json.loads(fields["sinograph"].replace("\\n", "\n").replace("\\\\", "\\")), json.loads(PROVENANCE))
            self.assertAlmostEqual(float(fields["old min"]), LOW - step / 2, 12)
            self.assertAlmostEqual(float(fields["old max"]), HIGH + step / 2, 12)
            self.assertEqual((float(fields["scale_factor"]), float(fields["add_offset"])), (step, LOW))
            pixels = rest if path.endswith(".nrrd") else open("volume.raw", "rb").read()
            self.assertEqual((len(head) + 2) % 16, 0)
            np.testing.assert_array_equal(np.frombuffer(pixels, "<u2").reshape(3, 5, 9), grey[1::2])

    def test_nrrd_by_pynrrd(self):
        nrrd = peer("nrrd")
        for path in "volume.nrrd", "volume.nhdr":
            for axes, pixel in ("slices", 0.65), ("projections", 0.65), ("slices", None):
                data, read = self.source(axes=axes, pixel=pixel)
                self.write(read, path, *(["unit=mm"] if pixel else []))
                pixels, head = nrrd.read(path, index_order="C")
                np.testing.assert_array_equal(pixels, data)
                if pixel and axes == "slices":
                    np.testing.assert_allclose(head["space directions"], 0.65 * np.eye(3))

    def test_by_simpleitk(self):
        """ITK gives sizes and places of MetaImage and NRRD in mm."""
        sitk = peer("SimpleITK")
        for path in "volume.mhd", "volume.nrrd", "volume.nhdr":
            _, grey, _, _ = self.written(path, rows=["rows=1::2"], unit="cm")
            image = sitk.ReadImage(path)
            np.testing.assert_array_equal(sitk.GetArrayFromImage(image), grey[1::2])
            np.testing.assert_allclose(image.GetSpacing(), (6.5, 6.5, 13), rtol=1e-9)
            np.testing.assert_allclose(image.GetOrigin(), (0, 0, 6.5), rtol=1e-9)

    def test_vgi(self):
        for dtype, name in ("u8", "unsigned integer"), ("u16", "unsigned integer"):
            _, grey, step, _ = self.written("volume.vgi", dtype, rows=["rows=::2"])
            words = self.text("volume.vgi")
            self.assertTrue(words.endswith("\n"))
            sections = re.split(r"^(?=[\[{])", words, flags=re.M)
            file = dict(line.split(" = ") for line in next(s for s in sections if s.startswith("[file1]")).splitlines()[1:])
            self.assertEqual((file["Size"], file["Name"], file["Datatype"], file["BitsPerElement"], file["FileFormat"]),
                             ("9 5 4", "volume.vol", name, str(8 * np.dtype(dtype.replace("u16", "u2").replace("u8", "u1")).itemsize), "raw"))
            self.assertIn("[geometry]\nresolution = 0.65 0.65 1.3\nunit = mm\n", words)
            np.testing.assert_array_equal(np.fromfile("volume.vol", {"u8": "u1", "u16": "<u2"}[dtype]).reshape(4, 5, 9), grey[::2])
        data, read = self.source(pixel=0.65)
        self.write(read, "volume.vgi", "unit=mm")
        self.assertIn("Datatype = float\n", self.text("volume.vgi"))
        np.testing.assert_array_equal(np.fromfile("volume.vol", "<f4").reshape(data.shape), data)
        self.assertEqual(self.read("path=volume.vol", "axes=slices")[0]["pixel_size"], 0.65)

    def test_zarr(self):
        _, _, step, _ = self.written("volume.zarr", rows=["rows=::2"], unit="um")
        with open("volume.zarr/0/.zattrs", encoding="utf-8") as file:
            self.assertEqual(json.load(file), {"scale_factor": step, "add_offset": LOW})

    def test_png(self):
        """Pixels per metre, as the PNG specification has them: the chunk pHYs."""
        for pixel, unit, want in (0.05, "mm", 20000), (50, "um", 20000), (None, "mm", None):
            _, read = self.source(pixel=pixel)
            self.chain(*read, "!", "preview", "path=slice.png", "unit=" + unit, "overwrite=true")
            with open("slice.png", "rb") as file:
                png = file.read()
            place = png.find(b"pHYs")
            self.assertEqual(place >= 0, want is not None)
            if want:
                self.assertEqual((int.from_bytes(png[place + 4:place + 8], "big"), int.from_bytes(png[place + 8:place + 12], "big"), png[place + 12]),
                                 (want, want, 1))

    def test_other_readers_files(self):
        """Heads as other programs write them."""
        data = self.random((3, 4, 5), np.uint16)
        data.tofile("x.raw")
        for name, head in {
                "a.nhdr": "NRRD0005\n# Complete NRRD file format specification at:\ntype: unsigned short\ndimension: 3\nspace: left-posterior-superior\n"
                          "sizes: 5 4 3\nspace directions: (0.1,0,0) (0,0.1,0) (0,0,0.3)\nspace units: \"mm\" \"mm\" \"mm\"\nkinds: domain domain domain\nendian: little\nencoding: raw\ndata file: x.raw\n",
                "b.nhdr": "NRRD0001\r\ntype: uint16\r\ndimension: 3\r\nsizes: 5 4 3\r\nspacings: 0.1 0.1 0.3\r\nunits: \"mm\" \"mm\" \"mm\"\r\nendian: little\r\nencoding: raw\r\nbyte skip: -1\r\ndatafile: x.raw\r\n",
                "c.vgi": "{volume1}\n[representation]\nsize = 5 4 3\nmirror = 0 0 0 0\ndatatype = unsigned integer\ndatarange = 0 65535\nbitsperelement = 16\n[file1]\nRegionOfInterestStart = 0 0 0\n"
                         "FileFormat = raw\nSize = 5 4 3\nName = C:\\data\\x.raw\nDatatype = unsigned integer\ndatarange = 0 -1\nBitsPerElement = 16\n{volumeprimitive1}\n[geometry]\nstatus = visible\n"
                         "resolution = 0.1 0.1 0.3\nunit = mm\n[volume]\nvolume = volume1\n"}.items():
            with open(name, "w", newline="") as file:
                file.write(head)
            info, values = self.read_back(name)
            np.testing.assert_array_equal(values, data)
            self.assertEqual(info["pixel_size"], 0.1)

    def fails(self, name, content, message):
        with open(name, "wb") as file:
            file.write(content)
        with self.assertRaises(NodeError) as caught:
            self.chain("read", "path=" + name, "axes=slices")
        self.assertEqual(caught.exception.code, "bad-file")
        self.assertIn(message, caught.exception.message)

    def test_damaged(self):
        np.zeros(60, np.uint16).tofile("x.raw")
        good = "NRRD0004\ntype: uint16\ndimension: 3\nsizes: 5 4 3\nendian: little\nencoding: raw\n"
        for wrong, message in ((good.replace("raw", "gzip"), "has the encoding 'gzip'"), (good.replace("5 4 3", "5 4 x"), "has the sizes 5 4 x"),
                               (good.replace("uint16", "block"), "values of type 'block'"), (good.replace("5 4 3", "3 5 4 3"), "two or three sizes"),
                               (good + "line skip: 2\n", "line skip: 2"), (good + "byte skip: -5\n", "byte skip: -5"),
                               (good + "data file: LIST\n", "lists a file for each image")):
            self.fails("x.nrrd", wrong.encode() + b"\n" + bytes(120), message)
        self.fails("x.nrrd", good.encode() + b"\n" + bytes(119), "'x.nrrd' is truncated")
        self.fails("x.nrrd", good.encode(), "'x.nrrd' is damaged: no empty line ends its header")
        self.fails("x.nhdr", good.encode() + b"data file: none.raw\n", "none.raw': No such file or directory")
        vgi = "{volume1}\n[file1]\nFileFormat = raw\nSize = 5 4 3\nName = x.raw\nDatatype = unsigned integer\nBitsPerElement = 16\n"
        for wrong, message in ((vgi.replace("5 4 3", "5 4"), "has Size = 5 4"), (vgi.replace("16", "12"), "'unsigned integer' with 12 bits"),
                               (vgi.replace("= raw", "= jpeg"), "'jpeg'"), (vgi + "SkipHeader = x\n", "SkipHeader = x"),
                               (vgi.replace("5 4 3", "5 4 4"), "x.raw' is truncated"), (vgi.replace("x.raw", "y.raw"), "y.raw': No such file")):
            self.fails("x.vgi", wrong.encode(), message)
        _, grey, _, _ = self.written("volume.h5")
        with h5py.File("volume.h5", "a") as file:
            file["exchange/data"].attrs["scale_factor"] = np.nan
        with self.assertRaises(NodeError) as caught:
            self.read_back("volume.h5")
        self.assertIn("gives the scale nan and the offset -0.25 for its grey values: set scale=keep to ignore them", caught.exception.message)
        np.testing.assert_array_equal(self.read_back("volume.h5", "scale=keep")[1], grey)

    def test_numbers_that_are_none(self):
        """A scale in a text that is no number is refused, not taken as 1; a size, too."""
        for name, good, bad, said in (("volume.mhd", "FunctionSlope = ", "FunctionSlope = x", "the scale nan and the offset -0.25"),
                                      ("volume.mhd", "FunctionOffset = ", "FunctionOffset = x", "and the offset nan"),
                                      ("volume.mhd", "Spacing = 0.65 ", "Spacing = 0,65 ", "'volume.mhd' has ElementSpacing = 0,65 0.65 0.65: it must be numbers"),
                                      ("volume.nhdr", "add_offset:=", "add_offset:=x", "and the offset nan"),
                                      ("volume.vgi", "value = ", "value = x", "the scale nan and the offset -0.25"),
                                      ("volume.vgi", "grey - ", "grey - x", "and the offset nan")):
            _, grey, _, _ = self.written(name)
            words = self.text(name)
            self.assertIn(good, words)
            with self.subTest(bad):
                self.fails(name, words.replace(good, bad).encode(), said)
                if "scale" in said or "offset" in said:
                    np.testing.assert_array_equal(self.read_back(name, "scale=keep")[1], grey)

    def test_signs(self):
        """An offset below zero is subtracted; files of earlier versions add it."""
        _, grey, step, _ = self.written("volume.vgi")
        words = self.text("volume.vgi")
        self.assertIn(" * grey - 0.25\n", words.replace(" 1/mm", ""))
        with open("volume.vgi", "w") as file:
            file.write(words.replace("grey - 0.25", "grey + -0.25"))
        np.testing.assert_array_equal(self.read_back("volume.vgi")[1], (step * grey + LOW).astype(np.float32))


if __name__ == "__main__":
    unittest.main()
