# SPDX-License-Identifier: LGPL-3.0-or-later
"""`preview` against a decoder of PNG that knows what the specification demands of these pictures."""
import os
import struct
import unittest
import zlib

import h5py
import numpy as np
from filestest import FilesTest


def decode(path):
    """A grey PNG whose lines are plain or differences to the line above; checks every checksum."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, []
    while at < len(data):
        size, = struct.unpack(">I", data[at:at + 4])
        kind, content = data[at + 4:at + 8], data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + content)
        chunks.append((kind, content))
        at += 12 + size
    kinds = [kind for kind, _ in chunks]
    assert kinds == [b"IHDR"] + [b"IDAT"] * (len(chunks) - 2) + [b"IEND"]
    columns, lines, bits, colour, compression, filters, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    assert (colour, compression, filters, interlace) == (0, 0, 0, 0)
    rows = np.frombuffer(zlib.decompress(b"".join(content for _, content in chunks[1:-1])), np.uint8).reshape(lines, -1)
    assert set(rows[:, 0]) <= {0, 2} and len(rows[0]) == columns * bits // 8 + 1
    image = np.zeros((lines, columns * bits // 8), np.uint8)
    for i, row in enumerate(rows):
        image[i] = row[1:] + (image[i - 1] if row[0] == 2 and i else 0)
    return image if bits == 8 else image.view(">u2").astype(np.uint16)


class Preview(FilesTest):
    def source(self, data, axes="slices"):
        with h5py.File("source.h5", "w") as file:
            file["exchange/data"] = data
        return ["read", "path=source.h5", "axes=" + axes] + ([] if axes == "slices" else ["angles=0:180"])

    def truth(self, image, low, high, top):
        return np.rint(np.clip((image.astype(np.float64) - low) / (high - low) * top, 0, top))

    def test_limits(self):
        data = self.random((5, 33, 21), np.float32)
        data[2, 3, 4] = np.nan
        read = self.source(data)
        for bits, top in ("8", 255), ("16", 65535):
            self.chain(*read, "!", "preview", "path=new/a.png", "min=-1", "max=0.5", "bits=" + bits, "overwrite=true",
                       rows=2)
            truth = self.truth(np.nan_to_num(data[2], nan=-1), -1, 0.5, top)
            np.testing.assert_array_equal(decode("new/a.png"), truth)

    def test_chosen_image(self):
        data = self.random((9, 8, 8), np.uint16)
        for axes, name in ("slices", "rows"), ("sinograms", "rows"), ("projections", "projections"):
            read = self.source(data, axes) + [name + "=1:9:3", "!", "preview", "path=a.png", "min=0", "max=65535",
                                              "overwrite=true"]
            for words, number in ([], 4), (["slice=7"], 7), (["slice=1"], 1):
                self.chain(*read, *words, rows=3, angles=2)
                np.testing.assert_array_equal(decode("a.png"), self.truth(data[number], 0, 65535, 255))
            self.refused("bad-property", "slice=3 is not in the stream: its images have the numbers 1 to 7 in steps of 3",
                         *read, "slice=3")
            self.refused("bad-property", "slice=0 is not in the stream: its images have the numbers 1 to 7 in steps of 3",
                         *read, "slice=0")

    def test_contrast(self):
        """Of a slice, zeros outside the circle do not count, and neither do a few wild pixels."""
        n = 200
        y, x = np.mgrid[:n, :n] - (n - 1) / 2
        inside = x * x + y * y <= n * n / 4
        image = np.where(inside, self.rng.uniform(5, 6, size=(n, n)), 0).astype(np.float32)
        image[n // 2, n // 2], image[n // 2, n // 2 + 1], image[n // 2 + 1, n // 2] = 1e9, -np.inf, np.nan
        values = np.sort(image[inside & np.isfinite(image)])
        # The two values nearest to where 0.1 % lie below or above; which of both it is, is a matter of definition.
        low = values[[int(0.001 * (len(values) - 1)), int(0.001 * (len(values) - 1)) + 1]]
        high = values[[int(0.999 * (len(values) - 1)), int(0.999 * (len(values) - 1)) + 1]]
        self.chain(*self.source(image[None]), "!", "preview", "path=a.png", "bits=16")
        finite = np.nan_to_num(image, nan=-np.inf)
        self.assertTrue(any(np.array_equal(decode("a.png"), self.truth(finite, a, b, 65535)) for a in low for b in high))

    def test_flat_image(self):
        self.chain(*self.source(np.full((1, 4, 4), 7, np.uint8)), "!", "preview", "path=a.png")
        np.testing.assert_array_equal(decode("a.png"), np.zeros((4, 4)))

    def test_refuses(self):
        read = self.source(np.zeros((1, 4, 4), np.uint8)) + ["!", "preview"]
        self.refused("bad-property", "path= is no name of a picture: set path= to a name that ends in .png", *read)
        self.refused("bad-property", "path=a.jpg is no name of a picture: set path= to a name that ends in .png", *read,
                     "path=a.jpg")
        self.refused("bad-property", "min=low is neither a number nor auto", *read, "path=a.png", "min=low")
        self.refused("bad-property", "min=2 is not below max=1", *read, "path=a.png", "min=2", "max=1")
        with open("a.png", "w") as file:
            file.write("mine")
        self.refused("exists", "'a.png' exists: set overwrite=true to replace it", *read, "path=a.png")
        self.chain(*read, "path=a.png", "overwrite=true")
        self.assertEqual(decode("a.png").shape, (4, 4))
        self.assertEqual([name for name in os.listdir() if name.endswith(".part")], [])


if __name__ == "__main__":
    unittest.main()
