# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of MATLAB files of version 5 that SciPy writes, and of those that it does not: of the other byte order, and with numbers
stored in less room, as MATLAB does. Costs 3 s."""
import struct
import unittest
import zlib

import numpy as np
from filestest import FilesTest
from matfile import array, element, mat, packed
from scipy.io import savemat

ANGLES = "angles=0:180"


class Matlab(FilesTest):
    def same(self, path, truth, *words):
        for options in {}, {"rows": 2, "angles": 3, "threads": 2}:
            info, array = self.read("path=" + path, ANGLES, *words, **options)
            np.testing.assert_array_equal(array, truth)
            _, part = self.read("path=" + path, ANGLES, *words, "projections=1::2", "rows=1:", "columns=1:6:2", **options)
            np.testing.assert_array_equal(part, truth[1::2, 1:, 1:6:2])
        return info

    def put(self, content, name="x.mat"):
        with open(name, "wb") as file:
            file.write(content)

    def fails(self, message, path="x.mat", *words):
        self.refused("bad-file", message, "read", "path=" + path, ANGLES, *words)

    def test_scipy(self):
        """P(column, row, angle), as files of version 7.3 have it."""
        for kind in np.uint8, np.uint16, np.float32, np.float64, np.int16, np.int32:
            data = self.random((9, 4, 7), kind)
            truth = data if kind in (np.uint8, np.uint16, np.float32) else data.astype(np.float32)
            for do_compression in False, True:
                savemat("x.mat", {"P": data.transpose(2, 1, 0), "scalar": 3.5, "words": "text", "theta": np.arange(9.0) * 20, "s": {"a": data}},
                        do_compression=do_compression)
                info = self.same("x.mat", truth)
                self.assertEqual(info["warnings"], [])
                info, _ = self.read("path=x.mat")
                np.testing.assert_allclose(np.degrees(info["angles"]), np.arange(9) * 20, rtol=1e-12)

    def test_by_hand(self):
        for order in "<", ">":
            for pack in (lambda order, m: m), packed:
                for kind, stored in ("f8", "u1"), ("f8", "i2"), ("f4", "u2"), ("u2", "u1"), ("u2", "u2"), ("f4", "f4"), ("i4", "i1"), ("u8", "u8"):
                    data = self.rng.integers(0, 100, (9, 4, 7)).astype(kind)
                    self.put(mat(order, pack(order, array(order, "a", np.eye(1))), pack(order, array(order, "images", data.transpose(2, 1, 0), stored)),
                                 pack(order, element(order, 14, element(order, 6, struct.pack(order + "II", 2, 0))))))
                    info = self.same("x.mat", data)
                    self.assertEqual(info["element"], {"f8": "f32", "f4": "f32", "i4": "f32", "u8": "f32", "u2": "u8" if stored == "u1" else "u16"}[kind])

    def test_choice(self):
        data = self.random((5, 4, 7), np.float32)
        savemat("x.mat", {"P": data.T, "flats": data[:2].T, "picture": data[0].T})
        self.fails("'x.mat' has several arrays that can contain images, name one, as in x.mat:P: it has P (7 x 4 x 5 f32), flats (7 x 4 x "
                   "2 f32), picture (7 x 4 f32)")
        for path in "x.mat:P", "x.mat:/P":
            info, array = self.read("path=" + path, ANGLES, "flats=x.mat:flats")
            np.testing.assert_array_equal(array, data)
            np.testing.assert_array_equal(self.frames(info, "flats"), data[:2])
        _, array = self.read("path=x.mat", "dataset=picture", ANGLES)
        np.testing.assert_array_equal(array, data[:1])
        self.fails("'x.mat' has no array 'Q': it has P (7 x 4 x 5 f32), flats (7 x 4 x 2 f32), picture (7 x 4 f32)", "x.mat:Q")
        savemat("x.mat", {"s": {"P": data}})
        self.fails("'x.mat' has no array that can contain images: it has no array of numbers; structs are not searched")
        savemat("x.mat", {"P": data.T + 1j})
        self.fails("'x.mat': 'P' contains complex numbers: save real numbers")
        savemat("x.mat", {"P": np.zeros((2, 3, 4, 5))})
        self.fails("'x.mat' has no array that can contain images: it has P (2 x 3 x 4 x 5 f64)")
        savemat("x.mat", {"P": np.zeros((80, 3, 4)), "theta": np.linspace(0, np.pi, 100)})
        savemat("x.mat", {"P": np.zeros((4, 3, 100)), "theta": np.linspace(0, np.pi, 100)})
        self.refused("bad-file", "'x.mat' theta: the angles span 3.14159, which may be radians: give degrees, as angles=start:stop or in a "
                                 "text file",
                     "read", "path=x.mat")

    def test_damaged(self):
        data = self.rng.integers(0, 100, (9, 4, 7)).astype("u2")
        whole = array("<", "P", data.transpose(2, 1, 0))
        self.put(mat("<", whole)[:-20])
        end = 128 + len(whole)
        self.fails(f"'x.mat' is truncated: an array in it ends at byte {end}, the file has {end - 20}")
        short = packed("<", whole)
        self.put(mat("<", short[:8] + short[8:80] + bytes(len(short) - 80)))
        with self.assertRaisesRegex(Exception, "'x.mat' is damaged: "):
            self.read("path=x.mat", ANGLES)
        self.put(mat("<", struct.pack("<II", 15, len(short) - 28) + short[8:-20]))
        self.fails("'x.mat' is damaged: its packed bytes end too early")
        sizes = whole.index(struct.pack("<iii", 7, 4, 9))
        for size in (7, 4, -9), (2**31 - 1,) * 3, (7, 4, 10), (0, 4, 9):
            self.put(mat("<", whole[:sizes] + struct.pack("<iii", *size) + whole[sizes + 12:]))
            with self.assertRaisesRegex(Exception, "'x.mat' (is damaged: |has no array that can contain images)"):
                self.read("path=x.mat", ANGLES)
        self.put(mat("<", whole[:-8 - data.nbytes] + struct.pack("<II", 99, data.nbytes) + whole[-data.nbytes:]))
        self.fails("'x.mat' is damaged: values of an array have an unknown type")
        self.put(mat("<", whole)[:126] + b"XX" + whole)
        self.fails("'x.mat' is damaged: its header does not give the byte order")
        # Much from few bytes.
        bomb = zlib.compress(bytes(200))
        self.put(mat("<", struct.pack("<II", 15, len(bomb)) + bomb))
        self.fails("'x.mat' has no array that can contain images: it has no array of numbers; structs are not searched")


if __name__ == "__main__":
    unittest.main(verbosity=2)
