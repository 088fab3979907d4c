#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Measures this machine for docs/guide/performance.md: prints its tables in Markdown, puts them into the page and draws
its plot.

usage: meson devenv -C build ../docs/figures/performance.py [--short] [--peers] [--page]
--page writes the page and its plot. --peers also times UFO and silx, where they are installed (libufo-bin ufo-filters python3-silx pocl-opencl-icd).
Wants an idle machine and about ten minutes (--short: one).
"""
import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path

from measured import bench, put

DOCS = Path(__file__).resolve().parents[1]
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--short", action="store_true")
parser.add_argument("--peers", action="store_true")
parser.add_argument("--page", action="store_true")
options = parser.parse_args()
RUNS = 2 if options.short else 5


def table(section, head, rows):
    put(section, head, rows, options.page)


def back_projection():
    small, large = (256, 512) if options.short else (1024, 2048)
    found = []
    for name, how in [
            ("float", {}), ("16-bit integers", {"precision": "int16"}), ("half arithmetic", {"precision": "half"}),
            ("half storage", {"precision": "half-storage"}), ("float, oversample", {"interpolation": "oversample"}),
            ("float, nearest", {"interpolation": "nearest"}), ("float, a slice alone", {"slices": 1})]:
        for size in small, large:
            if size == small or name in ("float", "16-bit integers", "float, a slice alone"):
                result = bench("back-project", size=size, runs=RUNS, **how)
                if "no half arithmetic" not in result["kernel"]:
                    found.append((name, result))
    odd = {"size": 1000, "projections": 1500, "slices": 37}
    for name, how in ("float", {}), ("16-bit integers", {"precision": "int16"}):
        found.append((name, bench("back-project", runs=RUNS, **odd, **how)))
    table("back-project", ["kernel", "size", "projections", "slices", "GUPS", "ms per slice", "of the roof", "bound by",
                           "times plain loops", "relative RMSE"],
          [[name, f["size"], f["projections"], f["slices"], f"{f['gups']:.1f}", f"{f['ms_per_slice']:.1f}",
            f"{100 * f['gups'] / f['roofline']['gups']:.0f} %", f["roofline"]["bound_by"], f"{f['ratio']:.0f}",
            f"{f['relative_rmse']:.1e}"] for name, f in found])
    return found


def others():
    sizes = (256, 512) if options.short else (1024, 2048)
    found = [bench("ramp-filter", size=size, runs=RUNS) for size in sizes]
    table("ramp-filter", ["columns", "transforms of", "rows/s", "times a plain transform", "relative RMSE"],
          [[f["size"], f["length"], f"{f['rows_per_second']:.0f}", f"{f['ratio']:.0f}", f"{f['relative_rmse']:.1e}"]
           for f in found])
    found = [bench("interleave", size=size, runs=RUNS) for size in sizes]
    table("interleave", ["columns", "interleave, GB/s read and written", "a copy"],
          [[f["size"], f"{f['gigabytes_per_second']:.1f}", f"{f['copy_gigabytes_per_second']:.1f}"] for f in found])


def pipeline():
    how = {"size": 256, "slices": 64} if options.short else {"size": 1024, "slices": 256}
    f = bench("pipeline", runs=2 if options.short else 3, method="direct", **how)
    table("pipeline", ["seconds", "CPU seconds / threads", f"{f['busiest']} alone", "fill", "drain", "ratio", "GUPS"],
          [[f"{f['seconds']:.2f}", f"{f['cpu_seconds'] / f['threads']:.2f}", f"{f['busiest_seconds']:.2f}",
            f"{f['fill_seconds']:.2f}", f"{f['drain_seconds']:.2f}", f"{f['ratio']:.2f}", f"{f['gups']:.1f}"]])
    table("tasks", ["task", "alone, s", "at work in the run, s"],
          [[task["node"], f"{task['seconds']:.2f}", f"{task['busy_seconds']:.2f}"] for task in f["tasks"]])


def median_seconds(body):
    body()
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        body()
        seconds.append(time.perf_counter() - begin)
    return sorted(seconds)[1]


def peers(ours):
    """GUPS of what others do with the same numbers of pixels and projections."""
    import numpy as np
    import tifffile
    size, slices = (256, 16) if options.short else (1024, 16)
    sinogram = np.random.default_rng(1).random((size, size), dtype=np.float32)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        tifffile.imwrite(f"{folder}/stack.tif", np.repeat(sinogram[None], slices, 0))
        read = ["ufo-launch", "-q", "read", f"path={folder}/stack.tif", "!"]
        back = ["backproject", f"axis-pos={size / 2}", f"angle-step={np.pi / size}", "mode=nearest", "!"]

        def run(*words):
            subprocess.run([*read, *words, "null"], env=dict(os.environ, UFO_DEVICE_TYPE="cpu"), check=True,
                           stdout=subprocess.DEVNULL)
        found["UFO 0.16 on PoCL, nearest"] = slices * size**3 / (
            median_seconds(lambda: run(*back)) - median_seconds(run)) / 1e9
    from silx.opencl.backprojection import Backprojection
    one = Backprojection(sinogram.shape, angles=np.arange(size) * np.pi / size, devicetype="CPU")
    found["silx 1.1 on PoCL, a slice alone"] = size**3 / median_seconds(lambda: one.backprojection(sinogram)) / 1e9
    of = {"UFO": ours["float"], "silx": ours["float, a slice alone"]}
    table("peers", ["peer", "GUPS", "times slower than the kernel of its kind above"],
          [[name, f"{gups:.2f}", f"{of[name.split()[0]] / gups:.0f}"] for name, gups in found.items()])
    return found


def draw(kernels, others_gups):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    first = kernels[0][1]["size"]
    bars = [(name, f["gups"], f["roofline"]["gups"]) for name, f in kernels if f["size"] == first]
    bars += [(name, gups, None) for name, gups in others_gups.items()]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2), width_ratios=(3, 2))
    places = range(len(bars), 0, -1)
    left.barh(places, [gups for _, gups, _ in bars], 0.6,
              color=["#0072B2" if roof else "#999999" for _, _, roof in bars])
    for place, (_, gups, roof) in zip(places, bars):
        left.text(gups, place, f" {gups:.1f}", va="center", fontsize=9)
        if roof:
            left.plot([roof, roof], [place - 0.4, place + 0.4], color="#D55E00", linewidth=2.5)
    left.plot([], [], color="#D55E00", linewidth=2.5, label="roof")
    left.legend(frameon=False, loc="lower right")
    left.set_yticks(list(places), [name for name, _, _ in bars])
    left.set_xlabel("GUPS (billion pixels times projections per second)")
    left.set_title(f"{first} x {first} pixels, {first} projections, {kernels[0][1]['threads']} threads", fontsize=10)
    for name, colour, mark in ("float", "#0072B2", "o"), ("16-bit integers", "#009E73", "s"), ("float, a slice alone", "#CC79A7", "^"):
        points = sorted((f["size"], f["ms_per_slice"]) for other, f in kernels if other == name and f["size"] == f["projections"])
        right.loglog(*zip(*points), marker=mark, color=colour, label=name)
    right.set_xticks([first, 2 * first], [str(first), str(2 * first)])
    right.set_yticks(*zip(*[(ms, str(ms)) for ms in (20, 50, 100, 200, 500)]))
    right.minorticks_off()
    right.set_xlabel("columns = projections")
    right.set_ylabel("ms per slice")
    right.legend(frameon=False)
    right.grid(alpha=0.3, which="both")
    for axes in left, right:
        axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(DOCS / "images/performance.png", dpi=110)


kernels = back_projection()
others()
pipeline()
first = kernels[0][1]["size"]
gups = peers({name: f["gups"] for name, f in kernels if f["size"] == first}) if options.peers else {}
if options.page:
    draw(kernels, gups)
