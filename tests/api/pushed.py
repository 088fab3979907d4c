# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs whose frames the test pushes, and whose blocks it pulls."""
import time

from gi.repository import Gio
from nodes import *

from tap import check

N = 48


LARGE = numpy.zeros((512, 512), numpy.uint16)  # large enough to be a block of its own


def counts(frames, dtype=numpy.uint16, seed=1):
    """Frames of something round, so that reconstructions have sense."""
    x = numpy.arange(N) - N / 2 + 0.5
    depth = 2 * numpy.sqrt(numpy.maximum((0.4 * N) ** 2 - x**2, 0)) / N
    noise = numpy.random.default_rng(seed).integers(0, 500, (frames, N, N))
    return (20000 * numpy.exp(-depth) + noise).astype(dtype)


class Scan:
    """A graph from an app-source to an app-sink, and its run in the background."""

    def __init__(self, *chain, memory="", **properties):
        self.source = Sino.AppSource(rows=N, columns=N)
        self.sink = Sino.AppSink()
        for name, value in properties.items():
            target = self.sink if name in ("whole", "sink_bytes") else self.source
            target.set_property(name.replace("sink_bytes", "max-bytes").replace("_", "-"), value)
        self.graph = graph_of(self.source, *chain, self.sink)
        self.runner = Sino.Runner(device="native", memory=memory)
        self.cancellable, self.results = Gio.Cancellable(), []

    def begin(self):
        self.results.clear()
        self.runner.run_async(self.graph, self.cancellable, lambda _, result: self.results.append(result))
        return self

    def end(self):
        finish(self.runner, self.results)

    def pull_all(self):
        array = None
        while (block := self.sink.pull()) is not None:
            if array is None:
                array = numpy.zeros(block.get_format().get_shape(), TYPES[block.get_element()])
            array[region_of(block)] = values_of(block)
        self.end()
        return array


def finish(runner, results):
    """Waits for the result of a run in the background, which its callback puts there, and raises what it failed with."""
    deadline = time.monotonic() + 30
    while not results:
        check(time.monotonic() < deadline, "the run hangs")
        GLib.MainContext.default().iteration(False) or time.sleep(0.001)
    runner.run_finish(results[0])


def push_each(source, frames):
    for frame in frames:
        source.push(frame.tobytes())


class Owner(GObject.Object):
    """Keeps an array."""

    def __init__(self, array):
        super().__init__()
        self.array = array


def push_owned(source, array):
    owner = Owner(array)
    source.push_owned(array.ctypes.data, array.nbytes, owner)
    return owner


def pull_until_error(scan):
    while scan.sink.pull() is not None:
        pass
