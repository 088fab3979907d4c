#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A program with settings of its own: the library works as it does elsewhere, and leaves them as they are. Costs 2 s."""
import ctypes
import platform
import threading

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


if __name__ == "__main__":
    main(globals())
