# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of NXtomo and its relatives: frames told apart by image_key, links, several detectors, MATLAB's files."""
import unittest

import h5py
import numpy as np
from filestest import FilesTest

KEYS = np.array([2, 2, 1, 0, 0, 0, 1, 3, 0, 0, 1])
FLATS, DARKS, PROJECTIONS = (np.flatnonzero(KEYS == n) for n in (1, 2, 0))
ANGLES = np.linspace(-20, 160, len(KEYS))


def nxtomo(path, data, keys=KEYS, angles=ANGLES, entry="entry1/tomo_entry", detector="detector", **how):
    with h5py.File(path, "a") as file:
        place = file.create_group(f"{entry}/instrument/{detector}")
        place.create_dataset("data", data=data, **how)
        if keys is not None:
            place["image_key"] = keys
        if angles is not None and entry + "/sample" not in file:
            file[entry + "/sample/rotation_angle"] = angles
            file[entry + "/sample/rotation_angle"].attrs["units"] = "degree"


class Keys(FilesTest):
    def setUp(self):
        super().setUp()
        self.data = self.random((len(KEYS), 4, 6), np.uint16)

    def check(self, *words, chosen=np.s_[:], **options):
        info, array = self.read("path=scan.nxs", *words, **options)
        np.testing.assert_array_equal(array, self.data[PROJECTIONS][chosen])
        np.testing.assert_array_equal(self.frames(info, "flats"), self.data[FLATS])
        np.testing.assert_array_equal(self.frames(info, "darks"), self.data[DARKS])
        np.testing.assert_allclose(np.degrees(info["angles"]), ANGLES[PROJECTIONS][chosen], rtol=1e-12)
        return info

    def test_frames_are_split(self):
        """In storage of every kind, chunks with frames of several kinds among it."""
        for how in ({}, {"chunks": (1, 4, 6), "compression": "gzip"}, {"chunks": (4, 2, 6), "compression": "gzip"},
                    {"chunks": (3, 4, 3), "scaleoffset": 0}):
            nxtomo("scan.nxs", self.data, **how)
            for options in {}, {"rows": 1, "angles": 2, "threads": 3}:
                info = self.check(**options)
                self.assertEqual((info["flats"]["positions"], info["darks"]["positions"]), ([-0.5, 2.5, 4.5], [-0.5, -0.5]))
                self.assertEqual(info["warnings"], [])
            info = self.check("projections=1::2", chosen=np.s_[1::2])
            self.assertEqual(info["flats"]["positions"], [-0.75, 0.75, 1.75])
            self.assertEqual(info["warnings"], ["'scan.nxs' /entry1/tomo_entry/instrument/detector/data: projections=1::2 counts only "
                                                "projections: image_key lists 2 darks, 3 flats and 5 projections among 11 frames".replace(
                                                    "image_key", "/entry1/tomo_entry/instrument/detector/image_key")])
            h5py.File("scan.nxs", "w").close()

    def test_angles(self):
        """Of the projections alone, in radians, or from the property."""
        nxtomo("scan.nxs", self.data, angles=ANGLES[PROJECTIONS])
        self.check()
        with h5py.File("scan.nxs", "a") as file:
            angle = file["entry1/tomo_entry/sample/rotation_angle"]
            angle[:] = np.radians(ANGLES[PROJECTIONS])
            angle.attrs["units"] = "radian"
        self.check()
        info, _ = self.read("path=scan.nxs", "angles=0:180")
        np.testing.assert_allclose(np.degrees(info["angles"]), np.arange(5) * 36, atol=1e-12)
        info, _ = self.read("path=scan.nxs", "angles=0:180:inclusive")
        np.testing.assert_allclose(np.degrees(info["angles"]), np.arange(5) * 45, atol=1e-12)

    def test_other_frames_are_preferred(self):
        nxtomo("scan.nxs", self.data)
        for name, kind in ("all.nxs", 0), ("flats.nxs", 1):
            nxtomo(name, self.data[:3], keys=[kind] * 3, angles=None)
            info, _ = self.read("path=scan.nxs", "flats=" + name)
            np.testing.assert_array_equal(self.frames(info, "flats"), self.data[:3])
            np.testing.assert_array_equal(self.frames(info, "darks"), self.data[DARKS])
        info, _ = self.read("path=all.nxs", "flats=scan.nxs")
        np.testing.assert_array_equal(self.frames(info, "flats"), self.data[FLATS])

    def test_control_keys(self):
        """ESRF's: images of the end that are no part of the turn have the key of projections, and a mark elsewhere."""
        nxtomo("scan.nxs", self.data, keys=np.where(KEYS == 3, 0, KEYS), entry="entry0000")
        with h5py.File("scan.nxs", "a") as file:
            file["entry0000/instrument/detector/image_key_control"] = np.where(KEYS == 3, -1, KEYS)
            file["entry0000/data/data"] = h5py.SoftLink("/entry0000/instrument/detector/data")
        self.check()

    def test_by_another_name(self):
        """NXdata names the same images, keys and angles."""
        nxtomo("scan.nxs", self.data)
        with h5py.File("scan.nxs", "a") as file:
            names = file.create_group("entry1/tomo_entry/data")  # before 'instrument' in the alphabet
            for name, place in ("data", "instrument/detector/data"), ("image_key", "instrument/detector/image_key"), (
                    "rotation_angle", "sample/rotation_angle"):
                names[name] = file["entry1/tomo_entry/" + place]
            file["default"] = h5py.SoftLink("/entry1")
        self.check()
        self.check("dataset=/entry1/tomo_entry/data/data")
        self.check("dataset=/default/tomo_entry/instrument/detector/data")

    def test_refuses(self):
        nxtomo("scan.nxs", self.data, keys=KEYS[:-1])
        self.refused("bad-file", "'scan.nxs' /entry1/tomo_entry/instrument/detector/data has 11 frames and 10 values in "
                     "/entry1/tomo_entry/instrument/detector/image_key: one for each is needed", "read", "path=scan.nxs")
        nxtomo("none.nxs", self.data, keys=np.full(11, 2))
        self.refused("bad-file", "'none.nxs' /entry1/tomo_entry/instrument/detector/data has no projections: "
                                 "/entry1/tomo_entry/instrument/detector/image_key lists 11 darks, 0 flats and 0 projections among 11 "
                                 "frames", "read", "path=none.nxs")
        nxtomo("good.nxs", self.data)
        self.refused("bad-file", "'none.nxs' /entry1/tomo_entry/instrument/detector/data has no frames for flats=: "
                                 "/entry1/tomo_entry/instrument/detector/image_key lists 11 darks, 0 flats and 0 projections among 11 "
                                 "frames", "read", "path=good.nxs", "flats=none.nxs")
        nxtomo("good.nxs", self.data, detector="camera")
        self.refused("bad-file", "'good.nxs' has images of several detectors, set dataset= to one of them: "
                     "/entry1/tomo_entry/instrument/camera/data (11 x 4 x 6), "
                     "/entry1/tomo_entry/instrument/detector/data (11 x 4 x 6)", "read", "path=good.nxs")
        info, array = self.read("path=good.nxs", "dataset=/entry1/tomo_entry/instrument/camera/data")
        np.testing.assert_array_equal(array, self.data[PROJECTIONS])
        self.assertEqual(len(info["angles"]), 5)


class Links(FilesTest):
    def test_images_elsewhere(self):
        data = self.random((5, 4, 6), np.uint16)
        with h5py.File("raw.h5", "w") as file:
            file["deep/er/images"] = data
        for link in h5py.ExternalLink("raw.h5", "/deep/er/images"), h5py.ExternalLink("raw.h5", "/deep"):
            with h5py.File("scan.h5", "w") as file:
                file["scan/frames"] = link
                file["scan/again"] = h5py.SoftLink("/scan")  # in a circle
                file["scan/gone"] = h5py.ExternalLink("absent.h5", "/x")
            _, array = self.read("path=scan.h5")
            np.testing.assert_array_equal(array, data)
        with h5py.File("scan.h5", "w") as file:
            file["scan/frames"] = h5py.ExternalLink("absent.h5", "/images")
        self.refused("bad-file", "'scan.h5' has no /exchange/data, set dataset=: it has /scan/frames (a broken link)", "read", "path=scan.h5")
        self.refused("bad-file", "'scan.h5' /scan/frames is a link to /images in 'absent.h5', which is missing or cannot be "
                     "opened", "read", "path=scan.h5", "dataset=/scan/frames")

    def test_names_behind_a_colon(self):
        """As other programs write them, which also names the dataset of frames."""
        data, flats = self.random((5, 4, 6), np.uint16), self.random((2, 4, 6), np.uint16)
        with h5py.File("scan.h5", "w") as file:
            file["images"], file["bright"], file["more"] = data, flats, data
        for path in "scan.h5:/images", "scan.h5:/more":
            info, array = self.read("path=" + path, "flats=scan.h5:/bright")
            np.testing.assert_array_equal(array, data)
            np.testing.assert_array_equal(self.frames(info, "flats"), flats)
        self.refused("bad-file", "'scan.h5' has no /exchange/data_dark, name the dataset as in darks=scan.h5:/NAME: it has /bright "
                     "(2 x 4 x 6), /images (5 x 4 x 6), /more (5 x 4 x 6)", "read", "path=scan.h5", "dataset=/images",
                     "darks=scan.h5")
        self.refused("bad-property", "path=scan.h5:/more names a dataset, and dataset=/images names another: leave one of them out",
                     "read", "path=scan.h5:/more", "dataset=/images")
        self.refused("bad-file", "cannot open 'absent.h5:/images': No such file or directory", "read", "path=absent.h5:/images")


class Matlab(FilesTest):
    def test_of_version_7_3(self):
        """HDF5 behind a block of text, whose axes are the other way round: P(column, row, angle) are projections."""
        stack = self.rng.normal(size=(5, 4, 6))
        with h5py.File("scan.mat", "w", userblock_size=512) as file:
            file["P"] = stack
            file["P"].attrs["MATLAB_class"] = np.bytes_("double")
            file["angles"] = np.zeros((5, 1))
        with open("scan.mat", "r+b") as file:
            file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\0\2IM")
        for words in [], ["dataset=P"]:
            _, array = self.read("path=scan.mat", *words)
            np.testing.assert_array_equal(array, stack.astype(np.float32))


if __name__ == "__main__":
    unittest.main()
