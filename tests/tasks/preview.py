# SPDX-License-Identifier: LGPL-3.0-or-later
"""`preview` against a decoder of PNG that knows what the specification demands of these pictures."""
import os
import struct
import unittest
import warnings
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
            self.refused("bad-property", "slice=3 is not in the stream, which has images 1 to 7 in steps of 3",
                         *read, "slice=3")
            self.refused("bad-property", "slice=0 is not in the stream, which has images 1 to 7 in steps of 3",
                         *read, "slice=0")

    def test_contrast(self):
        """Of a slice, zeros outside the circle do not count, and neither do a few wild pixels."""
        n = 200
        y, x = np.mgrid[:n, :n] - (n - 1) / 2
        inside = x * x + y * y <= n * n / 4
        for values in self.rng.uniform(5, 6, size=(n, n)), self.rng.normal(size=(n, n)), self.rng.normal(-40, 0.1, size=(n, n)):
            self.check_contrast(np.where(inside, values, 0).astype(np.float32), inside, n)

    def check_contrast(self, image, inside, n):
        image[n // 2, n // 2], image[n // 2, n // 2 + 1], image[n // 2 + 1, n // 2] = 1e9, -np.inf, np.nan
        values = np.sort(image[inside & np.isfinite(image)]).astype(np.float64)
        # The two values nearest to where 0.1 % lie below or above; which of both it is, is a matter of definition.
        low = values[[int(0.001 * (len(values) - 1)), int(0.001 * (len(values) - 1)) + 1]]
        high = values[[int(0.999 * (len(values) - 1)), int(0.999 * (len(values) - 1)) + 1]]
        self.chain(*self.source(image[None]), "!", "preview", "path=a.png", "bits=16", "overwrite=true")
        finite = np.nan_to_num(image, nan=-np.inf)
        self.assertTrue(any(np.array_equal(decode("a.png"), self.truth(finite, a, b, 65535)) for a in low for b in high))

    def test_flat_image(self):
        self.chain(*self.source(np.full((1, 4, 4), 7, np.uint8)), "!", "preview", "path=a.png")
        np.testing.assert_array_equal(decode("a.png"), np.zeros((4, 4)))

    def sheet(self, volume, *words, **options):
        """The picture of the middle cuts, and its last word on the values."""
        read = self.source(volume)
        self.chain(*read, "!", "preview", "path=sheet.png", "show=cuts", "overwrite=true", *words, **options)
        return decode("sheet.png")

    def shrunk(self, image, times):
        """Means of what is finite, along lines and then across them."""
        def shorten(lines):
            parts = [lines[:, i:i + times] for i in range(0, lines.shape[1], times)]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # means of nothing are wanted here
                return np.stack([np.nanmean(np.where(np.isfinite(p), p, np.nan), axis=1) for p in parts], axis=1)
        return shorten(shorten(image.astype(np.float64)).astype(np.float32).T.astype(np.float64)).T

    def find(self, sheet, image, low, high, times=1, top=255):
        """Where an image is in the sheet: its first line and column. Averages may round to the level beside."""
        wanted = np.kron(self.truth(np.nan_to_num(image, nan=-1e9), low, high, top), np.ones((times, times)))
        for column in range(sheet.shape[1] - wanted.shape[1] + 1):
            part = sheet[self.FIRST:self.FIRST + wanted.shape[0], column:column + wanted.shape[1]]
            if np.abs(part.astype(float) - wanted).max() <= (top > 255):
                return column
        self.fail("the cut is not there")

    FIRST = 34  # line of the sheet where the cuts begin

    def bars(self, sheet, top=255):
        """The columns of each bar that are black, and the first line beneath them, where the grey ramp is."""
        inside = sheet[:, 12:-12]
        n = inside.shape[1]
        ramp = np.rint((np.arange(n) + 0.5) / n * top)
        line = next(i for i, row in enumerate(inside) if np.array_equal(row, ramp))
        return (inside[line - 160:line] == 0).sum(0), line

    def check_bars(self, sheet, values, low, high, slack=0):
        heights, line = self.bars(sheet)
        counts = np.histogram(values[np.isfinite(values)].astype(np.float64), len(heights), (low, high))[0]
        self.assertEqual(heights.max(), 160)
        # Bins of the values are up to 1/1024 of them wide, so that neighbouring bars may share some.
        wanted, got = np.cumsum(counts) / counts.sum(), np.cumsum(heights) / heights.sum()
        self.assertLess(np.abs(wanted - got).max(), 0.01 + slack)
        return line

    def test_cuts(self):
        volume = self.random((12, 30, 22), np.float32)
        volume[3, 4, 5], volume[6, 7, 8], volume[1, 15, 3], volume[2, 2, 2] = np.nan, np.inf, np.nan, 1e30
        times = 300 // 30
        shown = {}
        for rows in 1, 5, 12:
            sheet = shown[rows] = self.sheet(volume, "min=-2", "max=3", rows=rows, threads=rows)
            columns = [self.find(sheet, image, -2, 3, times) for image in (volume[6], volume[:, 15], volume[:, :, 11])]
            self.assertEqual(columns, [12, 12 + 220 + 12, 12 + 2 * (220 + 12)])
            inside = volume[(volume >= -2) & (volume <= 3)]
            line = self.check_bars(sheet, inside, -2, 3, slack=0.02)  # few values a bar
            for label in [sheet[12:26, c:c + 130] for c in columns] + [sheet[i:i + 14, 12:-12] for i in
                                                                      (line + 20, line + 42, line + 64)]:
                self.assertGreater((label == 0).sum(), 100)
            self.assertEqual((sheet[26:34] != 255).sum(), 0)
        np.testing.assert_array_equal(shown[1], shown[5])
        np.testing.assert_array_equal(shown[1], shown[12])

    def test_many_values(self):
        """Values far from 0, of both signs, and of integers."""
        for low, high in (0, 1), (-3e-6, 8e-6), (-700, -600):
            volume = (low + (high - low) * self.rng.beta(2, 5, (40, 60, 60))).astype(np.float32)
            sheet = self.sheet(volume, f"min={low}", f"max={high}")
            self.check_bars(sheet, volume, low, high)
        volume = np.minimum(self.rng.poisson(20, (20, 60, 60)), 255).astype(np.uint8)
        heights, _ = self.bars(self.sheet(volume, "min=0", "max=84"))
        self.assertEqual(len(heights), 924)
        counts = np.bincount(volume.ravel(), minlength=85)[:85]
        places = (np.arange(85) * 11).clip(max=923)
        np.testing.assert_allclose(heights[places], counts / counts.max() * 160, atol=1)
        self.assertEqual(np.delete(heights, places).max(), 0)

    def test_sample_of_values(self):
        """Of more than 2^27 values, those of some lines are counted: their shares are those of all."""
        z, y = np.mgrid[:300, :700]
        level = (1 + (z // 5 + y // 7) % 40 + (z + y) % 7 % 5).astype(np.uint8)  # of a line; never 0
        sheet = self.sheet(np.repeat(level[:, :, None], 650, axis=2), "min=0", "max=50")
        heights, _ = self.bars(sheet)
        places = np.arange(50) * len(heights) // 50
        shares = np.array([heights[max(p - 1, 0):p + 3].sum() for p in places]) / heights.sum()  # of one or two bars
        np.testing.assert_allclose(shares, np.bincount(level.ravel(), minlength=50) / level.size, atol=0.002)

    def test_large_cuts(self):
        for shape in (5, 7, 1700), (1700, 9, 5), (3, 850, 7):
            volume = self.random(shape, np.float32)
            volume[:, 3, 2], volume[shape[0] // 2, 1] = np.nan, np.inf
            sheet = self.sheet(volume, "min=-1", "max=1", "bits=16", rows=4)
            times = -(-max(shape) // 800)
            for image in volume[shape[0] // 2], volume[:, shape[1] // 2], volume[:, :, shape[2] // 2]:
                self.find(sheet, self.shrunk(image, times), -1, 1, top=65535)

    def test_limits_of_cuts(self):
        """They are those of the pixels that are shown, without the zeros outside of the circle."""
        n = 400
        y, x = np.mgrid[:n, :n] - (n - 1) / 2
        inside = x * x + y * y <= n * n / 4
        volume = np.where(inside, self.rng.uniform(5, 6, (9, n, n)), 0).astype(np.float32)
        sheet = self.sheet(volume, "bits=16", "slice=7")
        values = np.sort(np.concatenate([volume[7][inside], volume[:, 200].ravel(), volume[:, :, 200].ravel()]))
        low, high = values[round(0.001 * (len(values) - 1))], values[round(0.999 * (len(values) - 1))]
        for image in volume[7], volume[:, 200], volume[:, :, 200]:
            self.find(sheet, image, low, high, top=65535)
        heights, _ = self.bars(sheet, 65535)
        self.assertLess(heights.max() / np.median(heights), 1.3)  # zeros would be a peak

    def test_little_volumes(self):
        for shape, dtype in ((1, 1, 1), np.float32), ((1, 20, 30), np.uint16), ((2, 1, 5), np.uint8):
            volume = self.random(shape, dtype)
            sheet = self.sheet(volume, "min=-1", "max=70000")
            for image in volume[shape[0] // 2], volume[:, shape[1] // 2], volume[:, :, shape[2] // 2]:
                self.find(sheet, image, -1, 70000, 300 // max(shape))
        sheet = self.sheet(np.full((2, 8, 8), np.nan, np.float32))
        self.assertEqual(self.bars(sheet)[0].max(), 0)

    def test_refuses(self):
        read = self.source(np.zeros((1, 4, 4), np.uint8)) + ["!", "preview"]
        self.refused("bad-property", "path= is not the name of a picture: set path= to a name that ends in .png", *read)
        self.refused("bad-property", "path=a.jpg is not the name of a picture: set path= to a name that ends in .png", *read,
                     "path=a.jpg")
        self.refused("bad-property", "min=low is neither a number nor auto", *read, "path=a.png", "min=low")
        self.refused("bad-property", "min=2 is not below max=1", *read, "path=a.png", "min=2", "max=1")
        self.refused("bad-format", "show=cuts wants slices, got u8 sinograms (row 1, angle 4, column 4): leave it out, or put "
                     "'reconstruct' before this node",
                     *self.source(np.zeros((1, 4, 4), np.uint8), "sinograms"), "!", "preview", "path=a.png", "show=cuts")
        with open("a.png", "w") as file:
            file.write("mine")
        self.refused("exists", "'a.png' exists: set overwrite=true to replace it", *read, "path=a.png")
        self.chain(*read, "path=a.png", "overwrite=true")
        self.assertEqual(decode("a.png").shape, (4, 4))
        self.assertEqual([name for name in os.listdir() if name.endswith(".part")], [])


if __name__ == "__main__":
    unittest.main()
