# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` against h5py, tifffile and numpy indexing."""
import unittest

import h5py
import numpy as np
from filestest import FilesTest


class Hdf5(FilesTest):
    def test_dxchange(self):
        data = self.random((7, 5, 9), np.uint16)
        with h5py.File("scan.h5", "w") as file:
            file["exchange/data"] = data
            file["exchange/data_white"] = self.random((2, 5, 9), np.float32)
            file["exchange/data_dark"] = self.random((3, 5, 9), np.uint8)
            file["exchange/theta"] = np.linspace(0, 180, 7)
            white, dark = file["exchange/data_white"][:], file["exchange/data_dark"][:]
        info, array = self.read("path=scan.h5", rows=2, angles=3)
        np.testing.assert_array_equal(array, data)
        self.assertEqual(info["format"], "u16 projections (angle 7, row 5, column 9)")
        np.testing.assert_allclose(np.degrees(info["angles"]), np.linspace(0, 180, 7), atol=1e-12)
        np.testing.assert_array_equal(self.frames(info, "flats"), white)
        np.testing.assert_array_equal(self.frames(info, "darks"), dark)


if __name__ == "__main__":
    unittest.main()
