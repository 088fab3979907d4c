# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of HDF5 in all its storage against h5py, and parts that are missing."""
import os
import subprocess
import sys
import unittest

import h5py
import numpy as np
from filestest import FilesTest, NodeError, empty_dataset, write_scan

SINOGRAPH = os.path.abspath(sys.argv.pop(1))
SHAPE = (6, 4, 5)


def external(name, shape, *files):
    empty_dataset(name, h5py.h5t.STD_U16LE, shape, lambda c: [c.set_external(*f) for f in files])


def virtual(name, *sources, shape=SHAPE, kind=np.uint16, step=3, fill=None):
    layout = h5py.VirtualLayout(shape, kind)
    for i, (path, inner) in enumerate(sources):
        layout[step * i:step * i + step] = h5py.VirtualSource(path, inner, (step, *shape[1:]), dtype=kind)
    with h5py.File(name, "w", libver="latest") as file:
        file.create_virtual_dataset("exchange/data", layout, fillvalue=fill)


def series(name, pattern, inner=b"data"):
    """A virtual dataset of as many files as there are."""
    with h5py.File(name, "w", libver="latest") as file:
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        into = h5py.h5s.create_simple((3, 4, 5), (h5py.h5s.UNLIMITED, 4, 5))
        into.select_hyperslab((0, 0, 0), (h5py.h5s.UNLIMITED, 1, 1), (3, 1, 1), (3, 4, 5))
        creation.set_virtual(into, pattern, inner, h5py.h5s.create_simple((3, 4, 5)))
        h5py.h5d.create(file.create_group("exchange").id, b"data", h5py.h5t.STD_U16LE,
                        h5py.h5s.create_simple((3, 4, 5), (h5py.h5s.UNLIMITED, 4, 5)), creation)


class Storage(FilesTest):
    """What h5py gives, `read` gives."""

    def same(self, *words, path="scan.h5"):
        with h5py.File(path) as file:
            truth = file["exchange/data"][:]
        for options in {}, {"rows": 1, "angles": 4, "threads": 3}:
            _, array = self.read("path=" + path, "angles=0:180", *words, **options)
            np.testing.assert_array_equal(array, truth)
        index = np.s_[1::2, 1:3, 1:4:2]
        _, array = self.read("path=" + path, "angles=0:180", "projections=1::2", "rows=1:3", "columns=1:4:2", *words)
        np.testing.assert_array_equal(array, truth[index])

    def test_filters(self):
        for kind in "<u1", "<u2", ">u2", "<f2", ">f4":
            for extra in ({}, {"shuffle": True}, {"compression": "gzip"}, {"fletcher32": True},
                          {"shuffle": True, "compression": "gzip", "fletcher32": True},
                          {"scaleoffset": 0} if "u" in kind else {"fletcher32": True, "shuffle": True}):
                data = self.random(SHAPE, np.dtype(kind)).astype(kind)
                write_scan("scan.h5", data, theta=False, chunks=(4, 3, 2), **extra)
                self.same()

    def test_checksum_before_compression(self):
        data = self.random((6, 301, 7), np.uint8)  # an odd number of bytes
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        creation.set_chunk((1, 301, 7))
        creation.set_fletcher32()
        creation.set_deflate(1)
        with h5py.File("scan.h5", "w") as file:
            made = h5py.h5d.create(file.create_group("exchange").id, b"data", h5py.h5t.STD_U8LE,
                                   h5py.h5s.create_simple(data.shape), creation)
            made.write(h5py.h5s.ALL, h5py.h5s.ALL, data)
        self.same()

    def test_indexes_of_chunks(self):
        """Each kind of index that HDF5 has, behind a user block or not, with chunks that were never written."""
        data = self.random(SHAPE, np.uint16)
        for libver in "earliest", "latest":
            for user_block in 0, 512:
                for chunks, most in (((6, 4, 5), SHAPE), ((2, 2, 5), SHAPE), ((2, 2, 5), (None, 4, 5)),
                                     ((2, 2, 5), (None, None, 5))):
                    for extra in {}, {"compression": "gzip"}:
                        with h5py.File("scan.h5", "w", libver=libver, userblock_size=user_block) as file:
                            made = file.create_dataset("exchange/data", SHAPE, np.uint16, chunks=chunks, maxshape=most,
                                                       fillvalue=77, **extra)
                            made[:3, 2:] = data[:3, 2:]
                        self.same("missing=zero")

    def test_other_storage(self):
        data = self.random(SHAPE, np.uint16)
        empty_dataset("scan.h5", h5py.h5t.STD_U16LE, SHAPE, lambda c: c.set_layout(h5py.h5d.COMPACT))
        with h5py.File("scan.h5", "a") as file:
            file["exchange/data"][:] = data
        self.same()
        empty_dataset("scan.h5", h5py.h5t.STD_U16BE, SHAPE, lambda c: c.set_fill_value(np.array(300, np.uint16)))
        self.same("missing=zero")  # never written
        data.astype("<u2").tofile("all.raw")
        with open("parts.raw", "wb") as file:
            file.write(bytes(10) + data.tobytes()[:101])
        with open("rest.raw", "wb") as file:
            file.write(data.tobytes()[101:])
        external("scan.h5", SHAPE, (b"all.raw", 0, data.nbytes))
        self.same()
        external("scan.h5", SHAPE, (b"parts.raw", 10, 101), (b"rest.raw", 0, h5py.h5f.UNLIMITED))
        self.same()

    def test_images(self):
        """Datasets of two axes, which are a stack of one page."""
        for libver in "earliest", "latest":
            for most in None, (None, None), (None, 17):
                data = self.random((13, 17), np.uint16)
                with h5py.File("scan.h5", "w", libver=libver) as file:
                    file.create_dataset("exchange/data", data=data, chunks=(4, 5), maxshape=most)
                _, array = self.read("path=scan.h5", "axes=slices")
                np.testing.assert_array_equal(array[0], data)

    def test_axes_without_end(self):
        """HDF5 gives false places for chunks of an extensible array whose first axis has an end."""
        data = self.random((4, 8, 5), np.uint16)
        for most in (4, None, 5), (4, 8, None), (None, 8, 5), (None, None, 5):
            for written in 1, 3, 8:
                for extra in {}, {"compression": "gzip"}:
                    with h5py.File("scan.h5", "w", libver="latest") as file:
                        made = file.create_dataset("exchange/data", data.shape, np.uint16, chunks=(1, 2, 5), maxshape=most,
                                                   **extra)
                        made[:, :written] = data[:, :written]
                    self.same("missing=zero")

    def test_behind_a_user_block(self):
        """What was never written, and is not what lies at the end of the address space."""
        with h5py.File("scan.h5", "w", userblock_size=512) as file:
            file.create_dataset("exchange/data", SHAPE, np.uint16)
        self.same("missing=zero")

    def test_many_chunks(self):
        """More than an index in memory had room for."""
        data = self.random((400, 20, 20), np.uint8)
        for libver in "earliest", "latest":
            with h5py.File("scan.h5", "w", libver=libver) as file:
                file.create_dataset("exchange/data", data=data, chunks=(1, 1, 1), maxshape=(None, None, None))
            info, array = self.read("path=scan.h5", "angles=0:180", "projections=::99")
            np.testing.assert_array_equal(array, data[::99])

    def test_many_sources(self):
        """HDF5 leaves them open, and each takes memory."""
        n = 150
        data, theta = self.random((n, 4, 5), np.uint16), np.linspace(0, 180, n, endpoint=False)
        for i in range(n):
            with h5py.File(f"part{i}.h5", "w") as file:
                file.create_dataset("data", data=data[i:i + 1], chunks=(1, 4, 5), compression="gzip")
                file["theta"] = theta[i:i + 1]
        virtual("scan.h5", *((f"part{i}.h5", "data") for i in range(n)), shape=data.shape, step=1)
        layout = h5py.VirtualLayout((n,), float)
        for i in range(n):
            layout[i:i + 1] = h5py.VirtualSource(f"part{i}.h5", "theta", (1,), dtype=float)
        with h5py.File("scan.h5", "a", libver="latest") as file:
            file.create_virtual_dataset("exchange/theta", layout)
        info, array = self.read("path=scan.h5")
        np.testing.assert_array_equal(array, data)
        np.testing.assert_allclose(info["angles"], np.radians(theta), rtol=1e-12)
        tiles = h5py.VirtualLayout((1, 40, 75), np.uint16)  # a mosaic, whose sources are all for one page
        for i in range(n):
            tiles[0, i // 15 * 4:i // 15 * 4 + 4, i % 15 * 5:i % 15 * 5 + 5] = h5py.VirtualSource(
                f"part{i}.h5", "data", (1, 4, 5), dtype=np.uint16)[0]
        with h5py.File("tiles.h5", "w", libver="latest") as file:
            file.create_virtual_dataset("exchange/data", tiles)
        _, array = self.read("path=tiles.h5", "axes=slices")
        np.testing.assert_array_equal(array[0], np.block([list(data[i:i + 15]) for i in range(0, n, 15)]))

    def test_links(self):
        data = self.random(SHAPE, np.uint16)
        os.mkdir("raw")
        with h5py.File("raw/data.h5", "w", userblock_size=1024) as file:
            file.create_dataset("deep/images", data=data, chunks=(2, 2, 5), compression="gzip", fletcher32=True)
            file["soft"] = h5py.SoftLink("/deep/images")
        with h5py.File("scan.h5", "w") as file:
            file["exchange/data"] = h5py.ExternalLink("raw/data.h5", "/soft")
        self.same()

    def test_virtual(self):
        data = self.random(SHAPE, np.uint16)
        os.mkdir("raw")
        for i in range(2):
            with h5py.File(f"raw/part-{i}.h5", "w") as file:
                file.create_dataset("data", data=data[3 * i:3 * i + 3], chunks=(1, 4, 5), compression="gzip")
        virtual("scan.h5", ("raw/part-0.h5", "data"), ("raw/part-1.h5", "data"))
        self.same()
        virtual("scan.h5", ("raw/part-0.h5", "data"), fill=9)  # the rest was never mapped
        self.same("missing=zero")
        virtual("inner.h5", ("raw/part-0.h5", "data"), ("raw/part-1.h5", "data"))
        virtual("scan.h5", ("inner.h5", "exchange/data"), step=6)
        self.same()
        series("scan.h5", b"raw/part-%b.h5")
        self.same()
        with h5py.File("scan.h5", "w", libver="latest") as file:  # every second image from each
            layout = h5py.VirtualLayout(SHAPE, np.uint16)
            for i in range(2):
                layout[i::2] = h5py.VirtualSource(f"raw/part-{i}.h5", "data", (3, 4, 5))
            file.create_virtual_dataset("exchange/data", layout)
        self.same()
        with h5py.File("scan.h5", "w", libver="latest") as file:  # a link to itself
            file["part"] = data
            layout = h5py.VirtualLayout(SHAPE, np.uint16)
            layout[:] = h5py.VirtualSource(".", "part", SHAPE)
            file.create_virtual_dataset("exchange/data", layout)
        self.same()


class Missing(FilesTest):
    def setUp(self):
        super().setUp()
        self.data = self.random(SHAPE, np.uint16) | 1  # no zeros

    def part(self, i, shape=(3, 4, 5), name="data"):
        with h5py.File(f"part-{i}.h5", "w") as file:
            file[name] = self.data[3 * i:3 * i + shape[0], :shape[1], :shape[2]]

    def fails(self, what, *words):
        self.refused("bad-file", f"'scan.h5' /exchange/data takes pixels from other files, and {what}: put the missing files there, or set "
                                 "missing=zero", "read", "path=scan.h5", "angles=0:180", *words)

    def zeros(self, truth, message, n=2):
        info, array = self.read("path=scan.h5", "angles=0:180", "missing=zero")
        np.testing.assert_array_equal(array, truth)
        self.assertEqual(info["warnings"], [f"1 of the {n} parts of 'scan.h5' /exchange/data are missing, and are read as zeros: {message}"])

    def test_virtual(self):
        virtual("scan.h5", ("part-0.h5", "data"), ("part-1.h5", "data"))
        truth = self.data.copy()
        truth[3:] = 0
        self.fails("data in 'part-0.h5' is missing: there is no such file, and 1 others, too")
        self.part(0)
        gone = "data in 'part-1.h5' is missing: there is no such file"
        self.fails(gone)
        self.fails(gone, "projections=0:2")  # also where no pixel of it is wanted
        self.zeros(truth, gone)
        self.part(1, name="other")
        with self.assertRaisesRegex(NodeError, "data in 'part-1.h5' is missing or cannot be opened: no such dataset: "):
            self.read("path=scan.h5", "angles=0:180")
        self.part(1, (2, 4, 5))
        self.fails("data in 'part-1.h5' is smaller than the part that is used")
        self.part(1)
        np.testing.assert_array_equal(self.read("path=scan.h5", "angles=0:180")[1], self.data)

    def test_zeros_whatever_the_fill_value(self):
        virtual("scan.h5", ("part-0.h5", "data"), ("part-1.h5", "data"), fill=777)
        self.part(0)
        truth = self.data.copy()
        truth[3:] = 0
        self.zeros(truth, "data in 'part-1.h5' is missing: there is no such file")

    def test_series(self):
        series("scan.h5", b"part-%b.h5")
        self.fails("data in 'part-0.h5' is missing: there is no such file")
        for i in 0, 1:
            self.part(i)
        os.rename("part-1.h5", "part-3.h5")
        with self.assertRaisesRegex(NodeError, "data in 'part-1.h5' is missing: there is no such file, and 1 others, too"):
            self.read("path=scan.h5", "angles=0:180")

    def test_in_what_belongs_to_a_scan(self):
        """Flats and angles of a scan may be made of other files, too."""
        with h5py.File("scan.h5", "w", libver="latest") as file:
            file["exchange/data"] = self.data
            layout = h5py.VirtualLayout((2, 4, 5), np.uint16)
            layout[:] = h5py.VirtualSource("flats.h5", "data", (2, 4, 5))
            file.create_virtual_dataset("exchange/data_white", layout)
        self.refused("bad-file", "'scan.h5' /exchange/data_white takes pixels from other files, and data in 'flats.h5' is missing: there "
                                 "is no such file: put the missing files there, or set missing=zero", "read", "path=scan.h5")
        info, _ = self.read("path=scan.h5", "missing=zero")
        self.assertFalse(self.frames(info, "flats").any())
        with h5py.File("scan.h5", "w", libver="latest") as file:
            file["exchange/data"] = self.data
            layout = h5py.VirtualLayout((6,), np.float64)
            layout[:] = h5py.VirtualSource("angles.h5", "data", (6,))
            file.create_virtual_dataset("exchange/theta", layout)
        for words in [], ["missing=zero"]:
            self.refused("bad-file", "'scan.h5' /exchange/theta: data in 'angles.h5' is missing: there is no such file", "read",
                         "path=scan.h5", *words)

    def test_raw_files(self):
        external("scan.h5", SHAPE, (b"a.raw", 0, 100), (b"b.raw", 20, 140))
        content = self.data.tobytes()
        with open("a.raw", "wb") as file:
            file.write(content[:100])
        self.fails("the raw file 'b.raw' is missing")
        gone = np.frombuffer(content[:100] + bytes(140), np.uint16).reshape(SHAPE)
        self.zeros(gone, "the raw file 'b.raw' is missing")
        with open("b.raw", "wb") as file:
            file.write(bytes(20) + content[100:200])
        short = "the raw file 'b.raw' is too short: the pixels end at byte 160, the file has 120"
        self.fails(short)
        self.zeros(np.frombuffer(content[:200] + bytes(40), np.uint16).reshape(SHAPE), short)

    def test_skip_is_for_what_was_never_written(self):
        write_scan("scan.h5", self.data)
        _, array = self.read("path=scan.h5", "missing=skip")
        np.testing.assert_array_equal(array, self.data)
        with h5py.File("scan.h5", "w") as file:
            made = file.create_dataset("exchange/data", SHAPE, np.uint16, chunks=(1, *SHAPE[1:]))
            made[1:3] = self.data[1:3]
        _, array = self.read("path=scan.h5", "angles=0:180", "missing=skip")
        np.testing.assert_array_equal(array, self.data[1:3])
        with h5py.File("scan.h5", "w") as file:
            file.create_dataset("exchange/data", SHAPE, np.uint16)
        self.refused("bad-file", "6 of the 6 projections of 'scan.h5' /exchange/data were never written, or only in part: 0 to 5: set "
                                 "missing=zero to use the fill values of the file", "read", "path=scan.h5", "missing=skip")

    def unwritten(self, n, which):
        self.refused("bad-file", f"{n} of the 6 projections of 'scan.h5' /exchange/data were never written, or only in part: {which}: set "
                                 "missing=skip to continue without them and their angles, or missing=zero to use the fill values of the "
                                 "file", "read", "path=scan.h5", "angles=0:180")

    def test_parts_of_virtual_datasets_that_were_never_written(self):
        """Images without a source, and those of sources that ended early, also of a source that is virtual itself. Images are told one
        by one where a source has as many as are taken from it."""
        self.part(0)
        virtual("scan.h5", ("part-0.h5", "data"), fill=9)
        self.unwritten(3, "3 to 5")
        truth = self.data.copy()
        truth[3:] = 9
        for words, wanted in (["missing=skip"], self.data[:3]), (["missing=zero"], truth), (["projections=0:3"], self.data[:3]):
            np.testing.assert_array_equal(self.read("path=scan.h5", "angles=0:180", *words)[1], wanted)
        os.rename("scan.h5", "inner.h5")
        virtual("scan.h5", ("inner.h5", "exchange/data"), step=6)
        self.unwritten(3, "3 to 5")
        with h5py.File("part-1.h5", "w") as file:
            file.create_dataset("data", (4, 4, 5), np.uint16, chunks=(1, 2, 5))[:2] = self.data[3:5]
        with h5py.File("scan.h5", "w", libver="latest") as file:  # images 1 to 3 of the second file
            layout = h5py.VirtualLayout(SHAPE, np.uint16)
            layout[:3] = h5py.VirtualSource("part-0.h5", "data", (3, 4, 5))
            layout[3:] = h5py.VirtualSource("part-1.h5", "data", (4, 4, 5))[1:]
            file.create_virtual_dataset("exchange/data", layout)
        self.unwritten(2, "4 to 5")
        np.testing.assert_array_equal(self.read("path=scan.h5", "angles=0:180", "missing=skip")[1], self.data[[0, 1, 2, 4]])
        with h5py.File("scan.h5", "w", libver="latest") as file:
            layout = h5py.VirtualLayout(SHAPE, np.uint16)
            layout[:3] = h5py.VirtualSource("part-0.h5", "data", (3, 4, 5))
            layout[3:5] = h5py.VirtualSource("part-1.h5", "data", (4, 4, 5))[:2]  # no more is taken than was written
            layout[5:] = h5py.VirtualSource("part-0.h5", "data", (3, 4, 5))[:1]
            file.create_virtual_dataset("exchange/data", layout)
        np.testing.assert_array_equal(self.read("path=scan.h5", "angles=0:180")[1], np.concatenate((self.data[:5], self.data[:1])))

    def test_sinograms_and_slices_that_were_never_written(self):
        with h5py.File("scan.h5", "w") as file:
            made = file.create_dataset("exchange/data", SHAPE, np.uint16, chunks=(1, *SHAPE[1:]), fillvalue=9)
            made[:2], made[3:] = self.data[:2], self.data[3:]
        truth = self.data.copy()
        truth[2] = 9
        for axes, words in ("sinograms", ["angles=0:180"]), ("slices", []):
            for missing in [], ["missing=skip"]:
                self.refused("bad-file", f"1 of the 6 {axes} of 'scan.h5' /exchange/data were never written, or only in part: 2: set "
                                         "missing=zero to use the fill values of the file, or rows= to other rows",
                             "read", "path=scan.h5", f"axes={axes}", *words, *missing)
            words = ["path=scan.h5", f"axes={axes}", *words]
            np.testing.assert_array_equal(self.read(*words, "missing=zero")[1], truth)
            np.testing.assert_array_equal(self.read(*words, "rows=3:")[1], self.data[3:])
        self.refused("bad-file", "4 of the 4 projections of 'scan.h5' /exchange/data were never written, or only in part: 0 to 3: set "
                                 "missing=zero to use the fill values of the file", "read", "path=scan.h5", "angles=0:180",
                     "axes=sinograms", "source-origin=9", "origin-detector=3", "pixel-size=1")

    def test_sources_are_not_overwritten(self):
        os.mkdir("raw")
        virtual("scan.h5", ("raw/part.h5", "data"), step=6)
        with h5py.File("raw/part.h5", "w") as file:
            file["data"] = self.data
        external("other.h5", SHAPE, (b"raw/all.h5", 0, self.data.nbytes))
        self.data.tofile("raw/all.h5")
        for path, source in ("scan.h5", "raw/part.h5"), ("other.h5", "raw/all.h5"):
            done = subprocess.run([SINOGRAPH, "check", f"read path={path} angles=0:180 ! write path={source} overwrite=true"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"would replace '{source}', which 'read' reads", done.stderr)


if __name__ == "__main__":
    unittest.main()
