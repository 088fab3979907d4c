#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Measures filters by themselves beside what Python packages have in their place, and a whole run with and without some of
them, for docs/guide/performance.md: prints its tables in Markdown and puts them into the page.

usage: ninja -C build tests/bench/bench-filters
       meson devenv -C build ../docs/figures/filters.py [--peers PYTHON] [--bench FILE] [--short] [--page] [NAME ...]
--peers names a Python that has algotom, discorpy, nabu, scikit-image and scipy (of PyPI); those that it has not are left
out. NAME: only filters whose names begin so, or 'chain'; these are not put into the page. Ours and theirs run in turns, so that other work on the machine
slows both alike. Takes 8 GB and twenty minutes (--short: two).
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measured import put

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--peers", metavar="PYTHON", default=sys.executable)
parser.add_argument("--bench", metavar="FILE", default="tests/bench/bench-filters")
parser.add_argument("--short", action="store_true")
parser.add_argument("--page", action="store_true")
parser.add_argument("names", nargs="*", metavar="NAME")
options = parser.parse_args()
COLUMNS, ANGLES, ROWS = (512, 180, 16) if options.short else (2048, 1800, 16)
TURNS = 3
SLOW = 5.0  # seconds of a peer after which there are no more turns
SINOGRAPH = os.environ.get("SINOGRAPH", "sinograph")

# Those of tests/bench/filter-cases.cpp that have a peer, in its order.
CASES = ["flat-field", "flat-field absorption=false", "minus-log", "calculate expression=x*2+1",
         "calculate expression=-log(x)*2+x^2", "rescale type=f32", "rescale type=u16", "percentiles", "half-pack",
         "interleave of u16, lanes 1", "interleave of u16, lanes 16", "interleave of f32, lanes 1",
         "interleave of f32, lanes 16", "crop", "pad mode=edge", "pad mode=reflect", "bin columns=2", "bin columns=4",
         "transpose", "flip direction=horizontal", "flip direction=vertical",
         *(f"{node} interpolation={way}" for way in ("linear", "cubic") for node in ("rotate", "shift", "undistort")),
         "stitch-360", "average number=4", "concatenate overlap=4", "correct-bad-pixels find=yes", "median size=3",
         "median size=5", "median direction=angle", "remove-outliers size=3", "remove-outliers size=5",
         "remove-outliers direction=angle", "unsharp sigma=1", "unsharp sigma=3",
         *(f"retrieve-phase method={method}" for method in ("paganin", "bronnikov-aided", "tie", "ctf", "qp", "qp2")),
         *(f"remove-stripes method={method}" for method in ("offset", "sorting", "large", "dead", "all", "wavelet-fourier")),
         "remove-stripes method=wavelet-fourier by algotom", "ramp-filter", "ramp-filter of sinograms",
         "fourier-reconstruct", "back-project"]


class Turns:
    """A program that does one thing for each line that it is given, and answers with a line."""

    def __init__(self, *words):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args[0]} ended")
        return line.split()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Peers:
    def __init__(self):
        self.turns = Turns(options.peers, str(Path(__file__).with_name("filter_peers.py")), str(COLUMNS), str(ANGLES))

    def seconds(self, name):
        """Seconds for a sinogram's worth of lines, and the package; or None, and why."""
        first, *rest = self.turns.ask(name)
        if first == "none":
            return None, " ".join(rest)
        return float(first) * ANGLES / float(rest[0]), " ".join(rest[1:])


def wanted(name):
    return not options.names or any(name.startswith(word) for word in options.names)


def milliseconds(seconds):
    return f"{1e3 * seconds:.3g}" if seconds < 1 else f"{1e3 * seconds:.0f}"


def by_themselves(peers):
    rows = []
    for name in filter(wanted, CASES):
        ours = Turns(options.bench, str(COLUMNS), str(ROWS), str(ANGLES), "0", name.split(" by ")[0])
        lines = float(ours.answer()[0])
        own, shares, theirs, spent = [], [], [], 0
        while len(own) < TURNS:
            seconds, copy = (float(word) for word in ours.ask(""))
            own.append(seconds * ANGLES / lines)
            shares.append(copy / seconds)
            begin = time.perf_counter()
            other, package = peers.seconds(name)
            spent += time.perf_counter() - begin
            if other:
                theirs.append(other)
            if spent > SLOW:
                break
        ours.close()
        if not theirs:
            print(f"{name}: {package}", file=sys.stderr)
        rows.append(row(name.split(" by ")[0], own, theirs, package, f"{100 * statistics.median(shares):.0f} %"))
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


def row(name, own, theirs, package, share=""):
    own = statistics.median(own)
    if not theirs:
        return [name, "", milliseconds(own), "", "", share]
    theirs = statistics.median(theirs)
    return [name, package, milliseconds(own), milliseconds(theirs), f"{theirs / own:.2g}" if theirs < 10 * own else f"{theirs / own:.0f}", share]


def launch(words):
    begin = time.perf_counter()
    subprocess.run([SINOGRAPH, "launch", "--device=native", words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin


def simulate(path, rows, flats=10):
    launch(f"simulate width={COLUMNS} height={rows} projections={ANGLES} photons=20000 flats={flats} darks=10 type=u16 ! write path={path}")


def in_runs(peers, folder):
    """Filters that look at the scan before they run: what a run takes longer with them."""
    rows, scan = [], f"{folder}/few.h5"
    cases = {"find-axis": ("flat-field", "flat-field ! find-axis again=true"),
             "correct-dose": ("flat-field", f"flat-field ! correct-dose x=0 width={COLUMNS // 32}"),
             "dynamic-flats": ("flat-field", "dynamic-flats components=3 ! flat-field")}
    for name in filter(wanted, cases):
        simulate(scan, ROWS)
        without, with_it = (f"read path={scan} ! {nodes} ! null" for nodes in cases[name])
        launch(with_it)
        own, theirs = [], []
        for _ in range(TURNS):
            before = launch(without)
            own.append(max(1e-6, launch(with_it) - before) / (1 if name == "find-axis" else ROWS))
            other, package = peers.seconds(name)
            if other:
                theirs.append(other)
        rows.append(row(name + ", in a run", own, theirs, package))
        os.remove(scan)
    return rows


def chain(folder):
    """Whole runs from file to files, the plain one and the others in turns."""
    height = 32 if options.short else 128
    scan = f"{folder}/scan.h5"
    simulate(scan, height)
    phase = "retrieve-phase energy=20 distance=0.1 pixel-size=1e-6 delta-beta=1000"
    chains = {"flat-field, reconstruct": "flat-field ! reconstruct",
              "with remove-stripes": "flat-field ! interleave ! remove-stripes ! reconstruct",
              "with retrieve-phase": f"flat-field absorption=false ! {phase} ! reconstruct",
              "with both": f"flat-field absorption=false ! {phase} ! interleave ! remove-stripes ! reconstruct"}
    seconds = {name: [] for name in chains}
    for turn in range(TURNS + 1):
        for name, nodes in chains.items():
            took = launch(f"read path={scan} ! {nodes} axis={COLUMNS / 2} ! write path={folder}/slice-%05i.tif overwrite=true")
            if turn > 0:
                seconds[name].append(took)
    plain = seconds["flat-field, reconstruct"]
    put("chain", ["run", "seconds", "times the first"],
        [[name, f"{statistics.median(took):.2f}", f"{statistics.median(a / b for a, b in zip(took, plain)):.2f}"]
         for name, took in seconds.items()], options.page)


with tempfile.TemporaryDirectory() as folder:
    if wanted("chain"):
        chain(folder)
    peers = Peers()
    found = by_themselves(peers) + in_runs(peers, folder)
    if found:
        put("filters", ["filter", "peer", "ms", "peer's ms", "times as fast", "of a copy's speed"], found, options.page and not options.names)
    peers.turns.close()
