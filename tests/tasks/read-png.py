# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of PNG images, written here byte by byte from what defines them."""
import os
import struct
import unittest
import zlib

import numpy as np
from fields import chunk, png
from filestest import FilesTest

ANGLES = "angles=0:180"
SHAPE = (5, 40, 60)


class Png(FilesTest):
    def put(self, name, content):
        with open(name, "wb") as file:
            file.write(content)

    def sequence(self, data, name="p_{:04}.png", **options):
        for i, page in enumerate(data):
            self.put(name.format(i), png(page, **options))

    def same(self, path, truth, *words):
        info, array = self.read("path=" + path, ANGLES, *words, rows=7, angles=3, threads=2)
        self.assertEqual(array.dtype, truth.dtype)
        np.testing.assert_array_equal(array, truth)
        _, array = self.read("path=" + path, ANGLES, "projections=::2", "rows=3:30:4", "columns=1:50:7", *words)
        np.testing.assert_array_equal(array, truth[::2, 3:30:4, 1:50:7])
        return info

    def fails(self, path, message, *words):
        self.refused("bad-file", message, "read", "path=" + path, ANGLES, *words)

    def test_sequences(self):
        for kind in np.uint8, np.uint16:
            data = self.random(SHAPE, kind)
            self.sequence(data, piece=1000)
            size = sum(os.path.getsize(f"p_{i:04}.png") for i in range(5))
            for path in "p_*.png", "p_%04i.png", "p_%i.png", f"{self.folder}/p_%d.png", ".":
                info = self.same(path, data)
                self.assertEqual(info["warnings"], [])
            self.assertGreaterEqual(info["counters"]["bytes-read"], size)
        self.sequence(data, "{}.png")  # numbers without zeros before them
        self.same("%i.png", data)
        self.same("p_0003.png", data[3:4])
        self.put("named.dat", png(data[2]))
        self.same("named.dat", data[2:3])

    def test_a_number_in_the_path(self):
        """As `write` has it, for other formats, too."""
        data = self.random((4, 4, 5), np.uint16)
        for i, page in enumerate(data):
            np.save(f"p%{i:03}.npy", page)
        np.save("p%x.npy", data[0])
        _, array = self.read("path=p%%%03i.npy", ANGLES)
        np.testing.assert_array_equal(array, data)
        self.fails("q_%i.npy", "no file matches 'q_%i.npy'")
        self.fails("absent/%i.npy", "cannot open 'absent/': No such file or directory")
        self.fails("100%.npy", "cannot open '100%.npy': No such file or directory")
        os.remove("p%001.npy")
        self.fails("p%%%03i.npy", "'p%001.npy' is missing, which would shift the angles of the following projections: set missing=skip to "
                                  "continue without it, or angles= to a text file with the angles of the existing projections")

    def test_frames_and_axes(self):
        data = self.random(SHAPE, np.uint16)
        self.sequence(data)
        self.put("dark.png", png(data[1]))
        self.put("flat.png", png(data[2]))
        info, _ = self.read("path=p_*.png", ANGLES, "darks=dark.png", "flats=flat.png")
        np.testing.assert_array_equal(self.frames(info, "darks"), data[1:2])
        np.testing.assert_array_equal(self.frames(info, "flats"), data[2:3])
        info, array = self.read("path=p_*.png", "axes=slices", "rows=1:4")
        np.testing.assert_array_equal(array, data[1:4])
        os.remove("p_0002.png")
        info, array = self.read("path=p_%04i.png", ANGLES, "missing=zero")
        np.testing.assert_array_equal(array[[1, 3]], data[[1, 3]])
        self.assertFalse(array[2].any())

    def test_what_lies_beside_the_pixels(self):
        """Other chunks, which say how to show an image, leave the values as they are."""
        data = self.random(SHAPE, np.uint16)[:1]
        text = chunk(b"tEXt", b"Comment\0" + b"x" * 10**6)
        show = chunk(b"gAMA", struct.pack(">I", 45455)) + chunk(b"sBIT", b"\x0c") + chunk(b"tRNS", b"\0\7") + chunk(b"prVt", b"any")
        self.put("scan.png", png(data[0], more=text + show) + b"what follows the end")
        self.same("scan.png", data)

    def test_a_folder_with_a_picture(self):
        os.mkdir("folder")
        np.save("folder/a.npy", self.random((3, 4, 5), np.uint16))
        self.put("folder/preview.png", png(self.random((9, 9), np.uint8)))
        info, array = self.read("path=folder", ANGLES)
        self.assertEqual(array.shape, (3, 4, 5))

    def test_other_kinds(self):
        page = self.random((4, 6), np.uint8)
        for options, what in (({"colour": 2}, "contains colours: convert it to grey values"),
                              ({"colour": 3}, "contains indices into a colour palette: convert it to grey values"),
                              ({"colour": 4}, "contains transparency: write it again with grey values only"),
                              ({"colour": 6}, "contains transparent colours: convert it to grey values"),
                              ({"bits": 1}, "contains values of 1 bits: convert them to 8 or 16 bits"),
                              ({"interlaced": 1}, "is interlaced: write it again without interlacing"),
                              ({"bits": 32}, "is damaged: its header describes 6 x 4 pixels of type 0 with 32 bits"),
                              ({"colour": 5}, "is damaged: its header describes 6 x 4 pixels of type 5 with 8 bits"),
                              ({"size": (0, 6)}, "is damaged: its header describes 6 x 0 pixels of type 0 with 8 bits"),
                              ({"size": (2**31, 6)}, "has 1 x 2147483648 x 6 pixels: at most 4194304 along an axis work"),
                              ({"size": (2**22, 6)}, None)):
            content = png(page, **options)
            self.put("scan.png", content)
            self.fails("scan.png", "'scan.png' " + (what or f"is damaged: a file of {len(content)} bytes cannot contain 6 x 4194304 pixels"))
        self.put("p_0.png", png(page))
        self.put("p_1.png", png(page.astype(np.uint16)))
        self.fails("p_*.png", "'p_1.png' is 4 x 6 u16, but 'p_0.png' is 4 x 6 u8: all images of a scan must have the same size and type")

    def test_damaged(self):
        page = self.random((40, 60), np.uint16)
        good = png(page, piece=1000)
        for n in 8, 20, 32:
            self.put("scan.png", good[:n])
            self.fails("scan.png", f"'scan.png' is truncated: {33 - n} bytes are missing at byte {n}")
        for n in 33, 40, 2000, len(good) - 1:
            self.put("scan.png", good[:n])
            self.fails("scan.png", "'scan.png' is truncated: it has no end")
        self.put("scan.png", good[:18] + b"\1" + good[19:])
        self.fails("scan.png", "'scan.png' is damaged: its header does not match its stored checksum")
        for at in 1500, 1060, len(good) - 20, len(good) - 14:  # values, the sum of a chunk, that of all values, that of the last chunk
            self.put("scan.png", good[:at] + bytes([good[at] ^ 1]) + good[at + 1:])
            with self.assertRaisesRegex(Exception, "^'scan.png' is damaged: IDAT: (CRC error|incorrect data check|invalid .*)$"):
                self.chain("read", "path=scan.png")
        self.put("scan.png", png(page[:30], size=page.shape))
        self.fails("scan.png", "'scan.png' is damaged: Not enough image data")
        self.put("scan.png", good[:33] + chunk(b"IDAT", b"no deflate at all") + chunk(b"IEND", b""))
        self.fails("scan.png", "'scan.png' is damaged: IDAT: incorrect header check")
        self.put("scan.png", good[:33] + chunk(b"IEND", b""))
        with self.assertRaisesRegex(Exception, "^'scan.png' is damaged: "):
            self.chain("read", "path=scan.png")
        self.put("scan.png", good[:33] + struct.pack(">I", 2**31) + b"IDAT" + good[41:-12] + b"xxxx" + zlib.compress(b""))
        self.fails("scan.png", "'scan.png' is truncated: it has no end")


unittest.main()
