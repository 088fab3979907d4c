# SPDX-License-Identifier: LGPL-3.0-or-later
"""`write` by several requests at a time: the same files, and no half of one after an error."""
import os
import tempfile
import unittest

import h5py
import numpy as np
import tifffile
from filestest import PROVENANCE, FilesTest, NodeError, write_scan


class SeveralRequests(FilesTest):
    def source(self, shape, axes="slices"):
        """A file to read, and the words that read it."""
        data = self.random(shape, np.float32)
        write_scan("source.h5", data)
        return data, ["read", "path=source.h5", "axes=" + axes, "!"]

    def same_bytes(self, read, folder, ways):
        """The files in a folder that several numbers of requests give alike."""
        right = {}
        for number in 1, 7, 0:
            for path, *words in ways:
                lines, _ = self.chain(*read, "write", f"path={folder}/{path}", *words, f"requests={number}", "overwrite=true", rows=2,
                                      threads=2, provenance=PROVENANCE)
                self.assertLessEqual(lines[-1]["counters"].get("requests", 1), number or 4)
            self.assertEqual(self.leftovers(folder), [])
            for name in os.listdir(folder):
                with open(f"{folder}/{name}", "rb") as file:
                    content = file.read()
                self.assertTrue(right.setdefault(name, content) == content, f"{name} with requests={number}")
        return sorted(right)

    def test_same_bytes(self):
        """Of pages that have more than a request's 4 MiB."""
        data, read = self.source((3, 1100, 1200))
        os.mkdir("disk")
        self.assertEqual(len(self.same_bytes(read, "disk", [["u8-%i.tif", "type=u8", "range=0:1"], ["half.h5", "type=f16"],
                                                            ["packed.h5", "type=u8", "range=0:1", "compression=lz4"]])), 6)
        for i in range(3):
            np.testing.assert_array_equal(tifffile.imread(f"disk/u8-{i}.tif"),
                                          np.rint(np.clip(data[i].astype(np.float64), 0, 1) * 255))
        with h5py.File("disk/half.h5") as file:
            np.testing.assert_array_equal(file["exchange/data"][:], data.astype(np.float16))

    def test_same_bytes_in_memory(self):
        data, read = self.source((3, 1100, 1200))
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            self.same_bytes(read, folder, [["out.h5"], ["out.tif"], ["out.mhd"]])
            with h5py.File(folder + "/out.h5") as file:
                np.testing.assert_array_equal(file["exchange/data"][:], data)
            np.testing.assert_array_equal(tifffile.imread(folder + "/out.tif"), data)
            np.testing.assert_array_equal(np.fromfile(folder + "/out.raw", np.float32).reshape(data.shape), data)

    def test_projections(self):
        """Rows of a slab in each projection."""
        data, read = self.source((40, 30, 50), axes="projections")
        for path in "stack.tif", "scan.h5":
            self.chain(*read, "write", "path=" + path, "requests=4", rows=7, angles=9)
        np.testing.assert_array_equal(tifffile.imread("stack.tif"), data)
        with h5py.File("scan.h5") as file:
            np.testing.assert_array_equal(file["exchange/data"][:], data)

    def test_errors(self):
        """Whatever the thread: the file is named, and what stays is whole."""
        _, read = self.source((24, 128, 128))
        os.mkdir("small")
        self.addCleanup(self.mount("tmpfs", os.path.abspath("small"), "tmpfs", 0, "size=1m"))
        with self.assertRaises(NodeError) as caught:
            self.chain(*read, "write", "path=small/out-%i.tif", "requests=5", rows=1)
        self.assertEqual(caught.exception.code, "no-space")
        self.assertRegex(caught.exception.message,
                         r"^no space for 'small/out-\d+.tif': it needs 64.2 KiB, No space left on device$")
        self.assertEqual(self.leftovers("small"), [])
        self.assertGreater(len(os.listdir("small")), 5)
        for name in os.listdir("small"):
            self.assertEqual(tifffile.imread("small/" + name).shape, (128, 128))


if __name__ == "__main__":
    unittest.main()
