#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Arrays in the memory of a GPU of NVIDIA, which no library but the driver has made, are copied to the host."""
import ctypes
from unittest import SkipTest

import numpy
import tap
from sinograph import _cuda
from sinograph._errors import Error
from tap import check, same


class Array:
    """An array of CUDA."""

    def __init__(self, values, strides=None, of_pool=False):
        cuda, self.address = _cuda.driver(), ctypes.c_uint64()
        size = ctypes.c_size_t(values.nbytes)
        if of_pool:
            _cuda.check(cuda.cuMemAllocAsync(ctypes.byref(self.address), size, None), "cuMemAllocAsync")
        else:
            _cuda.check(cuda.cuMemAlloc_v2(ctypes.byref(self.address), size), "cuMemAlloc")
        _cuda.check(cuda.cuMemcpyHtoD_v2(self.address, ctypes.c_void_p(values.ctypes.data),
                                         ctypes.c_size_t(values.nbytes)), "cuMemcpyHtoD")
        self.__cuda_array_interface__ = {"shape": values.shape, "typestr": values.dtype.str, "strides": strides,
                                         "data": (self.address.value, False), "version": 3}


def with_a_gpu():
    """Makes the context that another library would have made, and leaves no other one current."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise SkipTest(error) from None
    if cuda.cuInit(0) != 0:
        raise SkipTest("there is no GPU")
    context = ctypes.c_void_p()
    _cuda.check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0), "cuDevicePrimaryCtxRetain")
    _cuda.check(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent")
    return cuda


def test_copies():
    cuda = with_a_gpu()
    arrays = [numpy.arange(60).reshape(3, 4, 5).astype(kind) for kind in ("f4", "u2", "f8")]
    made = [Array(arrays[0]), Array(arrays[1], arrays[1].strides), Array(arrays[2])]
    cuda.cuCtxSetCurrent(None)  # another thread has no context
    for array, other in zip(arrays, made):
        got = _cuda.to_host(other, other.__cuda_array_interface__)
        check(got.dtype == array.dtype and numpy.array_equal(got, array), got)
    current = ctypes.c_void_p()
    cuda.cuCtxGetCurrent(ctypes.byref(current))
    same(current.value, None)


def test_memory_of_a_pool():
    """It is of no context."""
    cuda = with_a_gpu()
    values = numpy.arange(60, dtype="f4").reshape(3, 4, 5)
    array, context = Array(values, of_pool=True), ctypes.c_void_p()
    cuda.cuCtxSetCurrent(None)
    _cuda.check(cuda.cuPointerGetAttribute(ctypes.byref(context), 1, array.address), "cuPointerGetAttribute")
    print(f"# its context is {context.value}")
    check(numpy.array_equal(_cuda.to_host(array, array.__cuda_array_interface__), values), "other values")
    cuda.cuCtxGetCurrent(ctypes.byref(context))
    same(context.value, None)


def test_not_dense():
    with_a_gpu()
    array = Array(numpy.zeros((4, 8), "f4"), (64, 4))
    try:
        _cuda.to_host(array, array.__cuda_array_interface__)
    except Error as error:
        check("contiguous copy" in error.message, error)
    else:
        raise AssertionError("no error")


def test_no_address_of_a_gpu():
    with_a_gpu()
    facts = {"shape": (3,), "typestr": "<f4", "data": (4096, False), "version": 3}
    try:
        _cuda.to_host(None, facts)
    except Error as error:
        check("CUDA's error" in error.message, error)
    else:
        raise AssertionError("no error")


tap.main(globals())
