# SPDX-License-Identifier: LGPL-3.0-or-later
"""What darks and flats cost to read: each of their chunks is decoded once for all frames and groups."""
import unittest

import h5py
import numpy as np
from filestest import FilesTest

ROWS, COLUMNS, FLATS = 40, 150, 128


class Companions(FilesTest):
    def setUp(self):
        super().setUp()
        self.data = self.random((3, ROWS, COLUMNS), np.uint16)
        self.flats = 30000 + self.random((FLATS, ROWS, COLUMNS), np.uint8).astype(np.uint16)

    def write(self, chunks, **options):
        with h5py.File("scan.h5", "w") as file:
            file["exchange/data"] = self.data
            file["exchange/theta"] = [0., 60., 120.]
            file.create_dataset("exchange/data_white", data=self.flats, chunks=chunks, **options)

    def correct(self, read=(), **options):
        words = ["absorption=false", *(f"{key}={value}" for key, value in options.items())]
        lines, array = self.chain("read", "path=scan.h5", *read, "!", "flat-field", *words)
        return lines[1]["counters"], array

    def test_chunks_are_decoded_once(self):
        for chunks, n in ((FLATS, ROWS, COLUMNS), 1), ((16, 16, 64), 8 * 3 * 3), ((1, ROWS, COLUMNS), FLATS):
            self.write(chunks, compression="gzip", shuffle=True)
            for reduce in "mean", "median":
                counted, array = self.correct(reduce=reduce)
                self.assertEqual(counted["chunks"], n)
                np.testing.assert_allclose(array, self.data / getattr(np, reduce)(self.flats, axis=0), rtol=1e-6)

    def test_only_chunks_of_the_rows(self):
        self.write((16, 16, 64), compression="gzip")
        counted, array = self.correct(["rows=17:30:3", "columns=:60"])
        self.assertEqual(counted["chunks"], 8)
        truth = self.data / self.flats.mean(axis=0)
        np.testing.assert_allclose(array, truth[:, 17:30:3, :60], rtol=1e-6)

    def test_groups_share_chunks(self):
        # Frames of three times in turns, so that each chunk has some of all.
        self.write((16, ROWS, 64), compression="gzip")
        with h5py.File("scan.h5", "a") as file:
            file["exchange/position_white"] = np.arange(FLATS) % 3 - 0.5
        for reduce in "mean", "median":
            counted, array = self.correct(reduce=reduce)
            self.assertEqual(counted["chunks"], 8 * 3)
            groups = np.stack([getattr(np, reduce)(self.flats[i::3], axis=0) for i in range(3)])
            whites = [(groups[0] + groups[1]) / 2, (groups[1] + groups[2]) / 2, groups[2]]
            np.testing.assert_allclose(array, self.data / whites, rtol=1e-6)

    def test_flats_before_and_after(self):
        self.write((FLATS, ROWS, COLUMNS), compression="gzip")
        with h5py.File("after.h5", "w") as file:
            file.create_dataset("exchange/data_white", data=self.flats[:9], chunks=(2, 7, 150), compression="gzip")
        counted, _ = self.correct(["flats-after=after.h5"])
        self.assertEqual(counted["chunks"], 1 + 5 * 6)

    def test_copies(self):
        self.write((FLATS, 30, COLUMNS), compression="gzip")
        lines, _ = self.chain("read", "path=scan.h5", "!", "write", "path=copy.h5")
        self.assertEqual(lines[1]["counters"]["chunks"], 2)
        with h5py.File("copy.h5") as file:
            np.testing.assert_array_equal(file["exchange/data_white"], self.flats)


if __name__ == "__main__":
    unittest.main()
