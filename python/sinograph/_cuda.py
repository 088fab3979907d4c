# SPDX-License-Identifier: LGPL-3.0-or-later
"""Copies of CUDA arrays, through the driver alone: whichever library made them is not asked."""
from __future__ import annotations

import contextlib
import ctypes
import math

import numpy

from ._errors import Code, Error

_CONTEXT = 1  # CU_POINTER_ATTRIBUTE_CONTEXT
_DEVICE = 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
_driver = None


def is_cuda(values):
    """Whether an array lies in memory of CUDA. torch has the attribute on every tensor, and raises where it is none."""
    try:
        return hasattr(values, "__cuda_array_interface__")
    except (AttributeError, RuntimeError, TypeError):
        return False


def driver():
    global _driver
    if _driver is None:
        try:
            _driver = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise Error(f"an array of CUDA needs NVIDIA's driver: {error}", Code.DEVICE) from None
    return _driver


def check(status, what):
    if status != 0:
        raise Error(f"{what} failed with CUDA's error {status}", Code.DEVICE)


@contextlib.contextmanager
def current(cuda, address):
    """With the context of an address as the thread's own.

    Memory of a pool (cudaMallocAsync) and of the virtual memory calls is of no context. That of its device will do,
    which torch, cupy and numba use.
    """
    context, old, device = ctypes.c_void_p(), ctypes.c_void_p(), None
    check(cuda.cuPointerGetAttribute(ctypes.byref(context), _CONTEXT, address), "cuPointerGetAttribute")
    if not context.value:
        number, held = ctypes.c_int(), ctypes.c_int()
        check(cuda.cuPointerGetAttribute(ctypes.byref(number), _DEVICE, address), "cuPointerGetAttribute")
        check(cuda.cuDeviceGet(ctypes.byref(held), number), "cuDeviceGet")
        check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), held), "cuDevicePrimaryCtxRetain")
        device = held
    try:
        check(cuda.cuCtxPushCurrent_v2(context), "cuCtxPushCurrent")
        try:
            yield
        finally:
            cuda.cuCtxPopCurrent_v2(ctypes.byref(old))
    finally:
        if device is not None:
            cuda.cuDevicePrimaryCtxRelease_v2(device)


def to_host(values, facts):
    """A copy of an array in the host's memory, when the work on it that was begun has ended."""
    kind, shape = numpy.dtype(facts["typestr"]), tuple(facts["shape"])
    dense = numpy.empty(shape, kind)
    strides = facts.get("strides")
    if strides is not None and any(extent > 1 and stride != own for extent, stride, own in zip(
            shape, strides, dense.strides)):
        raise Error("the values of the CUDA array are not dense: give a contiguous copy of it", Code.BAD_FORMAT)
    if math.prod(shape) == 0:
        return dense
    address, cuda = ctypes.c_uint64(facts["data"][0]), driver()
    check(cuda.cuInit(0), "cuInit")
    with current(cuda, address):
        check(cuda.cuCtxSynchronize(), "cuCtxSynchronize")
        check(cuda.cuMemcpyDtoH_v2(ctypes.c_void_p(dense.ctypes.data), address, ctypes.c_size_t(dense.nbytes)),
              "cuMemcpyDtoH")
    return dense
