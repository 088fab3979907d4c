#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What bridges have in common, scan.py: no slice is lost without an error. In this process."""
import sys
import time

import bridge
import numpy
import tap
from bridge import COUNT, DARKS, FLATS, PROJECTIONS
from tap import check, same

sys.path.insert(0, str(bridge.FOLDER))
import scan  # noqa: E402


def frames(count=COUNT, times=1):
    """A scan, with so many times the rows."""
    for kind, images in ("dark", DARKS), ("flat", FLATS), ("projection", PROJECTIONS[:count]):
        yield from ((kind, number, numpy.tile(image, (times, 1))) for number, image in enumerate(images))


class Begun:
    """A scan that keeps its run."""

    def __init__(self, line):
        self.scan, self.run = scan.Scan(line, "native", bridge.LONG), None
        self._start, self.scan.graph.start = self.scan.graph.start, self._keep

    def _keep(self, *arguments, **options):
        self.run = self._start(*arguments, **options)
        return self.run

    def wait(self):
        """Waits until the run has put all its slices into the queue of app-sink."""
        until = time.monotonic() + bridge.LONG
        while not self.run.done() and time.monotonic() < until:
            time.sleep(0.01)
        check(self.run.done(), "the run does not end")


def outcome(one, source, show):
    """The status and the state of a bridge."""
    states = []
    return scan.main(lambda: one.scan.run(source, show), states.append), states


def test_show_fails_after_the_run():
    one = Begun(bridge.graph())

    def show(number, image):
        one.wait()
        if number == 1:
            raise OSError("disk full")

    same(outcome(one, frames(), show), (1, ["error: disk full"]))


def test_show_fails_during_the_run():
    def show(number, image):
        check(not one.run.done(), "the run has ended")
        raise OSError("disk full")

    one = Begun(bridge.graph(end="app-sink max-buffers=1"))  # which the run waits for
    same(outcome(one, frames(times=50), show), (1, ["error: disk full"]))


def test_frames_fail():
    def broken():
        yield from frames(COUNT - 5)
        raise ValueError("no camera")

    same(outcome(Begun(bridge.graph()), broken(), lambda *_: None), (1, ["error: no camera"]))


tap.main(globals())
