# SPDX-License-Identifier: LGPL-3.0-or-later
"""What `read` finds beside the projections of HDF5: angles, darks, flats, geometry."""
import resource
import unittest

import h5py
import numpy as np
from filestest import CHAIN, FilesTest, write_scan


class Scan(FilesTest):
    def setUp(self):
        super().setUp()
        self.data = self.random((91, 3, 8), np.uint16)
        write_scan("scan.h5", self.data, theta=False)

    def angles(self, *words):
        return np.degrees(self.read("path=scan.h5", *words)[0]["angles"])

    def test_angles(self):
        truth = -88.2 + 2 * np.arange(91)
        np.testing.assert_allclose(self.angles("angles=-88.2:93.8"), truth, atol=1e-10)
        np.testing.assert_allclose(self.angles("angles=-88.2:93.8:2"), truth, atol=1e-10)
        np.testing.assert_allclose(self.angles("angles=93.8:-88.2"), 93.8 - 2 * np.arange(91), atol=1e-10)
        np.testing.assert_allclose(self.angles("angles=-88.2:93.8:2", "projections=5:50:3"), truth[5:50:3], atol=1e-10)
        np.savetxt("angles.txt", truth, header="degrees")
        np.testing.assert_allclose(self.angles("angles=angles.txt", "projections=5:50:3"), truth[5:50:3], atol=1e-10)

        # A stream may do without.
        info, array = self.read("path=scan.h5", "projections=5:50:3")
        self.assertEqual(info["angles"], [])
        np.testing.assert_array_equal(array, self.data[5:50:3])

    def test_sinograms_of_a_fan_beam(self):
        """They come as projections, which the nodes for such beams want; also where a chunk holds several lines."""
        beam = ["source-origin=50", "origin-detector=20", "pixel-size=0.1", "angles=0:360"]
        flats = self.random((2, 3, 8), np.uint16)
        np.save("flats.npy", flats)
        for how in {}, {"chunks": (1, 10, 8), "compression": "gzip"}, {"chunks": (2, 7, 5), "compression": "gzip"}:
            write_scan("sinograms.h5", self.data.transpose(1, 0, 2), theta=False, **how)
            for rows, angles in (1, 4), (3, 91):
                info, array = self.read("path=sinograms.h5", "axes=sinograms", *beam, "flats=flats.npy", rows=rows, angles=angles)
                self.assertEqual(info["format"].split("(")[0], "u16 projections ")
                np.testing.assert_array_equal(array, self.data)
                np.testing.assert_array_equal(self.frames(info, "flats"), flats)
                info, array = self.read("path=sinograms.h5", "axes=sinograms", *beam, "rows=1:", "projections=3:80:2", "columns=2:7", rows=rows, angles=angles)
                np.testing.assert_array_equal(array, self.data[3:80:2, 1:, 2:7])
        np.save("one.npy", self.data[:, 1])
        info, array = self.read("path=one.npy", "axes=sinograms", *beam)
        np.testing.assert_array_equal(array, self.data[:, 1:2])
        info, array = self.read("path=one.npy", "axes=sinograms", "angles=0:360")
        np.testing.assert_array_equal(array, self.data[None, :, 1])

    def test_geometry_follows_the_columns(self):
        with h5py.File("scan.h5", "a") as file:
            file["exchange/theta"] = np.arange(91.)
            file["exchange/rotation_axis"] = [5.25]
            file["exchange/data"].attrs["pixel_size"] = 0.5
        info, _ = self.read("path=scan.h5")
        self.assertEqual((info["axis"], info["pixel_size"]), ([5.25], 0.5))
        info, _ = self.read("path=scan.h5", "columns=2:7")
        self.assertEqual((info["axis"], info["pixel_size"]), ([3.25], 0.5))
        # Column i is centred at 1 + 2 i + 1/2; 5.25 lies 1.875 columns from the centre of the first one.
        info, _ = self.read("path=scan.h5", "columns=1::2")
        self.assertEqual((info["axis"], info["pixel_size"]), ([1.875 + 0.5], 1.0))
        with h5py.File("scan.h5", "a") as file:
            del file["exchange/rotation_axis"]
            file["exchange/rotation_axis"] = np.linspace(3, 4, 91)
        info, _ = self.read("path=scan.h5", "projections=10:20:5", "columns=1:")
        np.testing.assert_allclose(info["axis"], np.linspace(3, 4, 91)[10:20:5] - 1)

    def test_companions_from_paths(self):
        before, after, dark = (self.random((n, 3, 8), t) for n, t in ((2, np.float32), (3, np.float32), (1, np.uint8)))
        write_scan("before.h5", before, theta=False)
        with h5py.File("after.h5", "w") as file:
            file["exchange/data"] = self.random((5, 9, 9), np.float32)  # pixels of another scan
            file["exchange/data_white"] = after
        write_scan("dark.h5", dark, theta=False, chunks=(1, 3, 8), compression="gzip")
        words = ["angles=0:91", "darks=dark.h5", "flats=before.h5", "rows=1:3", "columns=:7:2"]
        info, array = self.read("path=scan.h5", *words, "flats-after=after.h5")
        np.testing.assert_array_equal(array, self.data[:, 1:3, :7:2])
        np.testing.assert_array_equal(self.frames(info, "flats"), np.concatenate([before, after])[:, 1:3, :7:2])
        np.testing.assert_array_equal(self.frames(info, "darks"), dark[:, 1:3, :7:2])
        self.assertEqual(info["flats"]["positions"], [-0.5, -0.5, 90.5, 90.5, 90.5])
        self.assertEqual((info["flats"]["whole"], info["darks"]["whole"]), (False, True))
        info, _ = self.read("path=scan.h5", *words)
        self.assertEqual(info["flats"]["positions"], [])
        info, _ = self.read("path=scan.h5", *words, "flats-after=after.h5", "projections=10::2")
        self.assertEqual(info["flats"]["positions"], [-5.25, -5.25, 40.25, 40.25, 40.25])

    def test_times_of_flats(self):
        with h5py.File("scan.h5", "a") as file:
            file["exchange/theta"] = 2 * np.arange(91.)
            file["exchange/data_white"] = self.random((4, 3, 8), np.uint16)
            file["exchange/theta_white"] = [0., 0., 91., 180.]
        info, _ = self.read("path=scan.h5")
        self.assertEqual(info["flats"]["positions"], [-0.5, -0.5, 45.5, 90.5])

    def test_angles_as_programs_write_them(self):
        """Marks of Windows, a header, numbered lines, decimal commas."""
        want = [1.5 * i for i in range(91)]
        plain = [f"{angle:g}" for angle in want]
        commas = [word.replace(".", ",") for word in plain]
        for name, content in (("a mark", b"\xef\xbb\xbf" + "\r\n".join(plain).encode()),
                              ("two bytes", "\ufeff".encode("utf-16-le") + "\r\n".join(plain).encode("utf-16-le")),
                              ("a header", ("angle\n" + "\n".join(plain)).encode()),
                              ("a header in quotes", ('"rotation angle (deg)";\n' + ";\n".join(plain)).encode()),
                              ("numbered lines", "".join(f"{i},{word}\n" for i, word in enumerate(plain)).encode()),
                              ("lines from 1 on", "".join(f"{i}\t{word}\n" for i, word in enumerate(plain, 1)).encode()),
                              ("decimal commas", "\n".join(commas).encode()),
                              ("a header and decimal commas", ("Nr;Winkel\n" + "\n".join(f"{i};{word}" for i, word in enumerate(commas))).encode()),
                              ("one line", ", ".join(plain).encode())):
            with self.subTest(name):
                with open("angles.txt", "wb") as file:
                    file.write(content)
                info, _ = self.read("path=scan.h5", "angles=angles.txt")
                self.assertEqual([round(np.degrees(angle), 6) for angle in info["angles"]], want)
        with open("angles.txt", "w") as file:
            file.write("angle [rad]\n" + "\n".join(f"{i * 0.03}" for i in range(91)))
        info, _ = self.read("path=scan.h5", "angles=angles.txt")
        self.assertAlmostEqual(info["angles"][-1], 2.7, 9)
        with open("angles.txt", "w") as file:
            file.write("\n".join(f"{i * 0.035}" for i in range(91)))
        self.refused("bad-file", "the angles in 'angles.txt' span 3.15, which may be radians: begin the file with the line "
                     "'# radians', or with '# degrees'", "read", "path=scan.h5", "angles=angles.txt")
        with open("angles.txt", "w") as file:
            file.write("\n".join(f"{i},{2 * i}" for i in range(91)))
        self.refused("bad-file", "'angles.txt': its commas may be decimal commas or separators: use decimal points, or spaces between "
                                 "numbers", "read", "path=scan.h5", "angles=angles.txt")
        with open("angles.txt", "w") as file:  # as many numbers as the scan has projections, and half of them are no angles
            file.write("\n".join(f"{i} {2 * i}" for i in range(45)))
        info, _ = self.read("path=scan.h5", "projections=0:45", "angles=angles.txt")
        self.assertEqual([round(np.degrees(angle), 6) for angle in info["angles"]], [2 * i for i in range(45)])
        with open("angles.txt", "w") as file:
            file.write("\n".join(f"{i},5,7" for i in range(91)))
        self.refused("bad-file", "'angles.txt' has 273 angles for 91 projections: it needs one for each", "read", "path=scan.h5",
                     "angles=angles.txt")

    def test_refuses(self):
        with h5py.File("other.h5", "w") as file:
            file["exchange/data"] = self.random((2, 4, 8), np.uint16)
            file["exchange/data_white"] = self.random((2, 3, 8), np.float32)
        with open("angles.txt", "w") as file:
            file.write("0\n1\n2\n")
        with open("words.txt", "w") as file:
            file.write("0\n1 north\n")
        read = ["read", "path=scan.h5"]
        self.refused("bad-file", "'angles.txt' has 3 angles for 91 projections: it needs one for each", *read,
                     "angles=angles.txt")
        self.refused("bad-file", "'words.txt' line 2: 'north' is not an angle in degrees", *read, "angles=words.txt")
        self.refused("bad-file", "angles=absent.txt is neither degrees start:stop, as 0:180, nor the name of a file with angles", *read, "angles=absent.txt")
        self.refused("bad-property", "angles=0:180:1 makes 180 angles for 91 projections: correct the step, or write angles=0:180 without "
                                     "a step if the projections are spread evenly", *read, "angles=0:180:1")
        self.refused("bad-property", "angles=0:180:2 makes 90 angles for 91 projections: write angles=0:180:inclusive if the last one is "
                                     "at 180", *read, "angles=0:180:2")
        self.refused("bad-property", "angles=0:160:2 makes 80 angles for 91 projections: leave out darks, flats and projections after the "
                                     "turn with projections=begin:end", *read, "angles=0:160:2")
        read.append("angles=0:180")
        self.refused("bad-file", "the darks in 'other.h5' /exchange/data have 4 rows and 8 columns, the projections in "
                     "'scan.h5' /exchange/data have 3 and 8: set darks= to frames of the same detector area", *read,
                     "darks=other.h5")
        self.refused("bad-file", "flats-after=other.h5 contains f32 values, and the flats before the scan are u16: they must be the same", *read, "flats=scan.h5", "flats-after=other.h5")
        self.refused("bad-property", "rows=5:9 contains none of the 3 rows of the scan", *read, "rows=5:9")
        self.refused("bad-property", "rows=7 is outside the 3 rows of the scan", *read, "rows=7")
        self.refused("bad-property", "projections=a:b is not a range: give begin:end or begin:end:step, for example "
                     "projections=0:91", *read, "projections=a:b")
        self.refused("bad-property", "columns=::0 has a step of 0: it must be 1 or more", *read, "columns=::0")
        self.refused("bad-property", "darks=other.h5 has no meaning for axes=slices: leave it out", "read",
                     "path=scan.h5", "axes=slices", "darks=other.h5")
        self.refused("bad-property", "path is missing: set path= to a file, a folder or a pattern", "read")
        with h5py.File("scan.h5", "a") as file:
            file["exchange/theta"] = np.arange(90.)
        self.refused("bad-file", "'scan.h5' /exchange/data has 91 projections and 90 angles in /exchange/theta: set angles= to give the "
                                 "right ones", "read", "path=scan.h5")
        with h5py.File("scan.h5", "a") as file:
            file["exchange/data_dark"] = self.random((2, 3, 7), np.uint16)
        self.refused("bad-file", "the darks in 'scan.h5' /exchange/data_dark have 3 rows and 7 columns, the projections "
                     "in 'scan.h5' /exchange/data have 3 and 8: set darks= to frames of the same detector area", *read)


    def change(self, **datasets):
        """The scan with other datasets beside it."""
        with h5py.File("scan.h5", "a") as file:
            for name, value in datasets.items():
                if name in file["exchange"]:
                    del file["exchange/" + name]
                if value is not None:
                    file["exchange/" + name] = value

    def test_refuses_senseless_geometry(self):
        read = ["read", "path=scan.h5"]
        for name in "theta", "rotation_axis":
            for bad, shown in (np.nan, "nan"), (-np.inf, "-inf"), (1e300, "1e+300"):
                values = np.arange(91.)
                values[7] = bad
                self.change(**{name: values})
                self.refused("bad-file", f"'scan.h5' /exchange/{name}: value 7 is {shown}: numbers must be from -1e9 to 1e9", *read)
            self.change(**{name: None})
        self.change(rotation_axis=np.arange(3.))
        self.refused("bad-file", "'scan.h5' /exchange/rotation_axis has 3 values for 91 projections: it needs one, or one for each: set "
                                 "axis=", *read)
        self.change(rotation_axis="left")
        self.refused("bad-file", "'scan.h5' /exchange/rotation_axis contains words: it must contain numbers", *read)
        self.change(rotation_axis=None)
        for bad, shown in (0., "0"), (-1., "-1"), (np.nan, "nan"), (np.inf, "inf"):
            with h5py.File("scan.h5", "a") as file:
                file["exchange/data"].attrs["pixel_size"] = bad
            self.refused("bad-file", f"the attribute 'pixel_size' of 'scan.h5' /exchange/data is {shown}: it must be from 1e-30 to 1e30", *read)
        with h5py.File("scan.h5", "a") as file:
            del file["exchange/data"].attrs["pixel_size"]
        for word in "-1e308:1e308", "0:1e10", "-2e9:0:1":
            self.refused("bad-property", f"angles={word}: degrees must be from -1e9 to 1e9", *read, "angles=" + word)
        for word in "1e300", "nan", "inf", "-inf":
            with open("angles.txt", "w") as file:
                file.write(f"0\n{word}\n")
            self.refused("bad-file", f"'angles.txt' line 2: '{word}' is not an angle in degrees", *read, "angles=angles.txt")
        with open("angles.txt", "w") as file:
            file.truncate(2 << 20)
        self.refused("bad-file", "cannot read angles 'angles.txt': it is larger than 1.0 MiB", *read,
                     "angles=angles.txt")

    def test_attributes_that_are_lists(self):
        """They would not fit where one value is read to."""
        one = h5py.string_dtype("ascii", 7)
        for name, values, n in (("units", np.array(["degrees"] * 5000, one), 5000), ("units", np.array([], one), 0),
                                ("pixel_size", np.ones(5000), 5000)):
            self.change(theta=np.arange(91.))
            with h5py.File("scan.h5", "a") as file:
                owner = "theta" if name == "units" else "data"
                file["exchange/" + owner].attrs[name] = values
            self.refused("bad-file", f"the attribute '{name}' of 'scan.h5' /exchange/{owner} has {n} values: it must "
                         "have one", "read", "path=scan.h5")
        with h5py.File("scan.h5", "a") as file:
            del file["exchange/data"].attrs["pixel_size"]
            file["exchange/theta"].attrs["units"] = np.array(["radians"], one)  # numpy's way to write one
        np.testing.assert_allclose(self.angles(), np.degrees(np.arange(91)), rtol=1e-15)

    def test_counts_are_compared_before_anything_is_read(self):
        """A few bytes in a file can claim any size; the process has 4 GiB of addresses here."""
        def sparse(name, shape, **how):
            with h5py.File("scan.h5", "a") as file:
                if name in file["exchange"]:
                    del file["exchange/" + name]
                file["exchange"].create_dataset(name, shape, **how)
        with open(CHAIN, "rb") as program:
            content = program.read()
        sanitized = b"__asan_" in content or b"__tsan_" in content  # they take terabytes
        if not sanitized:
            before = resource.getrlimit(resource.RLIMIT_AS)
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, before[1]))
            self.addCleanup(resource.setrlimit, resource.RLIMIT_AS, before)
        read = ["read", "path=scan.h5"]
        sparse("theta", (2**33,), dtype=np.float64, chunks=(1024,))
        self.refused("bad-file", "'scan.h5' /exchange/data has 91 projections and 8589934592 angles in /exchange/theta: set angles= to "
                                 "give the right ones", *read)
        self.change(theta=None)
        sparse("rotation_axis", (2**33,), dtype=np.float64, chunks=(1024,))
        self.refused("bad-file", "'scan.h5' /exchange/rotation_axis has 8589934592 values for 91 projections: it needs one, or one for "
                                 "each: set axis=", *read)
        self.change(rotation_axis=None)
        for shape in (2**28, 1, 1), (1, 2**22 + 1, 1), (2**40, 2**40, 2**40):
            sparse("data", shape, dtype=np.uint16, chunks=(1, 1, 1))
            self.refused("bad-file", f"'scan.h5' /exchange/data has {' x '.join(map(str, shape))} pixels: at most 4194304 "
                         "along an axis work", *read, "angles=0:180")
        sparse("data", (2**22, 2**22, 2**22), dtype=np.uint16, chunks=(1, 1, 1))
        self.refused("bad-file", "'scan.h5' /exchange/data claims to contain 131072 PiB: no file is so large", *read,
                     "angles=0:180")


if __name__ == "__main__":
    unittest.main()
