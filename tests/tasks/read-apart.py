# SPDX-License-Identifier: LGPL-3.0-or-later
"""Damage that HDF5's library does not survive, the process apart in which it runs, and what that takes."""
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
from filestest import CHAIN, FilesTest, NodeError, empty_dataset, write_scan

SINOGRAPH = os.path.abspath(sys.argv.pop(1))
SHAPE = (6, 4, 5)


def in_sanitizer():
    with open(CHAIN, "rb") as program:
        content = program.read()
    return b"__asan_" in content or b"__tsan_" in content


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
            self.refused("bad-file", "'scan.h5' /exchange/data is damaged: the chunk at 1, 0, 0 cannot be decoded", "read",
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
        self.refused("bad-file", "'scan.h5' /exchange/data is damaged: the chunk at 2, 0, 0 does not match its stored checksum", "read", "path=scan.h5")

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
            empty_dataset("scan.h5", kind, SHAPE)
            self.refused("bad-file", f"'scan.h5' /exchange/data contains f{8 * kind.get_size()} values, but not of IEEE 754: convert them "
                                     "to u8, u16, f16 or f32", "read", "path=scan.h5")

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
        self.refused("bad-file", "'scan.h5' /exchange/data is damaged: the chunk at 3, 0, 0 lies after the end of the file, which is "
                                 "truncated", "read", "path=scan.h5")


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
        # Another process writes it, for the size of this one counts for those that it starts.
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
        if in_sanitizer():
            self.skipTest("a sanitizer takes memory of its own")
        with h5py.File("scan.h5", "w") as file:
            file.create_dataset("exchange/data", (4000000, 4000000, 4000), np.uint8, chunks=(7, 1000, 1000))
        done = subprocess.run([SINOGRAPH, "plan", "--device=native", "--memory=400M",
                               "read path=scan.h5 angles=0:180 projections=::2 missing=zero ! null"],
                              capture_output=True, text=True, timeout=60)
        self.assertIn("u8 projections (angle 2000000, row 4000000, column 4000)", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
