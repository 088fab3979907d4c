#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Measures cone-beam back-projection on this machine for docs/guide/performance.md: prints its tables in Markdown and puts
them into the page.

usage: meson devenv -C build ../docs/figures/cone-performance.py [--short] [--peers] [--rtk PYTHON] [--page]
--page writes the page. --peers also times plastimatch, where it is installed (of Debian), and RTK, where --rtk names a
Python that has itk-rtk (of PyPI). Wants an idle machine, 16 GB and twenty minutes (--short: one).
"""
import argparse
import re
import subprocess
import tempfile

from measured import bench, put

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--short", action="store_true")
parser.add_argument("--peers", action="store_true")
parser.add_argument("--rtk", metavar="PYTHON")
parser.add_argument("--page", action="store_true")
options = parser.parse_args()
RUNS = 1 if options.short else 3

# Chen et al. (2021), table 3; Lu et al. (2016), table 1.
PROBLEMS = [(f"P{i + 1}", detector, 512, size) for i, (detector, size) in enumerate(
    [(256, 256), (256, 512), (256, 1024), (512, 256), (512, 512), (512, 1024), (1024, 256), (1024, 512), (1024, 1024), (1024, 1300)])]
PROBLEMS += [("Lu, small", 512, 1200, 512), ("Lu, medium", 1024, 1200, 1024)]


def cone_bench(detector, projections, size, precision, runs):
    return bench("cone-back-project", detector=detector, projections=projections, size=size, precision=precision, runs=runs)


def cone_beam():
    rows = []
    for name, detector, projections, size in PROBLEMS[3:5] if options.short else PROBLEMS:
        cells = [name, f"{detector}² x {projections}", f"{size}³"]
        for precision in "single", "int16":
            found = cone_bench(detector, projections, size, precision, 1 if size >= 1024 else RUNS)
            cells += [f"{found['gups']:.1f}", f"{found['ratio']:.0f}"]
        rows.append(cells)
    put("cone-beam", ["problem", "projections", "volume", "float, GUPS", "times plain loops", "16-bit integers, GUPS", "times plain loops"], rows, options.page)


RTK = """
import sys, time
import itk
from itk import RTK as rtk
threads = int(sys.argv[1])
itk.MultiThreaderBase.SetGlobalDefaultNumberOfThreads(threads)
image = itk.Image[itk.F, 3]
geometry = rtk.ThreeDCircularProjectionGeometry.New()
for i in range(64):
    geometry.AddProjection(500.0, 500.001, 360.0 * i / 64)
def constant(size, spacing):
    source = rtk.ConstantImageSource[image].New(Origin=[(1 - s) / 2 * d for s, d in zip(size, spacing)], Spacing=spacing, Size=size, Constant=1.0)
    source.Update()
    return source.GetOutput()
projections = constant([512, 512, 64], [0.625, 0.625, 1.0])
seconds = []
for _ in range(4):
    filter = rtk.FDKBackProjectionImageFilter[image, image].New(Geometry=geometry)
    filter.SetInput(0, constant([256] * 3, [1.0] * 3))
    filter.SetInput(1, projections)
    begin = time.perf_counter()
    filter.Update()
    seconds.append(time.perf_counter() - begin)
print(sorted(seconds[1:])[1])
"""


def plastimatch_seconds(folder):
    def run(*words):
        return subprocess.run(["plastimatch", *words], cwd=folder, check=True, capture_output=True, text=True).stdout
    run("synth", "--pattern", "sphere", "--output", "v.mha", "--dim", "64 64 64", "--spacing", "4 4 4", "--origin", "-126 -126 -126")
    run("drr", "-a", "64", "-N", "5.625", "--sad", "1000", "--sid", "1500", "-r", "512 512", "-z", "600 600", "-t", "pfm", "-O", "p/p_",
        "-I", "v.mha")

    def seconds():
        said = run("fdk", "-I", "p", "-O", "o.mha", "-r", "256 256 256", "-z", "256 256 256", "-A", "cpu")
        return float(re.search(r"Backprojection time *= *([0-9.]+)", said)[1])
    return sorted(seconds() for _ in range(3))[1]


def cone_peers():
    """256^3 from 64 projections of 512^2, back-projection alone, ours between the others."""
    updates = 64 * 256**3 / 1e9
    found, ours = {}, {}
    for precision in "single", "int16":
        first = cone_bench(512, 64, 256, precision, RUNS)
        ours[precision], threads = first["gups"], first["threads"]
    with tempfile.TemporaryDirectory() as folder:
        found["plastimatch, back-projection of its FDK"] = updates / plastimatch_seconds(folder)
    if options.rtk:
        done = subprocess.run([options.rtk, "-c", RTK, str(threads)], check=True, stdout=subprocess.PIPE, text=True)
        found["RTK (itk-rtk), FDKBackProjectionImageFilter"] = updates / float(done.stdout.split()[-1])
    put("cone-peers", ["256³ from 64 x 512²", "GUPS", "times slower than float", "than 16-bit integers"],
          [["float", f"{ours['single']:.1f}", "", ""], ["16-bit integers", f"{ours['int16']:.1f}", "", ""],
           *([name, f"{gups:.2f}", f"{ours['single'] / gups:.0f}", f"{ours['int16'] / gups:.0f}"] for name, gups in found.items())], options.page)


def whole_runs():
    """Tasks one after the other and overlapped, beside Lu et al., table 4, whose filter and back-projection hold their transfers."""
    rows = [["Lu et al., GTX 980, SSD", "2048³ from 1200", "36.9", "", "22.7", "158.9", "46.5", "265.5", "159.6", "1.66", "", ""],
            ["NVIDIA H200, 16 cores, files in memory", "1024³ from 1024", "0.80", "1.75", "3.23", "4.68", "1.90", "12.4", "3.33", "3.71", "0.70", "0.71"]]
    for size in (128,) if options.short else (256, 512):
        for files, folder in ("files in memory", "/dev/shm"), ("files on the disk", tempfile.gettempdir()):
            found = bench("cone-pipeline", size=size, runs=RUNS, folder=folder)
            alone = {task["node"]: task["seconds"] for task in found["tasks"]}
            seconds = [alone["read"], alone["flat-field"] + alone["cone-weight"], alone["ramp-filter"], alone["cone-back-project"],
                       alone["write"], found["no_overlap_seconds"], found["seconds"], found["speedup"],
                       found["cpu_seconds"] / found["threads"], found["ratio"]]
            rows.append([files, f"{size}³ from {size}", *(f"{s:.2f}" for s in seconds)])
    put("cone-pipeline", ["", "voxels, projections", "read", "flat-field, cone-weight", "ramp-filter", "cone-back-project", "write",
                          "one after the other", "overlapped", "times", "CPU seconds / threads", "ratio"], rows, options.page)


cone_beam()
whole_runs()
if options.peers:
    cone_peers()
