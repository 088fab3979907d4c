# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of TIFF against tifffile and numpy indexing."""
import os
import struct
import unittest

import numpy as np
import tifffile
from filestest import FilesTest

ANGLES = "angles=0:180"


class Tiff(FilesTest):
    def sequence(self, data, **how):
        """Files whose natural order is not the alphabet's."""
        os.makedirs("tiffs", exist_ok=True)
        for i, page in enumerate(data):
            tifffile.imwrite(f"tiffs/raw_{i}.tif", page, **how)

    def test_natural_order(self):
        data = self.random((12, 5, 7), np.uint16)
        self.sequence(data)
        for path in "tiffs", "tiffs/", "tiffs/raw_*.tif":
            _, array = self.read("path=" + path, ANGLES)
            np.testing.assert_array_equal(array, data)
        _, array = self.read("path=tiffs/raw_?.tif", ANGLES)
        np.testing.assert_array_equal(array, data[:10])

    def with_gaps(self, numbers, **how):
        """Pages 10, 12, 14, ... of a sequence, of which some are missing. All of them, and those that are there."""
        data = self.random((8, 5, 7), np.uint16)
        for i in numbers:
            tifffile.imwrite(f"p2_{10 + 2 * i:04d}.tif", data[i], **how)
        return data, list(numbers)

    def test_gaps_fail(self):
        self.with_gaps([0, 1, 3, 4, 7])
        shown = "'p2_0014.tif' and 2 more of the sequence are missing, which would shift the %s: set "
        read = ["read", "path=p2_*.tif"]
        angles = shown % "angles of the following projections" + (
            "missing=skip to continue without it, or angles= to a text file with the angles of the existing projections")
        for sweep in ANGLES, "angles=0:180:36":
            self.refused("bad-file", angles, *read, sweep)
            self.refused("bad-file", angles, *read, sweep, "projections=0:2")
        zero = "missing=zero to use zeros instead, or missing=skip to move the following ones up"
        self.refused("bad-file", shown % "following slices" + zero, *read, "axes=slices")
        self.refused("bad-file", shown % "following rows" + zero, *read, "axes=sinograms", ANGLES)
        self.refused("bad-file", "projections=2 contains only missing files, the first is 'p2_0014.tif'", *read,
                     ANGLES, "projections=2", "missing=skip")
        os.unlink("p2_0016.tif")
        os.unlink("p2_0024.tif")
        tifffile.imwrite("p2_0016.tif", self.random((2, 5, 7), np.uint16))
        self.refused("bad-file", "'p2_0014.tif' is missing, and the other files have several pages: missing=zero works only for files of "
                                 "one page", *read, ANGLES, "missing=zero")

    def test_gaps_without_consequence(self):
        """Angles for those that are there, no angles, flats, and names that are no sequence."""
        data, there = self.with_gaps([0, 1, 3, 4, 7])
        np.savetxt("angles.txt", np.arange(5))
        for words in ["angles=angles.txt"], []:
            _, array = self.read("path=p2_*.tif", *words)
            np.testing.assert_array_equal(array, data[there])
        tifffile.imwrite("scan.tif", self.random((4, 5, 7), np.uint16), photometric="minisblack")
        info, _ = self.read("path=scan.tif", ANGLES, "flats=p2_*.tif")
        np.testing.assert_array_equal(self.frames(info, "flats"), data[there])
        for names in (["t_100", "t_107", "t_119"], ["a_1_1", "a_1_2", "a_2_4"], ["x_1", "x_2", "x_30000000"], ["a", "b", "d"],
                      ["t_001", "t_002", "t_007"]):
            for name in os.listdir("."):
                os.unlink(name)
            for i, name in enumerate(names):
                tifffile.imwrite(name + ".tif", data[i])
            info, array = self.read("path=.", ANGLES)
            np.testing.assert_array_equal(array, data[:3])
            self.assertEqual(len(info["warnings"]), names[-1] == "t_007")

    def test_gaps_of_zeros(self):
        for how in {}, {"compression": "zlib"}:
            data, there = self.with_gaps([0, 1, 3, 4, 7], **how)
            complete = np.zeros_like(data)
            complete[there] = data[there]
            info, array = self.read("path=p2_*.tif", ANGLES, "missing=zero", rows=2, angles=3)
            np.testing.assert_array_equal(array, complete)
            np.testing.assert_allclose(info["angles"], np.radians(22.5 * np.arange(8)), rtol=1e-12)
            self.assertEqual(info["warnings"], ["3 of 8 files are missing, the first is 'p2_0014.tif': zeros are used instead"])
            _, array = self.read("path=p2_*.tif", ANGLES, "missing=zero", "projections=1::2", "rows=1:3")
            np.testing.assert_array_equal(array, complete[1::2, 1:3])
            _, array = self.read("path=p2_*.tif", "axes=slices", "missing=zero", "rows=2:5")
            np.testing.assert_array_equal(array, complete[2:5])
            info, array = self.read("path=p2_*.tif", "axes=slices", "missing=skip")
            np.testing.assert_array_equal(array, data[there])
            self.assertEqual(len(info["warnings"]), 1)

    def test_gaps_that_are_skipped(self):
        data, there = self.with_gaps([0, 1, 3, 4, 5, 7])
        np.savetxt("angles.txt", np.arange(8))
        for word, step in ((ANGLES, 22.5), ("angles=0:180:22.5", 22.5), ("angles=angles.txt", 1)):
            info, array = self.read("path=p2_*.tif", word, "missing=skip", angles=2)
            np.testing.assert_array_equal(array, data[there])
            np.testing.assert_allclose(info["angles"], np.radians(step * np.array(there)), rtol=1e-12)
            self.assertEqual(info["warnings"], ["2 of 8 files are missing, the first is 'p2_0014.tif': left out, with their angles"])
        for word in "1::2", "2:", "3:6", "-1":
            begin, *rest = (int(w) if w else None for w in word.split(":"))
            index = np.arange(8)[slice(begin, *rest) if rest else [begin]]
            index = [i for i in index if i in there]
            first, end, _ = slice(begin, *rest).indices(8) if rest else (7, 8, 1)
            for sweep, step, zero in ("angles=0:180:22.5", 22.5, 0), (ANGLES, 180 / (end - first), first):
                info, array = self.read("path=p2_*.tif", sweep, "missing=skip", "projections=" + word)
                np.testing.assert_array_equal(array, data[index])
                np.testing.assert_allclose(info["angles"], np.radians(step * (np.array(index) - zero)), atol=1e-12)

    def test_ranges(self):
        """Random parts of random pages, cut into random blocks, are what numpy's indices give."""
        kinds = [{}, {"rowsperstrip": 3}, {"tile": (16, 16)}, {"bigtiff": True}, {"compression": "zlib", "rowsperstrip": 4},
                 {"compression": "zlib", "predictor": True, "rowsperstrip": 4}, {"byteorder": ">"},
                 {"byteorder": ">", "compression": "zlib"}, {"tile": (16, 32), "compression": "zlib"}]
        for trial in range(54):
            how = kinds[trial % len(kinds)]
            dtype = [np.uint8, np.uint16, np.float32, np.float16][trial // len(kinds) % 4]
            if how.get("predictor") and dtype not in (np.uint8, np.uint16):
                continue  # tifffile alone cannot write it
            shape = self.rng.integers([2, 1, 1], [8, 30, 40], size=3, endpoint=True)
            data = self.random(shape, dtype)
            ranges = []
            for n in shape:
                begin = int(self.rng.integers(0, n))
                ranges.append((begin, int(self.rng.integers(begin + 1, n, endpoint=True)), int(self.rng.integers(1, 4))))
            if trial % 2:
                self.sequence(data, **how)
                path, data = "tiffs", np.stack([tifffile.imread(f"tiffs/raw_{i}.tif") for i in range(len(data))])
            else:
                with tifffile.TiffWriter("stack.tif", bigtiff=how.get("bigtiff", False),
                                         byteorder=how.get("byteorder")) as file:
                    for page in data:
                        file.write(page, contiguous=False,
                                   **{k: v for k, v in how.items() if k not in ("bigtiff", "byteorder")})
                path = "stack.tif"
            words = [f"{name}={b}:{e}:{s}" for name, (b, e, s) in zip(("projections", "rows", "columns"), ranges)]
            with self.subTest(trial=trial, how=how, shape=shape, words=words):
                rows, angles, threads = (int(self.rng.integers(1, 5)) for _ in range(3))
                info, array = self.read("path=" + path, ANGLES, *words, rows=rows, angles=angles, threads=threads)
                np.testing.assert_array_equal(array, data[tuple(slice(*r) for r in ranges)])
                self.assertEqual(info["places"], [[r[0], r[2]] for r in ranges])
            for name in os.listdir("tiffs") if os.path.exists("tiffs") else []:
                os.unlink("tiffs/" + name)

    def test_axes(self):
        data = self.random((4, 6, 7), np.float32)
        self.sequence(data)
        info, array = self.read("path=tiffs", "axes=slices", "rows=1:4:2", "columns=2:6", rows=1)
        np.testing.assert_array_equal(array, data[1:4:2, :, 2:6])
        self.assertEqual(info["format"], "f32 slices (z 2, y 6, x 4)")
        info, array = self.read("path=tiffs", "axes=sinograms", ANGLES, "rows=1:", "projections=::2", rows=2)
        np.testing.assert_array_equal(array, data[1:, ::2])
        self.assertEqual(info["format"], "f32 sinograms (row 3, angle 3, column 7)")

    def test_strips_outside_the_range_are_not_read(self):
        data = self.random((3, 20, 30), np.uint16)
        self.sequence(data)  # one plain strip per page: any rows of it
        info, _ = self.read("path=tiffs", ANGLES, "rows=4:9")
        self.assertEqual(info["counters"]["bytes-read"], 3 * 5 * 30 * 2)
        self.assertEqual(info["bytes_read"], 3 * 5 * 30 * 2)
        self.sequence(data, compression="zlib", rowsperstrip=4)
        info, _ = self.read("path=tiffs", ANGLES, "rows=5:9", rows=1)
        self.assertEqual(info["counters"]["chunks"], 3 * 4)  # each row is an item of its own here
        info, _ = self.read("path=tiffs", ANGLES, "rows=5:9")
        self.assertEqual(info["counters"]["chunks"], 3 * 2)
        self.assertEqual(info["bytes_read"], 3 * 2 * 4 * 30 * 2)
        stored = 0
        for i in range(3):
            with tifffile.TiffFile(f"tiffs/raw_{i}.tif") as file:
                stored += sum(file.pages[0].databytecounts[1:3])
        self.assertEqual(info["counters"]["bytes-read"], stored)
        self.sequence(data, tile=(16, 16))
        info, _ = self.read("path=tiffs", ANGLES, "rows=:16", "columns=20:22")
        self.assertEqual(info["counters"]["chunks"], 3)

    def test_companions(self):
        data, flats, dark = (self.random((n, 4, 5), t) for n, t in ((3, np.uint16), (2, np.float32), (1, np.uint8)))
        self.sequence(data)
        tifffile.imwrite("flats.tif", flats)
        tifffile.imwrite("dark.tiff", dark[0])
        info, _ = self.read("path=tiffs", ANGLES, "flats=flats.tif", "darks=dark.tiff", "rows=1:4:2")
        np.testing.assert_array_equal(self.frames(info, "flats"), flats[:, 1:4:2])
        np.testing.assert_array_equal(self.frames(info, "darks"), dark[:, 1:4:2])

    def test_refuses(self):
        data = self.random((2, 30, 40), np.uint16)
        self.sequence(data)
        self.refused("bad-property", "dataset=/data is for HDF5, MATLAB 5 and Zarr files, but 'tiffs/raw_0.tif' is TIFF: leave it out", "read",
                     "path=tiffs", "dataset=/data")
        self.refused("bad-file", "no file matches 'tiffs/a*.tif'", "read", "path=tiffs/a*.tif")
        os.mkdir("none")
        self.refused("bad-file", "'none' has no .tif, .tiff, .edf, .fits, .fit, .fts, .his, .mrc, .mrcs, .st, .ali, .preali, "
                     ".rec, .npy, .hnc, .hnd, .xim, .png, .raw, .bin, .jpg or .jpeg files: give a pattern like none/*.img for other names",
                     "read", "path=none")
        self.refused("bad-file", "cannot open 'absent.tif': No such file or directory", "read", "path=absent.tif")
        with open("text.tif", "w") as file:
            file.write("hello, this is text\n")
        self.refused("bad-file", "cannot open 'text.tif' as TIFF, it may be truncated: Not a TIFF or MDI file, bad magic "
                     "number 25960 (0x6568)", "read", "path=text.tif")
        tifffile.imwrite("tiffs/raw_2.tif", data[0, :20])
        self.refused("bad-file", "page 1 of 'tiffs/raw_2.tif' is 20 x 40 u16, but 'tiffs/raw_0.tif' begins with 30 x 40 u16: all images of "
                                 "a scan must have the same size and type", "read", "path=tiffs", ANGLES)
        size = os.path.getsize("tiffs/raw_1.tif")
        os.truncate("tiffs/raw_1.tif", size - 10)
        self.refused("bad-file", f"page 1 of 'tiffs/raw_1.tif' is truncated: its pixels end at byte {size}, the file has "
                     f"{size - 10}", "read", "path=tiffs", ANGLES)
        tifffile.imwrite("c.tif", np.zeros((4, 4, 3), np.uint8))
        self.refused("bad-file", "page 1 of 'c.tif' has 3 values per pixel: only grey images work", "read", "path=c.tif", ANGLES)
        tifffile.imwrite("z.tif", np.zeros((4, 4), np.complex64))
        self.refused("bad-file", "page 1 of 'z.tif' contains ?64 values: convert them to u8, u16, f16 or f32", "read",
                     "path=z.tif", ANGLES)
        tifffile.imwrite("palette.tif", np.zeros((4, 4), np.uint8), photometric="palette",
                         colormap=np.zeros((3, 256), np.uint16))
        self.refused("bad-file", "page 1 of 'palette.tif' contains indices into a colour palette: convert it to grey values", "read", "path=palette.tif", ANGLES)

    def test_values_are_not_turned_round(self):
        """Where white is zero, as some detectors say, values are those of the file."""
        data = self.random((2, 8, 9), np.uint16)
        self.sequence(data, photometric="miniswhite")
        _, array = self.read("path=tiffs", ANGLES)
        np.testing.assert_array_equal(array, data)

    def test_memory_is_that_of_the_largest_tile(self):
        with tifffile.TiffWriter("stack.tif") as file:
            for tile in 16, 512, 32:
                file.write(self.random((40, 60), np.uint16), tile=(tile, tile), compression="zlib", contiguous=False)
        info, _ = self.read("path=stack.tif", ANGLES)
        self.assertEqual(info["memory"], 3 * 512 * 512 * 2 + 65536)

    def change(self, path, page, tag, value):
        """Writes the value of a tag anew; of tag None, where the next page is."""
        with tifffile.TiffFile(path) as file:
            tags = file.pages[page].tags
            place = tags[tag].offset + 8 if tag else file.pages[page].offset + 2 + 12 * len(tags)
        with open(path, "r+b") as file:
            file.seek(place)
            file.write(struct.pack("<I", value))

    def test_pages_in_a_circle(self):
        for target in 0, 1:
            with tifffile.TiffWriter("stack.tif") as file:
                for page in self.random((2, 8, 8), np.uint16):
                    file.write(page, contiguous=False)
            with tifffile.TiffFile("stack.tif") as file:
                offset = file.pages[target].offset
            self.change("stack.tif", 1, None, offset)
            self.refused("bad-file", "page 3 of 'stack.tif' is truncated or damaged: TIFF directory 1 has IFD looping to "
                         f"directory {target} at offset {offset:#x} ({offset})", "read", "path=stack.tif", ANGLES)

    def test_senseless_sizes(self):
        image = self.random((30, 40), np.uint16)
        for tag, value, message in (
                ("ImageLength", 2**31 - 1, "page 1 of 'a.tif' has 1 x 2147483647 x 40 pixels: at most 4194304 along an axis "
                 "work"),
                ("ImageWidth", 2**32 - 1, "page 1 of 'a.tif' has 1 x 30 x 4294967295 pixels: at most 4194304 along an axis "
                 "work"),
                ("StripOffsets", 0, "page 1 of 'a.tif' does not give the position of its pixels"),
                ("StripOffsets", 2**32 - 1, f"page 1 of 'a.tif' is truncated: its pixels end at byte {2**32 - 1 + 2400}, "
                 "the file has SIZE")):
            tifffile.imwrite("a.tif", image)
            self.change("a.tif", 0, tag, value)
            self.refused("bad-file", message.replace("SIZE", str(os.path.getsize("a.tif"))), "read", "path=a.tif", ANGLES)

    def test_truncated_tags(self):
        """A second page whose tags lie beyond the end."""
        with tifffile.TiffWriter("stack.tif") as file:
            for page in self.random((2, 8, 8), np.uint16):
                file.write(page, contiguous=False)
        with tifffile.TiffFile("stack.tif") as file:
            end = file.pages[1].offset
        os.truncate("stack.tif", end + 1)
        self.refused("bad-file", "page 2 of 'stack.tif' is truncated or damaged: Failed to read directory at offset "
                     f"{end}", "read", "path=stack.tif", ANGLES)

    def test_damaged_strip(self):
        """Seen when the page is decoded: the error names it."""
        self.sequence(self.random((3, 8, 50), np.uint16), compression="zlib")
        with tifffile.TiffFile("tiffs/raw_1.tif") as file:
            offset = file.pages[0].dataoffsets[0]
        with open("tiffs/raw_1.tif", "r+b") as file:
            file.seek(offset)
            file.write(b"\xff" * 60)
        self.refused("bad-file", "page 1 of 'tiffs/raw_1.tif' is truncated or damaged: Decoding error at scanline "
                     "0", "read", "path=tiffs", ANGLES)

    def test_thumbnails_are_left_out(self):
        data = self.random((2, 8, 9), np.uint8)
        with tifffile.TiffWriter("stack.tif") as file:
            for page in data:
                file.write(page, contiguous=False)
                file.write(page[::2, ::2], subfiletype=1, contiguous=False)
        _, array = self.read("path=stack.tif", ANGLES)
        np.testing.assert_array_equal(array, data)


class Measured(FilesTest):
    def test_savu(self):
        folder = os.path.join(os.environ.get("SINO_TEST_DATA", ""), "savu-tiff")
        if not os.path.exists(folder):
            self.skipTest(f"{folder} is absent")
        info, array = self.read(f"path={folder}/tiffs/raw_*.tiff", "angles=-88.2:93.8", f"darks={folder}/dark_*.tiff",
                                f"flats={folder}/flat_00001.tiff", rows=40, angles=20)
        truth = np.stack([tifffile.imread(f"{folder}/tiffs/raw_{i:05}.tiff") for i in range(91)])
        np.testing.assert_array_equal(array, truth)
        np.testing.assert_array_equal(self.frames(info, "flats")[0], tifffile.imread(folder + "/flat_00001.tiff"))
        np.testing.assert_allclose(np.degrees(info["angles"]), -88.2 + 2 * np.arange(91), atol=1e-10)


class Ome(FilesTest):
    def size(self, *words):
        info, _ = self.read("path=scan.tif", ANGLES, *words)
        return info.get("pixel_size"), info["warnings"]

    def test_tifffile(self):
        data = self.random((3, 4, 5), np.uint16)
        for size, unit, truth in ((0.65, "µm", 0.65e-3), (0.65, None, 0.65e-3), (2, "mm", 2), (500, "nm", 5e-4), (1e-6, "m", 1e-3), (3, "Å", 3e-7)):
            metadata = {"axes": "ZYX", "PhysicalSizeX": size, "PhysicalSizeY": 7, **({"PhysicalSizeXUnit": unit} if unit else {})}
            tifffile.imwrite("scan.tif", data, ome=True, metadata=metadata)
            got, said = self.size()
            np.testing.assert_allclose(got, truth, rtol=1e-12)
            self.assertEqual(said, [])
        np.testing.assert_allclose(self.size("columns=::2")[0], 6e-7, rtol=1e-12)
        self.assertEqual(self.size("pixel-size=0.5")[0], 0.5)
        tifffile.imwrite("scan.tif", data, ome=True, metadata={"axes": "ZYX"})
        self.assertEqual(self.size(), (None, []))
        for i, page in enumerate(data):
            tifffile.imwrite(f"p_{i}.ome.tif", page, ome=True, metadata={"axes": "YX", "PhysicalSizeX": i + 1})
        info, _ = self.read("path=p_*.tif", ANGLES)
        self.assertEqual(info["pixel_size"], 1e-3)

    def test_other_descriptions(self):
        unknown = "; its pixel size is ignored: set pixel-size="
        pixels = '<OME><Image><Pixels %s/></Image></OME>'
        for words, truth, what in (('<?xml version="1.0"?><o:OME xmlns:o="x"><o:Image><o:Pixels PhysicalSizeX="2"/></o:Image></o:OME>', 2e-3, None),
                                   ('<OME><Pixels PhysicalSizeX="2"/><Pixels PhysicalSizeX="9"/></OME>', 2e-3, None),
                                   (pixels % 'PhysicalSizeX="2" PhysicalSizeXUnit="pixel"', None, "the unit of PhysicalSizeX is 'pixel'"),
                                   (pixels % 'PhysicalSizeX="wide"', None, "PhysicalSizeX is 'wide'"),
                                   (pixels % 'PhysicalSizeX="-1"', None, "PhysicalSizeX is '-1'"),
                                   (pixels % 'PhysicalSizeX="nan"', None, "PhysicalSizeX is 'nan'"),
                                   ('<Other><Pixels PhysicalSizeX="2"/></Other>', None, None), ("SOME < words", None, None),
                                   ('{"OME": "<"}', None, None)):
            tifffile.imwrite("scan.tif", self.random((4, 5), np.uint16), description=words, metadata=None)
            self.assertEqual(self.size(), (truth, [f"'scan.tif': {what}{unknown}"] if what else []), words)
        tifffile.imwrite("scan.tif", self.random((4, 5), np.uint16), description="<OME><Image <Pixels/></OME>", metadata=None)
        size, (said,) = self.size()
        self.assertIsNone(size)
        self.assertRegex(said, r"^'scan\.tif': its OME-XML is damaged \(.+\)" + unknown + "$")


if __name__ == "__main__":
    unittest.main(verbosity=2)
