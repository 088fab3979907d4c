# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of HDF5 in all its storage against h5py; parts that are missing, damage that HDF5's library does not survive, and
the process apart that reads for it."""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

import h5py
import numpy as np
from filestest import CHAIN, FilesTest, NodeError, write_scan

SINOGRAPH = os.path.abspath(sys.argv.pop(1))
SHAPE = (6, 4, 5)


def in_sanitizer():
    with open(CHAIN, "rb") as program:
        content = program.read()
    return b"__asan_" in content or b"__tsan_" in content


def dataset(name, kind, shape, set_up=None):
    """An empty dataset, made with calls that h5py's own do not have."""
    with h5py.File(name, "w", libver="latest") as file:
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        if set_up:
            set_up(creation)
        h5py.h5d.create(file.create_group("exchange").id, b"data", kind, h5py.h5s.create_simple(shape), creation)


def external(name, shape, *files):
    dataset(name, h5py.h5t.STD_U16LE, shape, lambda c: [c.set_external(*f) for f in files])


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
                        self.same()

    def test_other_storage(self):
        data = self.random(SHAPE, np.uint16)
        dataset("scan.h5", h5py.h5t.STD_U16LE, SHAPE, lambda c: c.set_layout(h5py.h5d.COMPACT))
        with h5py.File("scan.h5", "a") as file:
            file["exchange/data"][:] = data
        self.same()
        dataset("scan.h5", h5py.h5t.STD_U16BE, SHAPE, lambda c: c.set_fill_value(np.array(300, np.uint16)))
        self.same()  # never written
        data.astype("<u2").tofile("all.raw")
        with open("parts.raw", "wb") as file:
            file.write(bytes(10) + data.tobytes()[:101])
        with open("rest.raw", "wb") as file:
            file.write(data.tobytes()[101:])
        external("scan.h5", SHAPE, (b"all.raw", 0, data.nbytes))
        self.same()
        external("scan.h5", SHAPE, (b"parts.raw", 10, 101), (b"rest.raw", 0, h5py.h5f.UNLIMITED))
        self.same()

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
        self.same()
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
        with h5py.File("scan.h5", "w", libver="latest") as file:  # of itself
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
        self.refused("bad-file", f"'scan.h5' /exchange/data takes pixels from other files, and {what}: put what is missing "
                     "there, or set missing=zero", "read", "path=scan.h5", "angles=0:180", *words)

    def zeros(self, truth, message, n=2):
        info, array = self.read("path=scan.h5", "angles=0:180", "missing=zero")
        np.testing.assert_array_equal(array, truth)
        self.assertEqual(info["warnings"], [f"1 of the {n} parts that 'scan.h5' /exchange/data is made of are missing, and are "
                                            f"read as zeros: {message}"])

    def test_virtual(self):
        virtual("scan.h5", ("part-0.h5", "data"), ("part-1.h5", "data"))
        truth = self.data.copy()
        truth[3:] = 0
        self.fails("data in 'part-0.h5' is missing: there is no such file, and so are 1 others")
        self.part(0)
        gone = "data in 'part-1.h5' is missing: there is no such file"
        self.fails(gone)
        self.fails(gone, "projections=0:2")  # also where no pixel of it is wanted
        self.zeros(truth, gone)
        self.part(1, name="other")
        with self.assertRaisesRegex(NodeError, "data in 'part-1.h5' is missing or cannot be opened: no such dataset: "):
            self.read("path=scan.h5", "angles=0:180")
        self.part(1, (2, 4, 5))
        self.fails("data in 'part-1.h5' is smaller than the part of it that is used")
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
        with self.assertRaisesRegex(NodeError, "data in 'part-1.h5' is missing: there is no such file, and so are 1 others"):
            self.read("path=scan.h5", "angles=0:180")

    def test_in_what_belongs_to_a_scan(self):
        """Flats and angles of a scan may be made of other files, too."""
        with h5py.File("scan.h5", "w", libver="latest") as file:
            file["exchange/data"] = self.data
            layout = h5py.VirtualLayout((2, 4, 5), np.uint16)
            layout[:] = h5py.VirtualSource("flats.h5", "data", (2, 4, 5))
            file.create_virtual_dataset("exchange/data_white", layout)
        self.refused("bad-file", "'scan.h5' /exchange/data_white takes pixels from other files, and data in 'flats.h5' is "
                     "missing: there is no such file: put what is missing there, or set missing=zero", "read", "path=scan.h5")
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

    def test_skip_is_refused(self):
        write_scan("scan.h5", self.data)
        self.refused("bad-property", "missing=skip is for sequences of TIFFs, and 'scan.h5' is HDF5: leave it out, or set "
                     "missing=zero", "read", "path=scan.h5", "missing=skip")

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


class Damaged(FilesTest):
    def test_head(self):
        """HDF5 1.10 ends the process over some of these."""
        write_scan("good.h5", self.random((4, 5, 6), np.uint16))
        with open("good.h5", "rb") as file:
            good = file.read()
        for at in (120, 128, 168, 688, 704, 824, 872):
            with open("scan.h5", "wb") as file:
                file.write(good[:at] + b"\xff" * 8 + good[at + 8:])
            with self.assertRaises(NodeError) as caught:
                self.chain("read", "path=scan.h5")
            self.assertEqual(caught.exception.code, "bad-file")
            self.assertIn("scan.h5", caught.exception.message)

    def test_short_chunk(self):
        """Its only filter left out: nothing says that it is too short."""
        for extra in {"fletcher32": True}, {"fletcher32": True, "compression": "gzip"}, {"compression": "gzip"}:
            with h5py.File("scan.h5", "w") as file:
                made = file.create_dataset("exchange/data", (2, 30, 40), np.uint16, chunks=(1, 30, 40), **extra)
                made.id.write_direct_chunk((0, 0, 0), bytes(2400), filter_mask=7)
                made.id.write_direct_chunk((1, 0, 0), bytes(10), filter_mask=7)
            self.refused("bad-file", "'scan.h5' /exchange/data is damaged: the chunk at 1, 0, 0 does not decode", "read",
                         "path=scan.h5")

    def test_checksum(self):
        write_scan("scan.h5", self.random((4, 5, 6), np.uint16), chunks=(1, 5, 6), fletcher32=True)
        with h5py.File("scan.h5") as file:
            place = file["exchange/data"].id.get_chunk_info(2)
        with open("scan.h5", "r+b") as file:
            file.seek(place.byte_offset + 7)
            byte = file.read(1)
            file.seek(place.byte_offset + 7)
            file.write(bytes([byte[0] ^ 4]))
        self.refused("bad-file", "'scan.h5' /exchange/data is damaged: the chunk at 2, 0, 0 does not have the sum that was "
                     "stored with it", "read", "path=scan.h5")

    def test_floats(self):
        """The places of their bits are those of IEEE 754, what they mean is not."""
        types = []
        for change in (lambda t: t.set_ebias(126), lambda t: t.set_norm(h5py.h5t.NORM_NONE),
                       lambda t: t.set_norm(h5py.h5t.NORM_MSBSET), lambda t: t.set_fields(31, 23, 8, 1, 22)):
            for kind in h5py.h5t.IEEE_F32LE, h5py.h5t.IEEE_F32BE:
                types.append(kind.copy())
                change(types[-1])
        half = h5py.h5t.IEEE_F16LE.copy()
        half.set_ebias(14)
        for kind in types + [half]:
            dataset("scan.h5", kind, SHAPE)
            self.refused("bad-file", f"'scan.h5' /exchange/data holds f{8 * kind.get_size()} values, though not those of IEEE "
                         "754: convert them to u8, u16, f16 or f32, which work", "read", "path=scan.h5")

    def test_chunks_behind_the_end(self):
        write_scan("scan.h5", self.random((4, 5, 6), np.uint16), theta=False, chunks=(1, 5, 6))
        with h5py.File("scan.h5") as file:
            at = file["exchange/data"].id.get_chunk_info(3).byte_offset
        with open("scan.h5", "rb") as file:
            content = file.read()
        there = at.to_bytes(8, "little")
        self.assertEqual(content.count(there), 1)
        with open("scan.h5", "wb") as file:
            file.write(content.replace(there, (at + (1 << 40)).to_bytes(8, "little")))
        self.refused("bad-file", "'scan.h5' /exchange/data is damaged: the chunk at 3, 0, 0 lies behind the end of the file, "
                     "which is truncated", "read", "path=scan.h5")


class Apart(FilesTest):
    """The process that reads for the tasks."""

    def setUp(self):
        super().setUp()
        self.mark = str(uuid.uuid4())
        # Its filter is not known to the tasks, so that every pixel comes from the process.
        write_scan("scan.h5", self.random((64, 100, 1000), np.uint16), chunks=(1, 100, 1000), scaleoffset=0)

    def children(self):
        found = []
        for path in glob.glob("/proc/[0-9]*"):
            try:
                with open(path + "/cmdline", "rb") as line, open(path + "/environ", "rb") as environment:
                    if line.read().split(b"\0")[0].endswith(b"/sinograph-hdf5") and self.mark.encode() in environment.read():
                        found.append(int(path[6:]))
            except OSError:
                pass
        return found

    def start(self, *words):
        process = subprocess.Popen(words, env={**os.environ, "MARK": self.mark}, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def launch(self):
        return self.start(SINOGRAPH, "launch", "-q", "--device=native", "read path=scan.h5 ! write path=copy.h5 overwrite=true")

    def child(self, process):
        while process.poll() is None:
            for child in self.children():
                return child
        self.fail("no process reads: " + process.stdout.read())

    def gone(self):
        for _ in range(300):  # it ends a moment after its owner
            if not self.children():
                return
            time.sleep(0.1)
        self.fail("a process is left")

    def test_none_is_left(self):
        process = self.launch()
        self.child(process)
        self.assertEqual(process.wait(60), 0)
        self.gone()
        with h5py.File("scan.h5") as scan, h5py.File("copy.h5") as copy:
            np.testing.assert_array_equal(scan["exchange/data"][:], copy["exchange/data"][:])

    def test_killed(self):
        """At once, and when it has begun to give pixels."""
        for wait in 0, 0.15:
            process = self.launch()
            child = self.child(process)
            time.sleep(wait)
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                continue  # the run was faster
            status = process.wait(60)
            if status == 0:
                continue
            said = process.stdout.read()
            self.assertRegex(said, "scan.h5'.* cannot be read: the process that reads it was killed \\(signal 9\\)")
            self.assertIn(status, (1, 2))

    def test_owner_killed(self):
        process = self.launch()
        os.kill(self.child(process), signal.SIGSTOP)  # so that it is there for sure
        child = self.children()[0]
        process.kill()
        process.wait()
        os.kill(child, signal.SIGCONT)
        self.gone()

    def test_interrupt(self):
        """As on a mount that does not answer."""
        process = self.launch()
        child = self.child(process)
        os.kill(child, signal.SIGSTOP)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)
        try:
            os.kill(child, signal.SIGCONT)
        except ProcessLookupError:
            pass
        self.gone()

    def test_missing_program(self):
        """The modules alone, copied elsewhere."""
        os.mkdir("modules")
        for place in os.environ["SINOGRAPH_PLUGIN_PATH"].split(":"):
            for module in glob.glob(place + "/*.so"):
                shutil.copy(module, "modules")
        done = subprocess.run([SINOGRAPH, "check", "read path=scan.h5 ! null"], capture_output=True, text=True,
                              env={**os.environ, "SINOGRAPH_PLUGIN_PATH": "modules"})
        self.assertIn("the program sinograph-hdf5, which reads HDF5 files, is missing: it is not in ", done.stderr)
        self.assertNotEqual(done.returncode, 0)


class Limits(FilesTest):
    def test_memory_of_a_chunk(self):
        """One chunk of 64 MiB with a checksum, within the memory that the plan asks for."""
        if in_sanitizer():
            self.skipTest("a sanitizer takes memory of its own")
        # By another process, for the size of this one counts for those that it starts.
        program = ("import h5py, numpy; h5py.File('scan.h5', 'w').create_dataset('exchange/data', data=numpy.random."
                   "default_rng(1).integers(0, 256, (4, 2896, 2896), numpy.uint16), chunks=(4, 2896, 2896), "
                   "compression='gzip', compression_opts=1, fletcher32=True)")
        subprocess.run([sys.executable, "-c", program], check=True)
        line = "read path=scan.h5 angles=0:180 rows=0:2 ! null"
        status, _, said = self.peak("--memory=100M", line)
        self.assertEqual(status, 1, said)
        least = float(re.search(r"the smallest work item needs (\d+) MiB", said)[1]) + 2
        status, most, said = self.peak(f"--memory={least:.0f}M", line)
        self.assertEqual((status, said), (0, ""))
        self.assertLessEqual(most, least * 2**20)

    def peak(self, *words):
        """Exit status, resident bytes at most, and what was said."""
        with tempfile.TemporaryFile("w+") as out:
            child = subprocess.Popen([SINOGRAPH, "launch", "-q", "--device=native", *words], stdout=out, stderr=out)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            return child.returncode, used.ru_maxrss * 1024, out.read()

    def test_sparse_plan(self):
        """A file of a few bytes with as many pixels as one can claim."""
        with h5py.File("scan.h5", "w") as file:
            file.create_dataset("exchange/data", (4000000, 4000000, 4000), np.uint8, chunks=(1, 1000, 1000))
        done = subprocess.run([SINOGRAPH, "plan", "--device=native", "read path=scan.h5 angles=0:180 ! null"],
                              capture_output=True, text=True, timeout=60)
        self.assertIn("u8 projections (angle 4000000, row 4000000, column 4000)", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
