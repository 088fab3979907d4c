# SPDX-License-Identifier: LGPL-3.0-or-later
"""`write` against h5py and tifffile."""
import unittest

import h5py
import numpy as np
import tifffile
from filestest import FilesTest


class Tiff(FilesTest):
    def test_sequence(self):
        data = self.random((7, 5, 9), np.float32)
        with h5py.File("scan.h5", "w") as file:
            file["exchange/data"] = data
        self.chain("read", "path=scan.h5", "axes=slices", "rows=1:7:2", "!", "write", "path=a/b/slice-%05i.tif", rows=2)
        for number in 1, 3, 5:
            np.testing.assert_array_equal(tifffile.imread(f"a/b/slice-{number:05}.tif"), data[number])


if __name__ == "__main__":
    unittest.main()
