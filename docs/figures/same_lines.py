#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs the programs of docs/guide/python.md that do the same with other packages, in turns, and puts their times and
differences into its table.

usage: same_lines.py [--write]
"""
import os
import platform
import re
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import sinograph
from measured import put

PAGE = Path(__file__).resolve().parents[1] / "guide/python.md"
RUNS = 3
COLUMNS, ROWS, ANGLES, AXIS = 512, 16, 720, 263
DISCS = ((0, 0, 200, 0.002), (60, -40, 50, 0.002), (-80, 50, 30, -0.001), (20, 90, 12, 0.004))


def scan():
    """Counts of discs, without noise, and the slice that they make."""
    theta, fine = np.deg2rad(np.arange(ANGLES) * 180 / ANGLES)[:, None], (np.arange(COLUMNS * 8) + 0.5) / 8
    lines = np.zeros((ANGLES, COLUMNS * 8))
    place = np.arange(COLUMNS) + 0.5 - COLUMNS / 2
    truth = np.zeros((COLUMNS, COLUMNS))
    for x, y, radius, attenuation in DISCS:
        middle = AXIS + x * np.cos(theta) - y * np.sin(theta)
        lines += 2 * attenuation * np.sqrt(np.maximum(radius**2 - (fine - middle)**2, 0))
        truth += attenuation * (np.hypot(place[None] - x, place[:, None] - y) < radius)
    passed = np.exp(-lines.reshape(ANGLES, COLUMNS, 8).mean(axis=2))[:, None].repeat(ROWS, axis=1)
    flats, darks = np.full((10, ROWS, COLUMNS), 40100, np.uint16), np.full((10, ROWS, COLUMNS), 100, np.uint16)
    return {"counts": (100 + 40000 * passed).round().astype(np.uint16), "flats": flats, "darks": darks}, truth


def programs():
    """The name of each package, and its program."""
    found = re.findall(r"<!-- same lines: (\S+) -->\n```py\n(.*?)```", PAGE.read_text(), re.S)
    return {name: compile(text, name, "exec") for name, text in found}


def main():
    data, truth = scan()
    place = np.arange(COLUMNS) + 0.5 - COLUMNS / 2
    inside = np.hypot(place[None], place[:, None]) < 235
    times, volumes, all_programs = {}, {}, programs()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        np.savez("scan.npz", **data)
        for turn in range(RUNS + 1):  # what packages compile or load is done in the first turn, which does not count
            for name, program in all_programs.items():
                names, begun = {}, time.perf_counter()
                exec(program, names)
                if turn:
                    times.setdefault(name, []).append(time.perf_counter() - begun)
                volumes[name] = np.load("volume.npy")
    ours, rows = volumes["sinograph"][ROWS // 2], []
    for name, taken in times.items():
        image = volumes[name][ROWS // 2]
        scale = np.sqrt(np.mean(truth[inside]**2))
        to_truth, to_ours = (np.sqrt(np.mean((image - other)[inside]**2)) / scale for other in (truth, ours))
        number = sinograph.__version__ if name == "sinograph" else version(name)
        rows.append([f"{name} {number}", f"{min(taken):.2f} s", f"{100 * to_truth:.1f} %", f"{100 * to_ours:.1f} %"])
    print(f"{os.cpu_count()} threads, Python {platform.python_version()}, NumPy {np.__version__}")
    return put("same lines", ["package", "time", "from the discs", "from sinograph"], rows, "--write" in sys.argv, PAGE)


if __name__ == "__main__":
    main()
