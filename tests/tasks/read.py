# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of HDF5 against h5py and numpy indexing: values, places in the scan, and what is read from the file."""
import itertools
import os
import resource
import struct
import unittest

import h5py
import numpy as np
from filestest import CHAIN, FilesTest


def write_scan(path, data, theta=True, **extra):
    with h5py.File(path, "w") as file:
        file.create_dataset("exchange/data", data=data, **extra)
        if theta:
            file["exchange/theta"] = np.linspace(0, 180, len(data), endpoint=False)


class Hdf5(FilesTest):
    def test_dxchange(self):
        data, white, dark = (self.random(s, t) for s, t in (((7, 5, 9), np.uint16), ((2, 5, 9), np.float32),
                                                            ((3, 5, 9), np.uint8)))
        write_scan("scan.h5", data)
        with h5py.File("scan.h5", "a") as file:
            file["exchange/data_white"], file["exchange/data_dark"] = white, dark
        info, array = self.read("path=scan.h5", rows=2, angles=3)
        np.testing.assert_array_equal(array, data)
        self.assertEqual(info["format"], "u16 projections (angle 7, row 5, column 9)")
        np.testing.assert_allclose(np.degrees(info["angles"]), np.arange(7) * 180 / 7, atol=1e-12)
        np.testing.assert_array_equal(self.frames(info, "flats"), white)
        np.testing.assert_array_equal(self.frames(info, "darks"), dark)
        self.assertEqual((info["flats"]["positions"], info["darks"]["positions"]), ([], []))

    def test_types_and_byte_orders(self):
        for kind, order in itertools.product(("u1", "u2", "f2", "f4"), "<>"):
            for extra in {}, {"chunks": (2, 3, 4)}, {"chunks": (2, 3, 4), "fletcher32": True}:
                data = self.random((4, 5, 6), np.dtype(kind)).astype(order + kind)
                write_scan("scan.h5", data, **extra)
                _, array = self.read("path=scan.h5")
                np.testing.assert_array_equal(array, data)

    def test_ranges(self):
        """Random parts of random storage, cut into random blocks, are what numpy's indices give."""
        for trial in range(42):
            shape = self.rng.integers(1, [14, 12, 20], size=3, endpoint=True)
            chunks = tuple(int(self.rng.integers(1, n, endpoint=True)) for n in shape)
            extra = [{}, {"chunks": chunks}, {"chunks": chunks, "compression": "gzip"},
                     {"chunks": chunks, "compression": "gzip", "shuffle": True}, {"chunks": chunks, "shuffle": True},
                     {"chunks": chunks, "compression": "gzip", "fletcher32": True},
                     {"chunks": chunks, "scaleoffset": 0}][trial % 7]
            data = self.random(shape, [np.uint8, np.uint16, np.float32][trial % (2 if "scaleoffset" in extra else 3)])
            write_scan("scan.h5", data, **extra)
            ranges = []
            for n in shape:
                begin = int(self.rng.integers(0, n))
                end = int(self.rng.integers(begin + 1, n, endpoint=True))
                ranges.append((begin, end, int(self.rng.integers(1, 4))))
            names = {"projections": ("projections", "rows", "columns"), "sinograms": ("rows", "projections", "columns"),
                     "slices": ("rows", None, "columns")}
            axes = list(names)[trial % len(names)]
            words = [f"{name}={b}:{e}:{s}" for name, (b, e, s) in zip(names[axes], ranges) if name]
            if axes == "sinograms":
                words.append("angles=0:180")
            index = tuple(slice(*r) if name else slice(None) for name, r in zip(names[axes], ranges))
            with self.subTest(trial=trial, shape=shape, chunks=chunks, extra=extra, words=words):
                rows, angles, threads = (int(self.rng.integers(1, 5)) for _ in range(3))
                info, array = self.read("path=scan.h5", "axes=" + axes, *words, rows=rows, angles=angles,
                                        threads=threads)
                np.testing.assert_array_equal(array, data[index])
                places = [[r[0], r[2]] if name else [0, 1] for name, r in zip(names[axes], ranges)]
                self.assertEqual(info["places"], places)

    def test_python_ranges(self):
        data = self.random((6, 5, 8), np.uint16)
        write_scan("scan.h5", data)
        for word, index in ((":", np.s_[:]), ("2:", np.s_[2:]), (":-1", np.s_[:-1]), ("-3:", np.s_[-3:]),
                            ("::2", np.s_[::2]), ("1:100", np.s_[1:100]), ("3", np.s_[3:4]), ("-1", np.s_[-1:])):
            _, array = self.read("path=scan.h5", "rows=" + word)
            np.testing.assert_array_equal(array, data[:, index])

    def test_user_block_and_missing_chunks(self):
        """Addresses behind a user block, chunks never written, a scan of compact storage."""
        data = self.random((6, 4, 5), np.uint16)
        for chunks in None, (2, 2, 5):
            with h5py.File("scan.h5", "w", userblock_size=512) as file:
                file.create_dataset("exchange/data", data=data, chunks=chunks)
            _, array = self.read("path=scan.h5", "angles=0:180")
            np.testing.assert_array_equal(array, data)
        for extra in {}, {"compression": "gzip"}:
            with h5py.File("scan.h5", "w") as file:
                part = file.create_dataset("exchange/data", (6, 4, 5), np.uint16, chunks=(2, 2, 5), fillvalue=7, **extra)
                part[2:4, :2] = data[2:4, :2]
                truth = part[:]
            info, array = self.read("path=scan.h5", "angles=0:180")
            np.testing.assert_array_equal(array, truth)
            with h5py.File("scan.h5") as file:
                self.assertEqual(info["counters"]["bytes-read"], file["exchange/data"].id.get_storage_size())
        with h5py.File("scan.h5", "w") as file:
            creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            creation.set_layout(h5py.h5d.COMPACT)
            group = file.create_group("exchange").id
            compact = h5py.h5d.create(group, b"data", h5py.h5t.NATIVE_UINT16, h5py.h5s.create_simple((6, 4, 5)), creation)
            compact.write(h5py.h5s.ALL, h5py.h5s.ALL, data)
        _, array = self.read("path=scan.h5", "angles=0:180", rows=3, angles=2)
        np.testing.assert_array_equal(array, data)

    def test_unusual_filters(self):
        """What h5py does not write itself: deflate twice, and shuffle after it."""
        data = self.random((6, 4, 5), np.uint16)
        for filters in ["deflate", "deflate"], ["deflate", "shuffle"], ["shuffle", "deflate", "shuffle", "deflate"]:
            creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            creation.set_chunk((2, 4, 5))
            for name in filters:
                creation.set_deflate(1) if name == "deflate" else creation.set_shuffle()
            with h5py.File("scan.h5", "w") as file:
                made = h5py.h5d.create(file.create_group("exchange").id, b"data", h5py.h5t.NATIVE_UINT16,
                                       h5py.h5s.create_simple(data.shape), creation)
                made.write(h5py.h5s.ALL, h5py.h5s.ALL, data)
            _, array = self.read("path=scan.h5", rows=3, angles=4)
            np.testing.assert_array_equal(array, data)

    def test_virtual_dataset(self):
        data = self.random((6, 4, 5), np.float32)
        layout = h5py.VirtualLayout((6, 4, 5), np.float32)
        for i in range(2):
            with h5py.File(f"part{i}.h5", "w") as file:
                file["data"] = data[3 * i:3 * i + 3]
            layout[3 * i:3 * i + 3] = h5py.VirtualSource(f"part{i}.h5", "data", (3, 4, 5))
        with h5py.File("scan.h5", "w", libver="latest") as file:
            file.create_virtual_dataset("exchange/data", layout)
        _, array = self.read("path=scan.h5", "angles=0:180", "rows=1:3", rows=1, angles=4)
        np.testing.assert_array_equal(array, data[:, 1:3])

    def test_external_links(self):
        """A facility's master file: what belongs to the scan lies in other files, one of them with a user block."""
        data, white = self.random((6, 4, 5), np.uint16), self.random((2, 4, 5), np.uint16)
        os.mkdir("raw")
        for extra in {}, {"chunks": (2, 2, 5)}, {"chunks": (2, 2, 5), "compression": "gzip", "shuffle": True}:
            with h5py.File("raw/data.h5", "w") as file:
                file["padding"] = np.full(300, 7, np.uint16)
                file.create_dataset("entry/images", data=data, **extra)
            with h5py.File("raw/more.h5", "w", userblock_size=512) as file:
                file.create_dataset("flats", data=white, **extra)
                file["angles"] = np.arange(6.)
            with h5py.File("master.h5", "w") as file:
                file["exchange/padding"] = np.full(20000, 9, np.uint16)
                file["exchange/data"] = h5py.ExternalLink("raw/data.h5", "/entry/images")
                file["exchange/data_white"] = h5py.ExternalLink("raw/more.h5", "/flats")
                file["exchange/theta"] = h5py.ExternalLink("raw/more.h5", "/angles")
            info, array = self.read("path=master.h5", rows=2, angles=4)
            np.testing.assert_array_equal(array, data)
            np.testing.assert_array_equal(self.frames(info, "flats"), white)
            np.testing.assert_allclose(np.degrees(info["angles"]), np.arange(6), atol=1e-12)

    def test_many_chunks(self):
        """More chunks than places are kept for."""
        data = self.random((100, 100, 2), np.uint16)
        write_scan("scan.h5", data, chunks=(1, 1, 2), compression="gzip")
        info, array = self.read("path=scan.h5", "rows=10:60:7", rows=2, angles=30)
        np.testing.assert_array_equal(array, data[:, 10:60:7])
        self.assertEqual(info["counters"]["chunks"], 100 * 8)

    def test_dataset_is_found(self):
        data = self.random((3, 4, 5), np.uint16)
        with h5py.File("scan.nxs", "w") as file:
            file["entry/tomo/data"] = data
            file["entry/tomo/theta"] = np.radians([0., 10., 25.])
            file["entry/tomo/theta"].attrs["units"] = "radians"
            file["entry/tomo/data_dark"] = data[0]  # one frame alone
            file["entry/log"] = np.zeros(3)
        for words in [], ["dataset=/entry/tomo/data"], ["dataset=entry/tomo/data"]:
            info, array = self.read("path=scan.nxs", *words)
            np.testing.assert_array_equal(array, data)
            np.testing.assert_allclose(np.degrees(info["angles"]), [0, 10, 25])
            np.testing.assert_array_equal(self.frames(info, "darks"), data[:1])


class Units(FilesTest):
    """What is read from the file, in chunks and bytes."""

    def test_contiguous_reads_the_range_alone(self):
        write_scan("scan.h5", self.random((10, 20, 30), np.uint16))
        info, _ = self.read("path=scan.h5", "rows=4:9", "columns=3:13", "projections=::2", rows=2, angles=3)
        self.assertEqual(info["counters"], {"bytes-read": 5 * 5 * 10 * 2})
        self.assertEqual(info["bytes_read"], 5 * 5 * 10 * 2)

    def test_chunks_outside_the_range_are_not_read(self):
        write_scan("scan.h5", self.random((10, 20, 30), np.uint16), chunks=(2, 4, 10))
        info, _ = self.read("path=scan.h5", "rows=5:9", "columns=12:18", "projections=:5")
        # Projections 0..4 touch 3 chunks, rows 5..8 two, columns 12..17 one.
        self.assertEqual(info["counters"], {"chunks": 6, "bytes-read": 6 * 2 * 4 * 10 * 2})
        self.assertEqual(info["bytes_read"], 6 * 2 * 4 * 10 * 2)

    def test_each_chunk_is_read_once_per_work_item(self):
        """However small the batches of angles are against the chunks."""
        data = self.random((24, 16, 6), np.float32)
        for chunks, rows, items in (((1, 16, 6), 4, 4), ((24, 1, 6), 4, 1), ((24, 16, 6), 8, 2), ((5, 3, 4), 6, 1)):
            per_item = {}
            write_scan("scan.h5", data, chunks=chunks, compression="gzip", shuffle=True)
            grid = [-(-n // c) for n, c in zip(data.shape, chunks)]
            lines = [len({r // chunks[1] for r in range(b, min(b + rows, 16))}) for b in range(0, 16, rows)]
            wanted = grid[0] * grid[2] * sum(lines)
            for angles in 1, 4, 7, 24:
                info, array = self.read("path=scan.h5", rows=rows, angles=angles)
                np.testing.assert_array_equal(array, data)
                self.assertEqual(info["counters"]["chunks"], wanted, (chunks, angles))
            self.assertEqual(wanted, grid[0] * grid[1] * grid[2] * items if chunks[1] in (1, 16) else wanted)

    def test_stored_bytes(self):
        write_scan("scan.h5", self.random((8, 6, 50), np.float32), chunks=(2, 6, 50), compression="gzip")
        with h5py.File("scan.h5") as file:
            stored = file["exchange/data"].id.get_storage_size()
        info, _ = self.read("path=scan.h5")
        self.assertEqual(info["counters"], {"chunks": 4, "bytes-read": stored})
        self.assertEqual(info["bytes_read"], 8 * 6 * 50 * 4)

    def test_sinograms_in_chunks_of_several_rows(self):
        data = self.random((9, 6, 5), np.uint16)
        write_scan("scan.h5", data, theta=False, chunks=(4, 6, 5), compression="gzip")
        info, array = self.read("path=scan.h5", "axes=sinograms", "angles=0:180", rows=3)
        np.testing.assert_array_equal(array, data)
        self.assertEqual(info["counters"]["chunks"], 3)


class Scan(FilesTest):
    """Angles, darks, flats, geometry."""

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
        np.testing.assert_allclose(self.angles("angles=-88.2:93.8", "projections=5:50:3"), truth[5:50:3], atol=1e-10)
        np.savetxt("angles.txt", truth, header="degrees")
        np.testing.assert_allclose(self.angles("angles=angles.txt", "projections=5:50:3"), truth[5:50:3], atol=1e-10)

        # A stream may do without.
        info, array = self.read("path=scan.h5", "projections=5:50:3")
        self.assertEqual(info["angles"], [])
        np.testing.assert_array_equal(array, self.data[5:50:3])

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
            file["exchange/data"] = self.random((5, 9, 9), np.float32)  # of another scan
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
        self.refused("bad-file", "cannot open 'absent.txt': No such file or directory", *read, "angles=absent.txt")
        self.refused("bad-property", "angles=0:180:1 makes 180 angles for 91 projections: give start:stop, and the step "
                     "follows", *read, "angles=0:180:1")
        read.append("angles=0:180")
        self.refused("bad-file", "the darks in 'other.h5' /exchange/data have 4 rows and 8 columns, the projections in "
                     "'scan.h5' /exchange/data have 3 and 8: set darks= to frames of the same detector area", *read,
                     "darks=other.h5")
        self.refused("bad-file", "flats-after=other.h5 holds f32 values and the flats before are u16: they must be the "
                     "same", *read, "flats=scan.h5", "flats-after=other.h5")
        self.refused("bad-property", "rows=5:9 holds none of the 3 rows of the scan", *read, "rows=5:9")
        self.refused("bad-property", "rows=7 is outside the 3 rows of the scan", *read, "rows=7")
        self.refused("bad-property", "projections=a:b is not a range: give begin:end or begin:end:step, for example "
                     "projections=0:91", *read, "projections=a:b")
        self.refused("bad-property", "columns=::0 has a step of 0: it must be 1 or more", *read, "columns=::0")
        self.refused("bad-property", "darks=other.h5 makes no sense for axes=slices: leave it out", "read",
                     "path=scan.h5", "axes=slices", "darks=other.h5")
        self.refused("bad-property", "path is missing: set path= to an HDF5 or TIFF file, a folder or a pattern", "read")
        with h5py.File("scan.h5", "a") as file:
            file["exchange/theta"] = np.arange(90.)
        self.refused("bad-file", "'scan.h5' /exchange/data has 91 projections and 90 angles in /exchange/theta: set "
                     "angles= to say which hold", "read", "path=scan.h5")
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
                self.refused("bad-file", f"'scan.h5' /exchange/{name}: value 7 is {shown}: numbers from -1e9 to 1e9 are "
                             "wanted", *read)
            self.change(**{name: None})
        self.change(rotation_axis=np.arange(3.))
        self.refused("bad-file", "/exchange/rotation_axis has 3 values for 91 projections: one, or one for each, is "
                     "needed", *read)
        self.change(rotation_axis="left")
        self.refused("bad-file", "cannot read 'scan.h5' /exchange/rotation_axis: no appropriate function for conversion "
                     "path", *read)
        self.change(rotation_axis=None)
        for bad, shown in (0., "0"), (-1., "-1"), (np.nan, "nan"), (np.inf, "inf"):
            with h5py.File("scan.h5", "a") as file:
                file["exchange/data"].attrs["pixel_size"] = bad
            self.refused("bad-file", f"the attribute 'pixel_size' of 'scan.h5' /exchange/data is {shown}: a length from "
                         "1e-30 to 1e30 is wanted", *read)
        with h5py.File("scan.h5", "a") as file:
            del file["exchange/data"].attrs["pixel_size"]
        for word in "-1e308:1e308", "0:1e10", "-2e9:0:1":
            self.refused("bad-property", f"angles={word}: degrees from -1e9 to 1e9 are wanted", *read, "angles=" + word)
        with open("angles.txt", "w") as file:
            file.write("0\n1e300\n")
        self.refused("bad-file", "'angles.txt' line 2: '1e300' is not an angle in degrees", *read, "angles=angles.txt")
        with open("angles.txt", "w") as file:
            file.truncate(2 << 20)
        self.refused("bad-file", "'angles.txt' is much too large for the angles of 91 projections", *read,
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
            self.refused("bad-file", f"the attribute '{name}' of 'scan.h5' /exchange/{owner} has {n} values: one is "
                         "wanted", "read", "path=scan.h5")
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
        self.refused("bad-file", "'scan.h5' /exchange/data has 91 projections and 8589934592 angles in /exchange/theta: "
                     "set angles= to say which hold", *read)
        self.change(theta=None)
        sparse("rotation_axis", (2**33,), dtype=np.float64, chunks=(1024,))
        self.refused("bad-file", "/exchange/rotation_axis has 8589934592 values for 91 projections: one, or one for each, "
                     "is needed", *read)
        self.change(rotation_axis=None)
        for shape in (2**28, 1, 1), (1, 2**22 + 1, 1), (2**40, 2**40, 2**40):
            sparse("data", shape, dtype=np.uint16, chunks=(1, 1, 1))
            self.refused("bad-file", f"'scan.h5' /exchange/data has {' x '.join(map(str, shape))} pixels: at most 4194304 "
                         "along an axis work", *read, "angles=0:180")
        sparse("data", (2**22, 2**22, 2**22), dtype=np.uint16, chunks=(1, 1, 1))
        self.refused("bad-file", "'scan.h5' /exchange/data claims to hold 131072 PiB: no file does", *read,
                     "angles=0:180")


class BadFiles(FilesTest):
    def test_refuses(self):
        self.refused("bad-file", "cannot open 'absent.h5': No such file or directory", "read", "path=absent.h5")
        with open("text.h5", "w") as file:
            file.write("hello, this is text\n")
        self.refused("bad-file", "'text.h5' is not an HDF5 file: it begins with \"hello, this is t\"", "read",
                     "path=text.h5")
        open("empty.h5", "w").close()
        self.refused("bad-file", "'empty.h5' is not an HDF5 file: it is empty", "read", "path=empty.h5")
        with open("notes.txt", "w") as file:
            file.write("hello, this is text\n")
        self.refused("bad-file", "'notes.txt' is neither HDF5 nor TIFF", "read", "path=notes.txt")
        write_scan("scan.h5", self.random((9, 30, 30), np.uint16))
        size = os.path.getsize("scan.h5")
        os.truncate("scan.h5", size - 1000)
        with self.assertRaisesRegex(Exception, rf"^cannot open 'scan.h5' as HDF5, it may be truncated: truncated file: "
                                    rf"eof = {size - 1000}, sblock->base_addr = 0, stored_eof = {size}$"):
            self.chain("read", "path=scan.h5")

    def test_datasets(self):
        with h5py.File("scan.h5", "w") as file:
            file["exchange/date"] = np.zeros((3, 4, 5), np.int32)
            file["exchange/more"] = np.zeros((3, 4, 5))
            file["exchange/line"] = np.zeros(3)
        self.refused("bad-file", "'scan.h5' has no /exchange/data, set dataset=: it has /exchange/date (3 x 4 x 5), "
                     "/exchange/more (3 x 4 x 5)", "read", "path=scan.h5")
        self.refused("bad-file", "'scan.h5' has no dataset '/exchange/dato' (did you mean '/exchange/date'?): it has "
                     "/exchange/date (3 x 4 x 5), /exchange/more (3 x 4 x 5)", "read", "path=scan.h5",
                     "dataset=exchange/dato")
        self.refused("bad-file", "'scan.h5' /exchange/date holds i32 values: convert them to u8, u16, f16 or f32, which "
                     "work", "read", "path=scan.h5", "dataset=/exchange/date")
        self.refused("bad-file", "'scan.h5' /exchange/more holds f64 values: convert them to u8, u16, f16 or f32, which "
                     "work", "read", "path=scan.h5", "dataset=/exchange/more")
        self.refused("bad-file", "'scan.h5' /exchange/line has 1 axes: a stack of images has three", "read",
                     "path=scan.h5", "dataset=/exchange/line")
        with h5py.File("none.h5", "w") as file:
            file["line"] = np.zeros(3)
        self.refused("bad-file", "'none.h5' has no /exchange/data: it has no dataset of images", "read", "path=none.h5")

    def test_links_that_lead_nowhere(self):
        write_scan("scan.h5", self.random((2, 3, 4), np.uint16))
        for name, link, target in (("data_white", h5py.ExternalLink("absent.h5", "/flats"), "/flats in 'absent.h5'"),
                                   ("data_white", h5py.ExternalLink("scan.h5", "/flats"), "/flats in 'scan.h5'"),
                                   ("data_dark", h5py.SoftLink("/darks"), "/darks")):
            with h5py.File("scan.h5", "a") as file:
                file["exchange/" + name] = link
            self.refused("bad-file", f"'scan.h5' /exchange/{name} is a link to {target}, which is missing or cannot be "
                         "opened", "read", "path=scan.h5")
            with h5py.File("scan.h5", "a") as file:
                del file["exchange/" + name]
        with h5py.File("scan.h5", "a") as file:
            file["exchange/data_white"] = h5py.ExternalLink("more.h5", "/flats")
        write_scan("more.h5", self.random((2, 3, 4), np.int32), theta=False)
        with h5py.File("more.h5", "a") as file:
            file["flats"] = file["exchange/data"]
        self.refused("bad-file", f"'scan.h5' /exchange/data_white (in '{os.path.realpath('more.h5')}') holds i32 values: "
                     "convert them to u8, u16, f16 or f32, which work", "read", "path=scan.h5")

    def test_missing_filter(self):
        write_scan("scan.h5", self.random((4, 3, 50), np.uint16), compression="lzf")
        self.refused("bad-file", "'scan.h5' /exchange/data is compressed with filter 32000 (lzf), which HDF5 does not have "
                     "here: install its plugin and set HDF5_PLUGIN_PATH, or write the file again with deflate", "read",
                     "path=scan.h5")

    def test_chunks_outside_the_dataset(self):
        """The extents are made smaller behind HDF5's back, under chunks that are there."""
        write_scan("scan.h5", np.ones((20, 16, 16), np.uint16), theta=False, chunks=(1, 1, 4))
        with open("scan.h5", "rb") as file:
            content = file.read()
        large, small = (struct.pack("<QQQ", *shape) for shape in ((20, 16, 16), (1, 1, 4)))
        self.assertIn(large, content)
        with open("scan.h5", "wb") as file:
            file.write(content.replace(large, small))
        self.refused("bad-file", "'scan.h5' /exchange/data is damaged: the chunk at 0, 0, 4 lies outside the dataset",
                     "read", "path=scan.h5")

    def test_chunks_larger_than_their_pixels(self):
        """With a place for each chunk, and with more chunks than places are kept for."""
        for shape in (2, 3, 50), (9000, 3, 50):
            with h5py.File("scan.h5", "w") as file:
                data = file.create_dataset("exchange/data", shape, np.uint16, chunks=(1, 3, 50), compression="gzip")
                for i in range(shape[0]):
                    data.id.write_direct_chunk((i, 0, 0), bytes(5000))
            self.refused("bad-file", "'scan.h5' /exchange/data is damaged: the chunk at 0, 0, 0 takes more bytes than its "
                         "pixels", "read", "path=scan.h5", rows=3)

    def test_damaged_chunk(self):
        write_scan("scan.h5", self.random((4, 3, 50), np.uint16), chunks=(1, 3, 50), compression="gzip")
        with h5py.File("scan.h5") as file:
            place = file["exchange/data"].id.get_chunk_info(2)
        with open("scan.h5", "r+b") as file:
            file.seek(place.byte_offset + 5)
            file.write(b"\xff" * 40)
        self.refused("bad-file", "'scan.h5' /exchange/data is damaged: the chunk at 2, 0, 0 does not decode", "read",
                     "path=scan.h5")


class Measured(FilesTest):
    def test_tooth(self):
        path = os.path.join(os.environ.get("SINO_TEST_DATA", ""), "tooth.h5")
        if not os.path.exists(path):
            self.skipTest("no measured data")
        info, array = self.read("path=" + path, rows=1, angles=50)
        with h5py.File(path) as file:
            np.testing.assert_array_equal(array, file["exchange/data"][:])
            np.testing.assert_array_equal(self.frames(info, "flats"), file["exchange/data_white"][:])
            np.testing.assert_array_equal(self.frames(info, "darks"), file["exchange/data_dark"][:])
            np.testing.assert_allclose(np.degrees(info["angles"]), file["exchange/theta"][:], atol=1e-10)


if __name__ == "__main__":
    unittest.main()
