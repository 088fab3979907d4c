# SPDX-License-Identifier: LGPL-3.0-or-later
"""Stacks of ImageJ with tags for their first image only, as tifffile and ImageJ write them, against the array. Costs 1 s."""
import os
import struct
import unittest

import numpy as np
import tifffile
from filestest import FilesTest

ANGLES = "angles=0:180"


def imagej_file(path, data, images, order=">", tags_first=True, compression=1, line_end="\n"):
    """What ImageJ writes: one page, whose description tells of all images."""
    words = line_end.join(["ImageJ=1.54f", f"images={images}", f"slices={images}", "loop=false", ""]).encode() + b"\0"
    pixels = data.astype(data.dtype.newbyteorder(order)).tobytes()
    count, first = 10, 8
    after_tags = first + 2 + 12 * count + 4
    place = after_tags + len(words) if tags_first else first
    directory = first if tags_first else first + len(pixels)
    kind = {"u": 1, "f": 3}[data.dtype.kind]
    entries = [(256, 4, 1, data.shape[2]), (257, 4, 1, data.shape[1]), (258, 3, 1, 8 * data.dtype.itemsize), (259, 3, 1, compression), (262, 3, 1, 1),
               (270, 2, len(words), directory + 2 + 12 * count + 4), (273, 4, 1, place), (278, 3, 1, data.shape[1]), (279, 4, 1, data[0].nbytes),
               (339, 3, 1, kind)]
    tags = struct.pack(order + "H", count)
    for tag, type_, n, value in entries:
        tags += struct.pack(order + "HHI", tag, type_, n) + (struct.pack(order + "HH", value, 0) if type_ == 3 else struct.pack(order + "I", value))
    tags += struct.pack(order + "I", 0) + words
    with open(path, "wb") as file:
        file.write((b"MM" if order == ">" else b"II") + struct.pack(order + "HI", 42, directory))
        file.write(tags + pixels if tags_first else pixels + tags)


class ImageJ(FilesTest):
    def test_tifffile(self):
        for dtype in np.uint8, np.uint16, np.float32:
            for order in "<", ">":
                data = self.random((9, 5, 7), dtype)
                tifffile.imwrite("s.tif", data, imagej=True, byteorder=order, metadata={"axes": "ZYX"}, truncate=True)
                _, array = self.read("path=s.tif", ANGLES, threads=2)
                np.testing.assert_array_equal(array, data)
                _, array = self.read("path=s.tif", ANGLES, "projections=2:9:3", "rows=1:4", "columns=2:")
                np.testing.assert_array_equal(array, data[2:9:3, 1:4, 2:])
                # With tags for each image, as smaller stacks have them.
                tifffile.imwrite("s.tif", data, imagej=True, byteorder=order, metadata={"axes": "ZYX"})
                _, array = self.read("path=s.tif", ANGLES)
                np.testing.assert_array_equal(array, data)

    def test_layouts(self):
        data = self.random((6, 5, 7), np.uint16)
        for order in "<", ">":
            for tags_first in True, False:
                for line_end in "\n", "\r\n":
                    imagej_file("s.tif", data, 6, order, tags_first, line_end=line_end)
                    _, array = self.read("path=s.tif", ANGLES)
                    np.testing.assert_array_equal(array, data)

    def test_several_files(self):
        """A stack cut into files, of which one holds a single image."""
        data = self.random((8, 5, 7), np.float32)
        for name, begin, end in ("a_1", 0, 3), ("a_2", 3, 7), ("a_3", 7, 8):
            tifffile.imwrite(name + ".tif", data[begin:end], imagej=True, metadata={"axes": "ZYX"}, truncate=True)
        _, array = self.read("path=a_*.tif", ANGLES)
        np.testing.assert_array_equal(array, data)

    def test_an_image_that_was_taken_out(self):
        """It kept the description of its stack."""
        data = self.random((1, 5, 7), np.uint16)
        for tags_first in True, False:
            imagej_file("s.tif", data, 20, tags_first=tags_first)
            _, array = self.read("path=s.tif", ANGLES)
            np.testing.assert_array_equal(array, data)
        tifffile.imwrite("s.tif", data[0], description="ImageJ=1.54f\nimages=20\n", metadata=None, compression="zlib")
        _, array = self.read("path=s.tif", ANGLES)
        np.testing.assert_array_equal(array, data)

    def test_refusals(self):
        data = self.random((6, 5, 7), np.uint16)
        for images, tells in (7, 6), (2**62, 6):
            imagej_file("s.tif", data, images)
            self.refused("bad-file", f"'s.tif' is truncated: ImageJ's description says that it has {images} images, and it ends after {tells}",
                         "read", "path=s.tif", ANGLES)
        imagej_file("s.tif", data, 6)
        os.truncate("s.tif", os.path.getsize("s.tif") - 1)
        self.refused("bad-file", "'s.tif' is truncated: ImageJ's description says that it has 6 images, and it ends after 5", "read", "path=s.tif", ANGLES)
        for words in "0", "-3", "six", "9" * 30:
            imagej_file("s.tif", data, words)
            self.refused("bad-file", f"'s.tif' is damaged: ImageJ's description says 'images={words}'", "read", "path=s.tif", ANGLES)


if __name__ == "__main__":
    unittest.main(verbosity=2)
