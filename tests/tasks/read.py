# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of HDF5 against h5py and numpy indexing: values, places in the scan, and what is read from the file."""
import itertools
import os
import unittest

import h5py
import numpy as np
import tifffile
from filestest import FilesTest, write_scan


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
                            ("::2", np.s_[::2]), ("1:100", np.s_[1:100]), ("3", np.s_[3:4]), ("-1", np.s_[-1:]),
                            ("1::9223372036854775807", np.s_[1:2]), ("-9223372036854775808::4611686018427387904", np.s_[:1])):
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
            info, array = self.read("path=scan.h5", "angles=0:180", "missing=zero")
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
        self.assertEqual(info["counters"]["bytes-read"], 5 * 5 * 10 * 2)
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


class SeveralRequests(FilesTest):
    """What is read does not depend on how many requests there are."""

    def test_same_values(self):
        large = self.random((3, 900, 1300), np.uint32)  # pages of more than a request's 4 MiB
        small = self.random((70, 40, 31), np.uint16)
        with h5py.File("large.h5", "w") as file:
            file["exchange/data"] = large.astype(">u4")
        write_scan("small.h5", small)
        os.mkdir("tiff")
        for i in range(70):
            if i != 33:
                tifffile.imwrite(f"tiff/p{i:03}.tif", small[i])
        tifffile.imwrite("stack.tif", small)
        gaps = small.copy()
        gaps[33] = 0
        cases = [(["path=large.h5", "axes=slices"], large.astype(np.float32)),
                 (["path=large.h5", "axes=slices", "rows=1:", "columns=::2"], large[1:, :, ::2].astype(np.float32)),
                 (["path=small.h5"], small), (["path=small.h5", "projections=3::5", "rows=::3"], small[3::5, ::3]),
                 (["path=small.h5", "axes=sinograms", "angles=0:180"], small), (["path=stack.tif", "axes=slices"], small),
                 (["path=tiff", "missing=zero"], gaps)]
        for number in 1, 3, 0:
            for words, right in cases:
                for cut in {}, {"rows": 7, "angles": 3}:
                    info, array = self.read(*words, f"requests={number}", threads=2, **cut)
                    np.testing.assert_array_equal(array, right)
                    self.assertLessEqual(info["counters"].get("requests", 1), number or 4)
        for number in 1, 5:
            info, _ = self.read("path=small.h5", f"requests={number}", rows=7, angles=3)
            self.assertEqual(info["counters"]["bytes-read"], small.nbytes)


class Measured(FilesTest):
    def test_tooth(self):
        path = os.path.join(os.environ.get("SINO_TEST_DATA", ""), "tooth.h5")
        if not os.path.exists(path):  # a slice of it comes with the project
            path = os.path.join(os.path.dirname(__file__), "../data/tooth-slice.h5")
        info, array = self.read("path=" + path, rows=1, angles=50)
        with h5py.File(path) as file:
            np.testing.assert_array_equal(array, file["exchange/data"][:])
            np.testing.assert_array_equal(self.frames(info, "flats"), file["exchange/data_white"][:])
            np.testing.assert_array_equal(self.frames(info, "darks"), file["exchange/data_dark"][:])
            np.testing.assert_allclose(np.degrees(info["angles"]), file["exchange/theta"][:], atol=1e-10)


if __name__ == "__main__":
    unittest.main(verbosity=2)
