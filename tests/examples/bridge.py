# SPDX-License-Identifier: LGPL-3.0-or-later
"""Bridges of docs/examples/bridges as processes of their own, and the scan that tests feed to them."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy
import scans
import sinograph
from tap import check

FOLDER = Path(__file__).resolve().parents[2] / "docs/examples/bridges"
AXIS = 31
PROJECTIONS, FLATS, DARKS = scans.counts(scans.lines(angles=30, axis=AXIS))
COUNT = len(PROJECTIONS)
GRAPH = f"app-source name=camera frames={COUNT} {{}} ! flat-field ! reconstruct axis={AXIS} ! {{}}"
LONG = 30  # seconds that a machine with other work may need


def graph(options="", end="app-sink"):
    return GRAPH.format(options, end)


def wanted(projections=PROJECTIONS, angles=None):
    angles = numpy.arange(COUNT) * 180 / COUNT if angles is None else angles
    return sinograph.reconstruct(projections, angles, axis=AXIS, flats=FLATS, darks=DARKS, device="native",
                                 message=lambda *_: None)


@contextmanager
def existing():
    """A file that exists, and so must not be written."""
    with tempfile.NamedTemporaryFile(suffix=".h5") as file:
        yield file.name


class Bridge:
    """A bridge that runs. What it says is in lines."""

    def __init__(self, name, *arguments, environment=None):
        self.process = subprocess.Popen([sys.executable, FOLDER / name, *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, env={**os.environ, **(environment or {})})
        self.lines, self._news, self._ended = [], threading.Condition(), False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            with self._news:
                self.lines.append(line.strip())
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def says(self, what, times=1):
        """Waits until it has said something so many times."""
        with self._news:
            self._news.wait_for(lambda: self._ended or self._count(what) >= times, LONG)
            check(self._count(what) >= times, f"'{what}' is not {times} times in {self.lines}")

    def _count(self, what):
        return sum(bool(re.search(what, line)) for line in self.lines)

    def ends(self, status, what):
        """It ends with a status, and has said something."""
        try:
            self.process.wait(LONG)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it does not end: {self.lines}") from None
        self._reader.join(LONG)
        said = " | ".join(self.lines)
        check(self.process.returncode == status and re.search(what, said), f"status {self.process.returncode}: {said}")
        print(f"# {said}")

    def interrupt(self):
        begun = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(LONG)
        print(f"# ended {1000 * (time.monotonic() - begun):.0f} ms after Ctrl-C")


@contextmanager
def started(name, *arguments, **options):
    one = Bridge(name, *arguments, "--device=native", **options)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait()
