# SPDX-License-Identifier: LGPL-3.0-or-later
import unittest

import h5py
import numpy as np
from filestest import FilesTest


class Null(FilesTest):
    def test_takes_all_shapes(self):
        with h5py.File("scan.h5", "w") as file:
            file["exchange/data"] = self.random((4, 3, 5), np.uint16)
        for axes in "projections", "sinograms", "slices":
            angles = [] if axes == "slices" else ["angles=0:180"]
            lines, _ = self.chain("read", "path=scan.h5", "axes=" + axes, *angles, "!", "null", rows=2)
            self.assertEqual(lines[1]["format"], lines[0]["format"])


if __name__ == "__main__":
    unittest.main()
