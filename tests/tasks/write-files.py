# SPDX-License-Identifier: LGPL-3.0-or-later
"""HDF5 whose images `write files=` spreads over several files, against numpy and h5py. Costs 4 s."""
import os
import shutil
import tempfile
import unittest

import h5py
import numpy as np
from filestest import PROVENANCE, NodeError, WriteTest


class Spread(WriteTest):
    def check(self, path, data, n):
        """The whole, and its parts alone."""
        stem, suffix = os.path.splitext(path)
        with h5py.File(path) as file:
            stored = file["exchange/data"]
            self.assertEqual((stored.is_virtual, stored.dtype, stored.shape), (n > 1, data.dtype, data.shape))
            np.testing.assert_array_equal(stored[:], data)
            np.testing.assert_array_equal(stored[1:-1, 1:3, 2:], data[1:-1, 1:3, 2:])
            attributes = dict(stored.attrs)
        for i in range(n if n > 1 else 0):
            with h5py.File(f"{stem}-part{i}{suffix}") as file:
                np.testing.assert_array_equal(file["exchange/data"][:], data[i::n])
                self.assertEqual([file["exchange/data"].attrs[name] for name in ("part_of", "first_image", "image_step")],
                                 [os.path.basename(path), i, n])
        names = {f"{os.path.basename(stem)}-part{i}{suffix}" for i in range(n if n > 1 else 0)}
        there = {name for name in os.listdir(os.path.dirname(path) or ".") if "-part" in name}
        self.assertEqual(there, names)
        return attributes

    def test_kinds_and_types(self):
        for axes, dtype, n in (("slices", np.float32, 3), ("projections", np.uint16, 7), ("sinograms", np.float16, 2),
                               ("slices", np.uint8, 5)):
            data, read = self.source(dtype=dtype, axes=axes)
            self.write(read, "one.h5", rows=2, angles=3)
            self.write(read, "out.h5", f"files={n}", rows=2, angles=3, threads=2)
            self.assertEqual(self.leftovers(), [])
            one, spread = self.check_one("one.h5"), self.check("out.h5", data, n)
            self.assertEqual(spread, one)
            self.assertEqual(spread["provenance"], PROVENANCE)
            np.testing.assert_array_equal(self.read("path=out.h5", "axes=" + axes, *read[3:])[1], data)
            for i in range(n):
                os.unlink(f"out-part{i}.h5")

    def check_one(self, path):
        with h5py.File(path) as file:
            return dict(file["exchange/data"].attrs)

    def test_scan(self):
        """Darks, flats and angles are in the file itself."""
        data, read = self.source(dtype=np.uint16, axes="projections", pixel=0.5)
        with h5py.File("source.h5", "a") as file:
            file["exchange/data_white"], file["exchange/data_dark"] = data[:3], data[3:5]
            file["exchange/theta"] = np.linspace(0, 90, 7)
        self.write(read[:3], "out.h5", "files=2", rows=2)
        info, array = self.read("path=out.h5", "rows=1:4")
        np.testing.assert_array_equal(array, data[:, 1:4])
        np.testing.assert_array_equal(self.frames(info, "flats"), data[:3, 1:4])
        np.testing.assert_array_equal(self.frames(info, "darks"), data[3:5, 1:4])
        with h5py.File("out.h5") as file:
            np.testing.assert_allclose(file["exchange/theta"], np.linspace(0, 90, 7))
            self.assertEqual(file["exchange/data"].attrs["pixel_size"], 0.5)

    def test_nexus(self):
        data, read = self.source()
        self.write(read, "out.nxs", "files=2")
        self.check("out.nxs", data, 2)
        with h5py.File("out.nxs") as file:
            np.testing.assert_array_equal(file["entry/data/data"][:], data)

    def test_same_bytes(self):
        """For any requests, blocks and memory, in memory and on the disk, of pages larger than a request."""
        data, read = self.source((5, 1100, 1200))
        right = {}
        for number, rows in (1, 1), (7, 3), (0, 5):
            for place in (None, "/dev/shm") if os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > 60e6 else (None,):
                with tempfile.TemporaryDirectory(dir=place) as folder:
                    self.write(read, folder + "/out.h5", "files=3", f"requests={number}", rows=rows, threads=2)
                    for name in os.listdir(folder):
                        with open(f"{folder}/{name}", "rb") as file:
                            content = file.read()
                        self.assertTrue(right.setdefault(name, content) == content, name)
                    self.check(folder + "/out.h5", data, 3)
        self.assertEqual(len(right), 4)

    def test_names(self):
        """That mean something else to HDF5 or to patterns; no path is in the file, so that a folder can be moved."""
        for name in "a %% b.h5", "x%%05b y.h5", "two.dots.h5":
            data, read = self.source()
            os.makedirs("here/deep", exist_ok=True)
            self.write(read, "here/deep/" + name, "files=2")
            os.rename("here/deep", "there")
            self.check("there/" + name.replace("%%", "%"), data, 2)
            np.testing.assert_array_equal(self.read("path=there/" + name.replace("%%", "%"), *read[2:])[1], data)
            shutil.rmtree("there")

    def test_replaces_older_files(self):
        """With any other number of them, and only those that belong to the file."""
        files = 6, 2, 1, 3, 1
        for i, n in enumerate(files):
            data, read = self.source((8, 5, 9))
            words = ["compression=deflate"] if i == 4 else []
            if i == 1:  # somebody else's, and one that belongs to another file
                with open("out-part4.h5", "w", encoding="ascii") as file:
                    file.write("mine")
            self.write(read, "out.h5", f"files={n}", *words)
            if i == 1:
                with open("out-part4.h5", encoding="ascii") as file:
                    self.assertEqual(file.read(), "mine")
                os.unlink("out-part4.h5")
            with self.subTest(n=n):
                self.check("out.h5", data, n)
            self.assertEqual(self.leftovers(), [])

    def test_does_not_overwrite_unless_asked(self):
        _, read = self.source()
        with open("out-part1.h5", "w", encoding="ascii") as file:
            file.write("mine")
        for words in [], ["overwrite=true"]:
            self.refused("exists", "'out-part1.h5' exists, but belongs to no 'out.h5', and may have images of another file: "
                         "remove or rename it, or give path= another name",
                         *read, "!", "write", "path=out.h5", "files=2", *words)
        self.assertEqual(sorted(os.listdir()), ["out-part1.h5", "source.h5"])
        with open("out.h5", "w", encoding="ascii") as file:  # nobody knows what it referred to
            file.write("damaged")
        self.refused("exists", "'out-part1.h5' exists, and whether it belongs to 'out.h5' cannot be found out: 'out.h5' is not an HDF5 file: "
                     "it begins with \"damaged\": mend that, or give path= another name",
                     *read, "!", "write", "path=out.h5", "files=2", "overwrite=true")

    def test_a_renamed_file_keeps_its_images(self):
        """Also if there is a new file of the old name, which does not refer to them."""
        data, read = self.source()
        self.write(read, "out.h5", "files=3")
        self.refused("exists", "'out.h5' exists: set overwrite=true to replace it", *read, "!", "write", "path=out.h5", "files=3")
        os.rename("out.h5", "raw.h5")
        for words in [], [], ["compression=deflate"]:
            self.write(read, "out.h5", *words)
            self.refused("exists", "'out-part0.h5' exists, but belongs to no 'out.h5', and may have images of another file: "
                         "remove or rename it, or give path= another name",
                         *read, "!", "write", "path=out.h5", "files=2", "overwrite=true")
            np.testing.assert_array_equal(self.read("path=raw.h5", "axes=slices")[1], data)

    def test_files_of_a_killed_run(self):
        """With more of them than this one has."""
        _, read = self.source()
        for words in [], ["files=2"], ["compression=deflate"]:
            with open("out-part63.h5.99999999-0.part", "wb"):
                pass
            self.write(read, "out.h5", *words)
            self.assertEqual(self.leftovers(), [])

    def test_a_part_is_missing(self):
        """HDF5 gives a value that is none, and `read` an error."""
        data, read = self.source()
        self.write(read, "out.h5", "files=3")
        os.unlink("out-part1.h5")
        with h5py.File("out.h5") as file:
            found = file["exchange/data"][:]
        self.assertTrue(np.isnan(found[1::3]).all())
        np.testing.assert_array_equal(found[::3], data[::3])
        with self.assertRaisesRegex(NodeError, "takes pixels from other files, and /exchange/data in 'out-part1.h5' is missing"):
            self.read("path=out.h5", "axes=slices")

    def test_refuses(self):
        _, read = self.source()
        for words, message in ((["path=x.tif", "files=2"], "files=2 is for HDF5 without compression, not for TIFF: leave files= out"),
                               (["path=x-%i.tif", "files=2"], "files=2 is for HDF5 without compression, not for TIFF: leave files= out"),
                               (["path=x.zarr", "files=2"], "files=2 is for HDF5 without compression, not for OME-Zarr: leave files= out"),
                               (["path=x.h5", "files=2", "compression=deflate"],
                                "files=2 is for HDF5 without compression, not for HDF5 deflate: leave files= out"),
                               (["path=x-%i.h5", "files=2"],
                                "path=x-%i.h5: HDF5 stores the whole stream in one file, leave the number out"),
                               (["path=x.h5", "files=8"], "files=8: the stream has only 7 images: set files= to 7 or less")):
            self.refused("bad-property", message, *read, "!", "write", *words)
        long = "x" * 248 + ".h5"
        self.refused("bad-file", f"cannot write '{long[:-3]}-part0.h5': File name too long", *read, "!", "write", "path=" + long, "files=2")
        self.source((1, 5, 9))
        self.refused("bad-property", "files=2: the stream has only 1 image: leave files= out", *read, "!", "write", "path=x.h5", "files=2")

    def test_full_disk(self):
        """Known before the work; nothing is left."""
        os.mkdir("small")
        self.addCleanup(self.mount("tmpfs", os.path.abspath("small"), "tmpfs", 0, "size=320k"))
        _, read = self.source((8, 128, 128))
        self.refused("no-space", "no space for 'small/new/out.h5': it needs 576 KiB, No space left on device", *read, "!",
                     "write", "path=small/new/out.h5", "files=4")
        self.assertEqual(os.listdir("small"), [])

    def test_disk_that_fills_up_later(self):
        """The bytes fit by themselves, but what the parts have beside them does not."""
        os.mkdir("small")
        self.addCleanup(self.mount("tmpfs", os.path.abspath("small"), "tmpfs", 0, "size=584k"))
        _, read = self.source((8, 128, 128))
        with self.assertRaises(NodeError) as caught:
            self.chain(*read, "!", "write", "path=small/new/out.h5", "files=8")
        self.assertEqual(caught.exception.code, "no-space")
        self.assertRegex(caught.exception.message, "^no space for 'small/new/out(-part.)?.h5': it needs .*, No space left on device$")
        self.assertEqual(os.listdir("small"), [])


if __name__ == "__main__":
    unittest.main()
