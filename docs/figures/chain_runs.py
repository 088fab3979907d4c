#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Whole runs with more than the bare nodes, on any device: the table of docs/guide/performance.md, 'With phase and stripes'.

usage: chain_runs.py FOLDER [SIZE [RUNS]]

Makes a scan of SIZE^3 (2048) in FOLDER, best in memory, where its slices go, too: 6 bytes per voxel. Prints wall seconds, start and
exit included, medians of RUNS (3) after one that is not counted, in turns.
"""
import os
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import rmtree

import h5py
import numpy as np

FOLDER, SIZE, RUNS = Path(sys.argv[1]), int((sys.argv[2:] or [2048])[0]), int((sys.argv[3:] or [3])[0])
SCAN, OUT = FOLDER / "chain-scan.h5", FOLDER / "chain-slices"
SINOGRAPH = os.environ.get("SINOGRAPH", "sinograph")
PHASE = "energy=20 distance=0.1 pixel-size=1e-6 delta-beta=1000"
READ = f"read path={SCAN}"
CHAIN = f"flat-field absorption=false ! retrieve-phase {PHASE} ! interleave ! remove-stripes"
WRITE = f"reconstruct axis={SIZE // 2} {{}} ! write path={OUT}/%05i.tif"
FOURIER = WRITE.format("method=fourier")
RUNS_OF = {
    "fourier": ["launch", f"{READ} ! flat-field ! {FOURIER}"],
    "direct": ["launch", f"{READ} ! flat-field ! {WRITE.format('method=direct')}"],
    "phase, stripes (offset), fourier": ["launch", f"{READ} ! {CHAIN} ! {FOURIER}"],
    "phase, stripes (all), fourier": ["launch", f"{READ} ! {CHAIN} method=all ! {FOURIER}"],
    "the same, 512 rows": ["launch", f"{READ} rows=0:512 ! {CHAIN} method=all ! {FOURIER}"],
    "reconstruct": ["reconstruct", str(SCAN), str(OUT), f"--axis={SIZE // 2}"],
    "reconstruct, phase, rings, axis found": ["reconstruct", str(SCAN), str(OUT), "--rings", f"--phase={PHASE}"],
    "cone, 1200 projections": ["launch", f"{READ} projections=0:1200 angles=0:360 source-origin=8000 origin-detector=2000 pixel-size=1 ! "
                               f"flat-field ! reconstruct ! write path={OUT}/%05i.tif"],
}


def absorption(angle, places):
    """A disc and three inclusions: centre x, y, radius, density."""
    discs = (0, 0, 0.4, 1), (0.15, 0.1, 0.08, 1.5), (-0.2, 0.05, 0.1, -0.8), (0.05, -0.22, 0.05, 2)
    return sum(2 * m * np.sqrt(np.maximum(r * r - (places - x * np.cos(angle) + y * np.sin(angle)) ** 2, 0)) for x, y, r, m in discs)


def make_scan():
    """Counts with noise, stripes and a broken column: all rows are alike but for their noise."""
    random = np.random.default_rng(1)
    gain = np.full(SIZE, 39900, np.float32)
    gain[::37] -= 3000
    with h5py.File(SCAN, "w", libver="latest") as file:
        data = file.create_dataset("/exchange/data", (SIZE, SIZE, SIZE), "u2")
        file["/exchange/data_white"] = np.broadcast_to((100 + gain).astype(np.uint16), (4, SIZE, SIZE))
        file["/exchange/data_dark"] = np.full((4, SIZE, SIZE), 100, np.uint16)
        file["/exchange/theta"] = np.arange(SIZE) * 180 / SIZE
        data[0, 0, 0] = 0
        file.flush()
        begin = data.id.get_offset()
    noise = random.normal(0, 120, (8, SIZE, SIZE)).astype(np.int16)
    gain[SIZE // 3] *= 1.02
    gain[SIZE // 2 + 40:SIZE // 2 + 44] *= 0.97
    places = (np.arange(SIZE) - SIZE / 2) / SIZE
    with open(SCAN, "r+b", buffering=0) as file, ThreadPoolExecutor() as threads:
        def put(number):
            counts = 100 + gain * np.exp(-1.2 * absorption(np.pi * number / SIZE, places))
            os.pwrite(file.fileno(), (counts.astype(np.int32) + noise[number % 8]).astype(np.uint16).tobytes(), begin + number * 2 * SIZE ** 2)
        list(threads.map(put, range(SIZE)))


def seconds(words):
    rmtree(OUT, ignore_errors=True)
    begin = time.monotonic()
    subprocess.run([SINOGRAPH, *words, "--quiet"], check=True)
    return time.monotonic() - begin


make_scan()
try:
    taken = {name: [] for name in RUNS_OF}
    for number in range(RUNS + 1):
        for name, words in RUNS_OF.items():
            taken[name].append(seconds(words))
    print(f"| {SIZE}^3, u16, to TIFF | seconds | to the first |\n| --- | --- | --- |")
    first = statistics.median(taken["fourier"][1:])
    for name, times in taken.items():
        print(f"| {name} | {statistics.median(times[1:]):.2f} | {statistics.median(times[1:]) / first:.2f} |")
finally:
    rmtree(OUT, ignore_errors=True)
    SCAN.unlink()
