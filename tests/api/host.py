#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A program with settings of its own: the library works as it does elsewhere, and leaves them as they are. Costs 6 s."""
import contextlib
import ctypes
import os
import platform
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy
from pushed import Scan, push_each
from tap import check, main, same

import gi

gi.require_version("Sino", "1.0")
from gi.repository import Sino  # noqa: E402

LIBM = ctypes.CDLL("libm.so.6")
UPWARD, TOWARD_ZERO = {"x86_64": (0x800, 0xC00), "aarch64": (0x400000, 0xC00000)}[platform.machine()]
CHAIN = "ramp-filter", "interleave", "back-project"


NOISE = numpy.random.default_rng(5).standard_normal((60, 48, 48)).astype(numpy.float32)


def slices():
    """Of noise, by frames that are pushed."""
    scan = Scan(*CHAIN, frames=60)
    scan.graph.set("app-source", "element", "f32")
    scan.begin()
    push_each(scan.source, NOISE)
    return scan.pull_all()


def test_rounding():
    usual = slices()
    for way in UPWARD, TOWARD_ZERO:
        LIBM.fesetround(way)
        try:
            found = slices()
            kept = LIBM.fegetround()
        finally:
            LIBM.fesetround(0)
        same(kept, way)
        check(found.tobytes() == usual.tobytes(), f"rounding {way:#x} of the program changes the slices by up to {abs(found - usual).max()}")


def test_rounding_of_the_thread_that_builds_and_asks():
    """Text to numbers and back."""
    found = []

    def ask():
        LIBM.fesetround(UPWARD)
        graph = Sino.Graph.new_from_launch("read path=none.h5 angles=0:0.1 ! ramp-filter cutoff=0.1 ! null")
        found.extend([graph.get_task("ramp-filter").props.cutoff, LIBM.fegetround()])

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    same(found, [0.1, UPWARD])


# Bitshuffle as a plugin that is made for another HDF5: it fails when a dataset is made with it.
PLUGIN = """
static int fails (long a, long b, long c) { return -1; }
static const struct { int version, id; unsigned encodes, decodes; const char *name; void *applies; int (*local) (long, long, long); void *filter; }
  described = {1, 32008, 1, 1, "bitshuffle", 0, fails, fails};
int H5PLget_plugin_type (void) { return 0; }
const void *H5PLget_plugin_info (void) { return &described; }
"""
LENGTHS = 64, 128, 256, 512


def plan(fftw, how):
    from_to = ctypes.create_string_buffer(8 * max(LENGTHS)), ctypes.create_string_buffer(8 * max(LENGTHS))
    for length in LENGTHS:
        for sign in -1, 1:
            fftw.fftwf_destroy_plan(ctypes.c_void_p(fftw.fftwf_plan_dft_1d(length, *from_to, sign, how)))


@contextlib.contextmanager
def fftw_in_use():
    """The program measured FFTW, where there is one, and goes on planning; builds with FFTW must leave that alone."""
    try:
        fftw = ctypes.CDLL("libfftw3f.so.3", mode=ctypes.RTLD_GLOBAL)
    except OSError:
        print("# without FFTW")
        yield
        return
    fftw.fftwf_plan_dft_1d.restype = fftw.fftwf_export_wisdom_to_string.restype = ctypes.c_void_p
    plan(fftw, 1 << 5)  # patiently
    wisdom = ctypes.string_at(fftw.fftwf_export_wisdom_to_string())
    check(b"fftwf" in wisdom, wisdom)
    over = threading.Event()

    def planning():
        while not over.is_set():
            plan(fftw, 1 << 6)

    thread = threading.Thread(target=planning)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    same(ctypes.string_at(fftw.fftwf_export_wisdom_to_string()), wisdom)


def host(folder):
    """What a program may have done before: measured FFTW, rounded upward, registered HDF5 filters."""
    try:
        import h5py  # noqa: F401
        import hdf5plugin  # noqa: F401
        print("# with hdf5plugin")
    except ImportError:
        pass
    with fftw_in_use():
        LIBM.fesetround(UPWARD)
        write(folder)
        same(LIBM.fegetround(), UPWARD)


def write(folder):
    line = ("simulate object=shepp-logan-3d width=96 height=6 projections=60 photons=1000 type=u16 darks=2 flats=2 ! flat-field {} ! write path={}/{}")
    for number, chain in enumerate(("! reconstruct method=fourier", "! reconstruct method=direct", "absorption=false ! retrieve-phase distance=0.1 energy=20 "
                                    "pixel-size=1e-6 delta-beta=200 ! minus-log ! reconstruct method=direct")):
        for name in f"{number}.h5 compression=lz4", f"{number}-deflated.h5 compression=deflate", f"{number}-%i.tif":
            Sino.Runner(device="native").run(Sino.Graph.new_from_launch(line.format(chain, folder, name)), None)


def test_all_at_once():
    """The files are those of a process that does nothing of this."""
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/plugins")
        compiled = subprocess.run([*os.environ["SINO_CC"].split(), "-shared", "-fPIC", "-xc", "-", "-o", f"{folder}/plugins/libshuffle.so"],
                                  input=PLUGIN, text=True, capture_output=True)
        check(compiled.returncode == 0, compiled.stderr)
        for way in "write", "host":
            place = f"{folder}/out"  # the same for both: files keep the graph
            environment = dict(os.environ)
            if way == "write":
                environment.pop("SINO_TEST_COMMA", None)
                environment["LC_ALL"] = "C"
            if way == "host":
                environment["HDF5_PLUGIN_PATH"] = f"{folder}/plugins"
            done = subprocess.run([sys.executable, __file__, way, place], env=environment, capture_output=True, text=True)
            check(done.returncode == 0, done.stdout + done.stderr)
            files[way] = {path.name: path.read_bytes() for path in Path(place).iterdir()}
            for path in Path(place).iterdir():
                path.unlink()
    same(len(files["write"]), 3 * (1 + 1 + 6 + 1))
    same(sorted(name for name in files["write"] if files["write"][name] != files["host"].get(name)), [])


if len(sys.argv) > 2:
    {"host": host, "write": write}[sys.argv[1]](sys.argv[2])
elif __name__ == "__main__":
    main(globals())
