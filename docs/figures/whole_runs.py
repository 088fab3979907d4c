#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Whole runs on a large machine, beside a peer and what the machine allows: the first table and picture of
docs/guide/performance.md.

usage: whole_runs.py [--page]

The numbers are kept here, for such a machine is not at hand where the pages are made. NOW has seconds of
`sinograph launch --stats` with the scan that `sinograph bench pipeline` makes, medians of up to three runs or single ones. Limits
are sizes over measured rates, and kernels by the device's clock; on any machine `bench pipeline` measures both anew.
"""
import sys
from pathlib import Path

from measured import put

MACHINE = "an NVIDIA H200 and 16 cores"
DOCS = Path(__file__).resolve().parents[1]

# Seconds to TIFF, to HDF5 and to null, for as many columns, rows and projections.
BEFORE = {
    2048: {"direct, GPU": (12.0, 17.5, 9.3), "fourier, GPU": (12.5, 18.0, 7.3), "fourier, 16 threads": (11.7, 16.7, None)},
    1024: {"direct, GPU": (2.12, 2.78, 1.09), "fourier, GPU": (2.05, 2.78, 1.10), "fourier, 16 threads": (1.72, 2.31, None)},
}
NOW = {
    2048: {"direct, GPU": (5.6, 8.2, 5.6), "direct, GPU, files=8": (None, 5.85, None),
           "fourier, GPU": (3.29, 8.0, 2.39), "fourier, GPU, files=8": (None, 4.0, None), "fourier, 16 threads": (8.55, None, 6.71),
           "fourier, 16 threads, half-storage": (8.4, None, None)},
    1024: {"fourier, GPU": (0.67, None, None)},
}
PEERS = {
    2048: {"tomocupy, fourierrec, GPU": (14.2, 28, None)},
    1024: {"tomocupy, fourierrec, GPU": (4.1, 6.0, None)},
}
# What a run of 2048^3 cannot beat.
LIMITS = {
    "reading 17.2 GB with 8 threads, at 34 GB/s": 17.2 / 34,
    "writing 34.4 GB to new TIFF files with 8 threads, at 19.3 GB/s": 34.4 / 19.3,
    "the bus, 34.4 GB down at 55 GB/s from pinned memory": 34.4 / 55,
    "kernels alone, direct": 4.5,
    "writing 34.4 GB to one new HDF5 file, at 5.24 GB/s": 34.4 / 5.24,
    "writing 34.4 GB to 8 new HDF5 files, at 10.4 GB/s": 34.4 / 10.4,
    "kernels alone, fourier": 1.1,
}


def series(size):
    """(name, colour, seconds) of all rows for a size, ours first."""
    before = " (before)" if NOW[size] else ""
    return [(name, "#0072B2", seconds) for name, seconds in NOW[size].items()] + [
        (name + before, "#56B4E9", seconds) for name, seconds in BEFORE[size].items()] + [
        (name, "#999999", seconds) for name, seconds in PEERS[size].items()]


def tables(on_page):
    first, rows = None, []
    for size in BEFORE:
        title = f"{size}^3 on {MACHINE}" + ("" if NOW[size] else ", before")
        if first:
            rows.append([f"**{title}**", "", "", ""])
        first = first or [title, "TIFF", "HDF5", "null"]
        rows += [[name, *("" if value is None else f"{value:g}" for value in seconds)] for name, _, seconds in series(size)]
    put("whole-runs", first, rows, on_page)
    put("whole-run-limits", ["limit", "seconds"], [[name, f"{seconds:.1f}"] for name, seconds in LIMITS.items()], on_page)


def draw():
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import patches, pyplot
    shades = {"TIFF": 1, "HDF5": 0.6, "null": 0.3}
    figure, panels = pyplot.subplots(1, len(BEFORE), figsize=(11, 4.4))
    for axes, size in zip(panels, BEFORE):
        rows = series(size)
        places = range(len(rows), 0, -1)
        for place, (_, colour, times) in zip(places, rows):
            for offset, seconds, shade in zip((0.26, 0, -0.26), times, shades.values()):
                if seconds is not None:
                    axes.barh(place + offset, seconds, 0.24, color=colour, alpha=shade)
                    axes.text(seconds, place + offset, f" {seconds:g}", va="center", fontsize=8)
        handles = [patches.Patch(color="black", alpha=shade, label=f"to {name}") for name, shade in shades.items()]
        if size == 2048:
            styles = ("-", "--", "-.", ":", (0, (1, 3)), (0, (5, 1, 1, 1, 1, 1)), (0, (7, 3)))
            handles += [axes.axvline(seconds, color="#D55E00", linestyle=style, linewidth=1.2,
                                     label=name if "alone" in name else name.split(",")[0])
                        for (name, seconds), style in zip(LIMITS.items(), styles)]
        axes.set_xlim(0, 1.1 * max(seconds for _, _, times in rows for seconds in times if seconds))
        axes.set_yticks(list(places), [name for name, _, _ in rows])
        axes.set_xlabel("seconds, file to file")
        axes.set_title(f"{size} x {size} x {size} from {size} projections", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(handles=handles, frameon=False, fontsize=7, loc="upper center", bbox_to_anchor=(0.4, -0.17), ncols=2)
    figure.tight_layout()
    figure.savefig(DOCS / "images/whole-runs.png", dpi=110)


on_page = "--page" in sys.argv[1:]
tables(on_page)
if on_page:
    draw()
