# SPDX-License-Identifier: LGPL-3.0-or-later
"""Angles in HDF5 files under any name, told by unit and number, and from a dataset that angles= names. Costs 3 s."""
import unittest

import h5py
import numpy as np
from filestest import FilesTest

N = 60
TRUTH = 17 + 3.0 * np.arange(N)
UNITS = {"deg": 1, "degrees": 1, "Degree": 1, "°": 1, "rad": np.pi / 180, "radians": np.pi / 180, "mrad": np.pi / 0.18, "mdeg": 1000}


class Angles(FilesTest):
    def setUp(self):
        super().setUp()
        self.data = self.random((N, 3, 8), np.uint16)

    def scan(self, path="scan.h5", **lists):
        """A file of images at an odd place, and lists: name=(values, unit)."""
        with h5py.File(path, "w") as file:
            file["entry/data/images"] = self.data
            for name, (values, unit) in lists.items():
                place = file.create_dataset("entry/" + name, data=values)
                if unit:
                    place.attrs["units"] = unit

    def angles(self, *words, path="scan.h5"):
        info, array = self.read("path=" + path, *words)
        np.testing.assert_array_equal(array, self.data)
        return np.degrees(info["angles"]), info["warnings"]

    def test_any_name(self):
        for unit, factor in UNITS.items():
            self.scan(srot=(TRUTH * factor, unit))
            got, said = self.angles()
            np.testing.assert_allclose(got, TRUTH, rtol=1e-12)
            self.assertEqual(said, ["'scan.h5' /entry/data/images: the angles are from /entry/srot, found by their unit; angles= overrides "
                                    "them"])
        for unit in None, "mm", "deg/s", "s":
            self.scan(srot=(TRUTH, unit))
            self.assertEqual(self.angles()[0].size, 0)

    def test_what_is_none(self):
        """Lists of other lengths, and of a motor that stood, do not count; the usual names go first; several that are alike are one."""
        self.scan(more=(np.arange(N + 1.0), "deg"), still=(np.full(N, 3.0), "deg"), position=(TRUTH, "mm"))
        self.assertEqual(self.angles()[0].size, 0)
        self.scan(more=(np.arange(N + 1.0), "deg"), still=(np.full(N, 3.0), "deg"), srot=(TRUTH, "deg"), set_point=(TRUTH, "deg"))
        np.testing.assert_allclose(self.angles()[0], TRUTH, rtol=1e-12)
        self.scan(other=(TRUTH + 1, "deg"))
        with h5py.File("scan.h5", "a") as file:
            file["entry/data/theta"] = TRUTH
            file["entry/linked"] = h5py.SoftLink("/nowhere")
        np.testing.assert_allclose(self.angles()[0], TRUTH, rtol=1e-12)

    def test_several(self):
        self.scan(a=(TRUTH, "deg"), b=(TRUTH + 5, "deg"))
        self.refused("bad-file", "'scan.h5' has several lists of 60 angles, which differ: name the right one, as in "
                                 "angles=scan.h5:/entry/a: it has /entry/a, /entry/b", "read", "path=scan.h5")
        np.testing.assert_allclose(self.angles("angles=scan.h5:/entry/b")[0], TRUTH + 5, rtol=1e-12)

    def test_from_another_file(self):
        np.save("p.npy", self.data)
        with h5py.File("motors.h5", "w") as file:
            file["log/srot"] = np.radians(TRUTH)
            file["log/srot"].attrs["units"] = "rad"
            file["log/plain"] = TRUTH
            file["log/long"] = np.zeros(N + 1)
        for words in "angles=motors.h5:/log/srot", "angles=motors.h5", "angles=motors.h5:/log/plain":
            got, said = self.angles(words, path="p.npy")
            np.testing.assert_allclose(got, TRUTH, rtol=1e-12)
            self.assertEqual(said, [])
        info, _ = self.read("path=p.npy", "angles=motors.h5:/log/srot", "projections=10:50:2")
        np.testing.assert_allclose(np.degrees(info["angles"]), TRUTH[10:50:2], rtol=1e-12)
        read = "read", "path=p.npy"
        self.refused("bad-file", "'motors.h5' has no dataset '/log/none': name one of the lists with a number for each projection, as in "
                                 "angles=FILE:/NAME: /log/plain, /log/srot", *read, "angles=motors.h5:/log/none")
        self.refused("bad-file", "'motors.h5' /log/long has 61 angles for 60 projections: it needs one for each", *read, "angles=motors.h5:/log/long")
        with h5py.File("usual.h5", "w") as file:
            file["exchange/theta"] = TRUTH
            file["other"] = TRUTH + 3
        np.testing.assert_allclose(self.angles("angles=usual.h5", path="p.npy")[0], TRUTH, rtol=1e-12)
        with h5py.File("motors.h5", "w") as file:
            file["log/srot"] = np.radians(np.linspace(0, 180, N))
        self.refused("bad-file", "the angles in 'motors.h5' /log/srot span 3.14159, which may be radians: give the dataset an attribute 'units', degrees "
                     "or radians", *read, "angles=motors.h5:/log/srot")
        self.refused("bad-file", "'motors.h5' has no list with an angle for each projection and a unit of angles: name one of the lists "
                                 "with a number for each projection, as in angles=FILE:/NAME: /log/srot", *read, "angles=motors.h5")
        self.refused("bad-file", "angles=absent.h5:/x is neither degrees start:stop, as 0:180, nor the name of a file with angles",
                     *read, "angles=absent.h5:/x")


if __name__ == "__main__":
    unittest.main(verbosity=2)
