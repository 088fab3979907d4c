#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Arrays in and out: which are read in place, which are copied, and what becomes of their memory."""
import copy
import ctypes
import gc
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
import weakref
from pathlib import Path
from unittest import SkipTest

import numpy
import scans
import sinograph
import tap
from sinograph import _arrays
from tap import check, same

LINES = scans.lines()
WANTED = sinograph.reconstruct(LINES, axis=32, device="native")


class Interface:
    """An array of another library, which knows the array interface."""

    def __init__(self, array):
        self.array, self.__array_interface__ = array, array.__array_interface__


class Dlpack:
    """An array of another library, which knows DLPack."""

    def __init__(self, array, device=None):
        self.array, self.device = array, device

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device or self.array.__dlpack_device__()


def in_place(values):
    return _arrays.prepared(values).ctypes.data == numpy.asarray(getattr(values, "array", values)).ctypes.data


def test_in_place():
    for kind in "u1", "u2", "f2", "f4":
        array = numpy.ones((3, 4, 5), kind)
        check(in_place(array) and in_place(Interface(array)) and in_place(Dlpack(array)), kind)


def test_copied():
    array = numpy.arange(60, dtype="f4").reshape(3, 4, 5)
    for other in array.astype("f8"), array.astype("i4"), array[:, ::2], array.T, array.astype(">f4"):
        copy = _arrays.prepared(other)
        check(copy.dtype == numpy.float32 and copy.flags.c_contiguous and not numpy.shares_memory(copy, array), other)
        check(numpy.array_equal(copy, other), "other values")
    for kind in ">u2", ">f2", ">f4":
        copy = _arrays.prepared(array.astype(kind))
        same(copy.dtype, numpy.dtype(kind).newbyteorder("="))
        check(numpy.array_equal(copy, array), "other values")
    for bad in array > 3, array.astype(complex), numpy.array(["a"]):
        try:
            _arrays.prepared(bad)
        except TypeError as error:
            check("numbers" in str(error), error)
        else:
            raise AssertionError(f"{bad.dtype} was taken")


def test_masked():
    for function in sinograph.reconstruct, sinograph.filters.median:
        try:
            function(numpy.ma.masked_less(LINES, 0.1))
        except sinograph.Error as error:
            check("filled" in error.message, error)
        else:
            raise AssertionError("the mask was ignored")


def test_results_are_the_same():
    for other in Interface(LINES), Dlpack(LINES), LINES.astype("f8"), LINES[::-1][::-1], LINES.tolist():
        check(numpy.array_equal(sinograph.reconstruct(other, axis=32, device="native"), WANTED), type(other))


def test_memory_of_a_device():
    try:
        sinograph.reconstruct(Dlpack(LINES, (8, 0)))
    except sinograph.Error as error:
        check("CPU cannot read" in error.message, error)
    else:
        raise AssertionError("no error")


def test_result_lives_by_itself():
    volume = sinograph.reconstruct(LINES, axis=32, device="native")
    part = volume[1, 10:20]
    kept = part.copy()
    del volume
    gc.collect()
    for _ in range(5):
        sinograph.reconstruct(LINES * 2, axis=32, device="native")
    check(numpy.array_equal(part, kept), "the memory was used again")
    part += 1  # it is the program's
    other = numpy.from_dlpack(part)
    check(numpy.shares_memory(other, part), "DLPack copies")


def test_memory_is_not_copied():
    volume = sinograph.reconstruct(LINES, axis=32, device="native")
    memory = volume.base
    same(type(memory), _arrays.Memory)
    for function in copy.copy, copy.deepcopy, pickle.dumps:
        try:
            function(memory)
        except TypeError as error:
            check("copy the array" in str(error), error)
        else:
            raise AssertionError("a copy has memory that it does not keep")
        check(function is pickle.dumps or numpy.array_equal(function(volume), volume), "the array is not copied")
    check(numpy.array_equal(pickle.loads(pickle.dumps(volume)), volume), "the array is not pickled")


def test_input_is_released():
    array = LINES.copy()
    watched = weakref.ref(array)
    sinograph.reconstruct(array, axis=32, device="native")
    del array
    until = time.monotonic() + 60
    while watched() is not None and time.monotonic() < until:  # the threads of the run drop it as they end
        time.sleep(0.01)
        _arrays.sweep()
        gc.collect()
    same(watched(), None)
    same(len(_arrays._lent), 0)


def test_lent_memory_outlives_the_package():
    """Python empties modules at its end, when threads of the library may still read."""
    array = LINES.copy()
    watched = weakref.ref(array)
    _arrays.lend(array)
    del array
    _arrays._lent.clear()
    gc.collect()
    check(watched() is not None, "the memory was freed")


def test_input_is_not_changed():
    array = LINES.copy()
    sinograph.filters.median(array, device="native")
    sinograph.reconstruct(array, axis=32, device="native")
    check(numpy.array_equal(array, LINES), "the input was changed")


def test_torch():
    try:
        import torch
    except ImportError as error:
        raise SkipTest(error) from None
    tensor = torch.from_numpy(LINES)
    check(_arrays.prepared(tensor).ctypes.data == LINES.ctypes.data, "a tensor is copied")
    volume = sinograph.reconstruct(tensor, axis=32, device="native")
    check(numpy.array_equal(volume, WANTED) and torch.from_dlpack(volume).data_ptr() == volume.ctypes.data, "other")


def test_cuda():
    """A CUDA array is copied through the host. Where there is no GPU, the driver's absence is said."""
    class Cuda:
        __cuda_array_interface__ = {"shape": (2, 3), "typestr": "<f4", "data": (4096, False), "version": 3}
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        try:
            _arrays.prepared(Cuda())
        except sinograph.Error as error:
            same(error.code, sinograph.Code.DEVICE)
            check("NVIDIA" in error.message, error)
            return
        raise AssertionError("no error") from None
    raise SkipTest("there is a GPU: cuda-arrays.py looks at it")


def test_library_that_is_missing():
    environment = {**os.environ, "SINOGRAPH_LIBRARY": "/nowhere/lib.so"}
    done = subprocess.run([sys.executable, "-c", "import sinograph"], env=environment, capture_output=True, text=True)
    check(done.returncode != 0 and "SINOGRAPH_LIBRARY=/nowhere/lib.so does not exist" in done.stderr, done.stderr)


def test_library_of_the_prefix():
    """The one beside the package's site folder is taken, after the one that the program names."""
    built, package = os.environ["SINOGRAPH_LIBRARY"], Path(sinograph.__file__).parent
    say = "import sinograph; print (sinograph._library.handle._name)"
    environment = {name: value for name, value in os.environ.items() if name != "SINOGRAPH_LIBRARY"}
    for python, lib in ("lib/python3.11/site-packages", "lib"), ("lib/python3/dist-packages", "lib/x86_64-linux-gnu"):
        with tempfile.TemporaryDirectory() as folder:
            prefix = Path(folder)
            site, library = prefix / python, prefix / lib / "libsinograph.so.1"
            library.parent.mkdir(parents=True)
            library.symlink_to(built)
            shutil.copytree(package, site / "sinograph", ignore=shutil.ignore_patterns("__pycache__"))
            for named, want in ({}, library), ({"SINOGRAPH_LIBRARY": built}, built):
                done = subprocess.run([sys.executable, "-c", say], capture_output=True, text=True,
                                      env={**environment, **named, "PYTHONPATH": str(site)})
                same((done.stdout, done.stderr), (f"{want}\n", ""))


class Driver:
    """A driver of CUDA for memory of the host, which says that it is of no context, or of one. Counts what is held."""

    def __init__(self, context, fails=""):
        self.context, self.fails, self.held, self.pushed = context, fails, 0, []

    def __getattr__(self, name):
        return lambda *arguments: 700 if name == self.fails else 0

    def cuPointerGetAttribute(self, value, attribute, address):
        value._obj.value = {1: self.context, 9: 2}[attribute]
        return 0

    def cuDeviceGet(self, value, number):
        value._obj.value = number.value + 10
        return 0

    def cuDevicePrimaryCtxRetain(self, value, device):
        same(device.value, 12)
        value._obj.value, self.held = 77, self.held + 1
        return 0

    def cuDevicePrimaryCtxRelease_v2(self, device):
        same(device.value, 12)
        self.held -= 1
        return 0

    def cuCtxPushCurrent_v2(self, context):
        self.pushed.append(context.value)
        return 0

    def cuMemcpyDtoH_v2(self, to, address, size):
        ctypes.memmove(to.value, address.value, size.value)
        return 700 if self.fails else 0


def test_cuda_memory_of_no_context():
    facts = {"shape": LINES.shape, "typestr": "<f4", "data": (LINES.ctypes.data, False), "version": 3}
    before = _arrays._cuda._driver
    try:
        for context, used in (5, 5), (None, 77):
            _arrays._cuda._driver = driver = Driver(context)
            check(numpy.array_equal(_arrays._cuda.to_host(None, facts), LINES), "other values")
            same((driver.pushed, driver.held), ([used], 0))
        _arrays._cuda._driver = driver = Driver(None, "cuCtxSynchronize")
        try:
            _arrays._cuda.to_host(None, facts)
        except sinograph.Error as error:
            same((error.code, driver.held), (sinograph.Code.DEVICE, 0))
        else:
            raise AssertionError("no error")
    finally:
        _arrays._cuda._driver = before


tap.main(globals())
