#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What 'plan' says of memory, for every node and ready graph, on the CPU and on an OpenCL device: items add up to the peak, to
the byte, and a run takes no more than its bill, for which it would fail. Costs 7 s, whole 24 s. usage: bill.py SINOGRAPH"""
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import SkipTest

import h5py
import tap
import tifffile
from addresses import free_address
from draw import drawn, in_turn

GRAPHS = Path(__file__).resolve().parents[2] / "docs/graphs"
FOLDER = tempfile.TemporaryDirectory()
SCAN = "simulate width=90 height=13 projections=41 darks=2 flats=3"
ROWS = f"{SCAN} ! flat-field ! ramp-filter"
CONE = f"{SCAN} angles=0:360 source-origin=500 origin-detector=300 ! flat-field ! cone-weight"
# A line with each node, in which it has something to do.
LINES = {
    "read": "read path=FOLDER/scan.h5 ! flat-field ! write path=FOLDER/read.h5 overwrite=true",
    "simulate": f"{SCAN} ! null",
    "phantom": "phantom width=64 height=9 ! null",
    "flat-field": f"{SCAN} ! flat-field ! null",
    "ramp-filter": f"{ROWS} ! null",
    "half-pack": f"{ROWS} ! half-pack ! null",
    "interleave": f"{ROWS} ! interleave lanes=4 ! null",
    "back-project": f"{ROWS} ! interleave ! back-project precision=auto ! null",
    "cone-weight": f"{CONE} ! null",
    "cone-back-project": f"{CONE} ! ramp-filter ! cone-back-project ! null",
    "forward-project": "phantom width=64 height=9 ! forward-project width=64 height=9 projections=30 ! null",
    "fourier-reconstruct": f"{SCAN} ! flat-field ! interleave ! fourier-reconstruct ! null",
    "reconstruct": f"{SCAN} ! flat-field ! reconstruct ! null",
    "remove-stripes": f"{SCAN} ! flat-field ! interleave ! remove-stripes ! reconstruct ! null",
    "retrieve-phase": f"{SCAN} ! flat-field absorption=false ! retrieve-phase energy=20 distance=0.1 pixel-size=1e-6 delta-beta=1000 ! null",
    "find-axis": f"{SCAN} ! flat-field ! find-axis again=true ! null",
    "find-geometry": "simulate width=64 height=32 projections=60 angles=0:360 source-origin=200 origin-detector=100 ! find-geometry ! null",
    "find-metal": f"{SCAN} ! flat-field ! reconstruct ! find-metal ! null",
    "segment-metal": f"{SCAN} ! flat-field ! reconstruct ! find-metal ! segment-metal ! null",
    "interpolate-metal": f"[{SCAN} ! flat-field, {SCAN} ! flat-field, {SCAN} ! flat-field] ! interpolate-metal ! null",
    "reduce-metal": f"{SCAN} ! flat-field ! reduce-metal ! reconstruct ! null",
    "align-projections": f"[{SCAN} ! flat-field, {SCAN} ! flat-field] ! align-projections ! null   "
    f"[{SCAN} angles=0:370 ! flat-field, {SCAN} ! flat-field] ! align-projections smooth=3 ! null",
    "correct-drift": f"{SCAN} ! flat-field ! correct-drift ! reconstruct ! null",
    "stitch-360": "simulate width=90 height=13 projections=40 angles=0:360 axis=60.3 ! stitch-360 ! null",
    "iterative-reconstruct": f"[{SCAN} ! flat-field ! interleave ! iterative-reconstruct iterations=2, "
    f"{SCAN} ! flat-field ! interleave ! iterative-reconstruct iterations=2 dimensions=3] ! concatenate ! null",
    "iterative-cone-reconstruct": f"{CONE.replace(' ! cone-weight', '')} ! iterative-cone-reconstruct iterations=2 ! null",
    "live": f"{SCAN} ! flat-field ! live   {SCAN} angles=0:720 ! flat-field ! live mode=ring planes='z=3,tilt=20 x=1' size=50",
    "try-axes": f"{SCAN} ! flat-field ! interleave ! try-axes axis=40:50 ! null",
    "write": f"{SCAN} ! write path=FOLDER/pages-%04i.tif overwrite=true type=u16 range=0:4000",
    "preview": "phantom width=64 height=9 ! preview path=FOLDER/picture.png overwrite=true",
    "null": f"{SCAN} ! null",
    "median": f"{SCAN} ! flat-field ! median size=5 ! median direction=angle ! null",
    "crop": f"{SCAN} ! crop x=9 width=70 y=2 height=9 ! flat-field ! reconstruct ! null",
    "bin": f"{SCAN} ! bin ! flat-field ! reconstruct ! null",
    "flip": f"{SCAN} ! flip ! flat-field ! reconstruct ! null",
    "pad": f"{SCAN} ! pad left=9 right=20 top=3 ! flat-field ! reconstruct ! null",
    "transpose": f"{SCAN} angles=0:360 source-origin=500 origin-detector=300 ! transpose ! flat-field ! null",
    "dynamic-flats": f"{SCAN.replace('flats=3', 'flats=7')} ! dynamic-flats components=2 ! flat-field ! null",
    "average": f"{SCAN.replace('41', '42')} ! average number=3 ! flat-field ! interleave ! average number=2 ! null",
    "concatenate": f"[{SCAN} ! flat-field ! reconstruct, {SCAN} ! flat-field ! reconstruct] ! concatenate overlap=3 ! null",
    "correct-bad-pixels": f"{SCAN} ! correct-bad-pixels ! flat-field ! null",
    "correct-beam-hardening": f"{SCAN} ! flat-field ! correct-beam-hardening ! null",
    "correct-two-materials": f"[{SCAN} ! flat-field, {SCAN} ! flat-field] ! correct-two-materials dense=Al voltage=100 unit=1 ! null",
    "subtract-scatter": f"{SCAN} ! subtract-scatter counts=10 ! flat-field ! null",
    "correct-dose": f"{SCAN} ! flat-field ! correct-dose width=9 ! null",
    "minus-log": f"{SCAN} ! flat-field absorption=false ! minus-log ! null",
    "fill-holes": f"{SCAN} ! flat-field ! fill-holes ! null",
    "calculate": f"[{SCAN} ! flat-field, {SCAN} ! flat-field] ! calculate expression='x - y' ! null",
    "percentiles": f"{SCAN} ! flat-field ! reconstruct ! percentiles ! null",
    "rescale": f"{SCAN} ! flat-field ! reconstruct ! rescale ! null",
    "remove-outliers": f"{SCAN} ! flat-field ! remove-outliers threshold=0.1 ! null",
    "unsharp": f"{SCAN} ! flat-field ! unsharp ! null",
    "rotate": f"{SCAN} ! rotate angle=2 ! flat-field ! null",
    "shift": f"{SCAN} ! shift dx=0.3 dy=2.5 interpolation=cubic ! flat-field ! null",
    "undistort": f"{SCAN} ! undistort file=FOLDER/lens.txt interpolation=cubic ! flat-field ! null",
    "graph": "phantom width=64 height=9 ! graph path=FOLDER/part.json ! null",
}
# Lines that run at the same time.
NETWORK = {
    "send": f"{SCAN} type=u16 ! send address=ADDRESS",
    "receive": "receive address=ADDRESS frames=41 rows=13 columns=90 element=u16 timeout=30 ! null",
}
# Streams that are kept between passes, copies for one of two consumers, lanes taken apart, and what else a node can do.
OTHERS = [
    "phantom width=64 height=9 ! preview show=cuts path=FOLDER/cuts.png overwrite=true",
    f"{SCAN} ! flat-field ! reconstruct axis=40:50:0.5 ! preview path=FOLDER/axes.png overwrite=true",
    "simulate width=90 height=13 projections=40 angles=0:360 axis=60.3 ! interleave lanes=4 ! stitch-360 ! reconstruct ! null",
    f"{CONE} ! cone-back-project weights=adjoint ! null",
    f"{CONE} ! ramp-filter ! cone-back-project precision=int16 ! null",
    f"{SCAN} ! flat-field ! write path=FOLDER/packed.h5 compression=deflate overwrite=true",
    f"{SCAN} ! flat-field ! reconstruct ! write path=FOLDER/packed.h5 compression=deflate overwrite=true",
    f"{SCAN} ! flat-field ! reconstruct ! write path=FOLDER/packed.h5 compression=lz4 overwrite=true",
    f"{SCAN} ! flat-field ! reconstruct ! write path=FOLDER/volume.zarr overwrite=true",
    f"{SCAN} ! flat-field ! reconstruct ! write path=FOLDER/volume.ome.tif overwrite=true",
    f"{SCAN} ! write path=FOLDER/volume.mhd type=u8 range=0:4000 overwrite=true",
    f"{ROWS} ! interleave lanes=8 ! write path=FOLDER/apart.h5 overwrite=true",
    f"{SCAN} name=s ! flat-field ! interleave ! back-project ! write path=FOLDER/two.h5 overwrite=true   s. ! null",
]
# Kernels of nodes whose native implementation is the choice on CPUs.
ON_DEVICE = [LINES["retrieve-phase"].replace(" ! null", f" variant=opencl {words} ! null")
             for words in ("", "variant-parameters=FFT=1,UNROLL=0")]

# Nodes that take their native code on PoCL unless they are told to take kernels.
KERNELS = [line.replace("{}", "variant=opencl") for line in (
    f"{CONE} {{}} ! null",
    f"{SCAN} ! rotate angle=2 interpolation=cubic {{}} ! shift dx=0.3 {{}} ! pad left=9 {{}} ! bin {{}} ! flip {{}} ! crop x=3 {{}} ! null",
    f"{SCAN} ! undistort file=FOLDER/lens.txt {{}} ! flat-field ! remove-outliers threshold=0.1 variant=bisect ! correct-dose width=9 {{}} ! null",
    f"{SCAN.replace('flats=3', 'flats=7')} ! dynamic-flats components=2 {{}} ! flat-field ! null",
    "simulate width=90 height=13 projections=40 angles=0:360 axis=60.3 ! stitch-360 {} ! null",
    "simulate width=90 height=13 projections=40 angles=0:360 axis=60.3 ! interleave lanes=4 ! stitch-360 {} ! null",
    f"{SCAN} angles=0:360 source-origin=500 origin-detector=300 ! transpose {{}} ! null",
    *(f"{SCAN} ! flat-field ! interleave lanes=4 ! remove-stripes {{}} {words} ! null"
      for words in ("", "bridge=true", "method=all", "method=wavelet-fourier")),
)]


def sinograph(*words):
    done = subprocess.run([sys.argv[1], *words], capture_output=True, text=True)
    tap.check(done.returncode == 0, (words, done.stderr))
    return done.stdout


def items(lines):
    """The bytes of the lines that are items of the host."""
    found = [re.fullmatch(r"    +(\d+)  (.*)", line) for line in lines]
    return [int(item[1]) for item in found if item and ", in the device's own memory" not in item[2]]


def check_sum(plan):
    run, *passes = re.split(r"^pass \d+: .*\n", plan, flags=re.M)
    *before, peak = items(run.splitlines())
    of_passes = [sum(items(text.splitlines())) for text in passes]
    tap.check(len(before) >= 2 and all(of_passes), plan)
    tap.same(sum(before) + max(of_passes), peak)


def check(device, *words):
    check_sum(sinograph("plan", f"--device={device}", *words))
    sinograph("launch" if len(words) == 1 else "run", "-q", f"--device={device}", *words)


def devices():
    return [device["id"] for device in json.loads(sinograph("devices", "--json")) if device["id"] in ("native", "cl:0")]


def prepare():
    (Path(FOLDER.name) / "part.json").write_text(json.dumps(
        {"sinograph": 1, "nodes": [{"plugin": "half-pack", "name": "pack"}], "edges": []}))
    Path(FOLDER.name, "lens.txt").write_text("xcenter = 40\nycenter = 6\nfactor0 = 1\nfactor1 = 1e-3\n")
    sinograph("launch", "-q", f"{SCAN} ! write path={FOLDER.name}/scan.h5")
    with h5py.File(f"{FOLDER.name}/scan.h5") as file:
        for name, dataset in ("projections", "data"), ("darks", "data_dark"), ("flats", "data_white"):
            folder = Path(FOLDER.name) / name
            folder.mkdir()
            for i, image in enumerate(file["/exchange/" + dataset]):
                tifffile.imwrite(folder / f"{i:04}.tif", image)


def test_nodes():
    names = re.findall(r"^ {2}([a-z][a-z0-9-]*) ", sinograph("inspect"), flags=re.M)
    tap.same(sorted(names), sorted([*LINES, *(NETWORK if "receive" in names else ()), "app-sink", "app-source"]))  # they want a program
    for device in devices():
        for line in drawn(LINES.values(), 5):
            check(device, line.replace("FOLDER", FOLDER.name))


def test_joined_runs():
    if "receive" not in sinograph("inspect"):
        raise SkipTest("built without ZeroMQ")
    address = free_address()
    send, receive = (line.replace("ADDRESS", address) for line in NETWORK.values())
    for line in send, receive:
        check_sum(sinograph("plan", "--device=native", line))
    with subprocess.Popen([sys.argv[1], "launch", "-q", "--device=native", send]) as sender:
        sinograph("launch", "-q", "--device=native", receive)
    tap.same(sender.returncode, 0)


def test_streams():
    for line in drawn(OTHERS, 3):
        check("native", line.replace("FOLDER", FOLDER.name))


def test_on_device():
    for device in devices():
        for line in ON_DEVICE if device != "native" else ():
            check(device, line)


def test_spectra():
    """Many threads retrieve several projections at a time: some together, and more under way."""
    spectrum = 0
    for threads, spectra in (2, 1), (8, 3):
        plan = sinograph("plan", "--device=native", f"--threads={threads}", LINES["retrieve-phase"])
        check_sum(plan)
        found = re.search(r" +(\d+)  spectra of projections(?: \((\d+) of \d+ bytes\))?$", plan, flags=re.M)
        tap.same(int(found[2] or 1), spectra)
        tap.check(int(found[1]) // spectra > spectrum, plan)
        spectrum = int(found[1]) // spectra
        sinograph("launch", "-q", "--device=native", f"--threads={threads}", LINES["retrieve-phase"])


def test_kernels():
    if "cl:0" not in devices():
        raise SkipTest("there is no OpenCL device")
    for line in drawn(KERNELS, 3):
        check("cl:0", line.replace("FOLDER", FOLDER.name))


def test_graphs():
    sets = {
        "fbp-hdf5": [f"read.path={FOLDER.name}/scan.h5"],
        "fbp-tiff": [f"read.{name}={FOLDER.name}/{folder}" for name, folder in (("path", "projections"), ("darks", "darks"),
                                                                               ("flats", "flats"))],
    }
    for words in sets.values():
        words.append("reconstruct.axis=45")
    sets["nmar"] = [f"read.path={FOLDER.name}/scan.h5", "read.axis=45"]
    sets["correct-drift"] = sets["nmar"]
    sets["two-materials"] = [f"read.path={FOLDER.name}/scan.h5", "read.pixel-size=1", "dense.projections=41", "dense-again.projections=41"]
    beam = [f"read.path={FOLDER.name}/scan.h5", "read.angles=0:360", "read.source-origin=500", "read.origin-detector=300"]
    sets |= {"fdk": beam, "fan": beam, "laminography": [*beam, "read.axis-tilt=30"], "helical": [*beam, "read.helical-pitch=6"]}
    graphs = sorted(GRAPHS.glob("*.json"))
    tap.same([path.stem for path in graphs], sorted(sets))
    for path in drawn(graphs, 3):
        words = [*sets[path.stem], f"write.path={FOLDER.name}/{path.stem}-%03i.tif"]
        for device in devices():
            check(device, str(path), *[word for pair in words for word in ("--set", pair)], "--set", "write.overwrite=true")


def test_limit():
    """Under a limit there are more work items."""
    in_turn(0, 2)
    line = "simulate width=300 height=400 projections=200 darks=2 flats=3 ! flat-field ! reconstruct ! null"

    def plan(device, *options):
        return subprocess.run([sys.argv[1], "plan", f"--device={device}", "--threads=2", *options, line], capture_output=True,
                              text=True)

    def work_items(text):
        return max(map(int, re.findall(r"^pass \d+: (\d+) work item", text, flags=re.M)))

    for device in devices():
        free = plan(device).stdout
        base = int(re.search(r"(\d+)  this process", free)[1])
        most = 0
        for more in range(60, 112, 4):  # MiB: processes differ by some
            limit = base + more * 2**20
            limited = plan(device, "--memory", str(limit))
            if limited.returncode == 0:
                check_sum(limited.stdout)
                most = max(most, work_items(limited.stdout))
        tap.check(most > work_items(free), (device, most, free))


def test_under_way():
    """Of many threads several stacks are under way where there is memory; all runs give the same bytes."""
    in_turn(1, 2)
    scan = "simulate width=300 height=100 projections=200 darks=2 flats=3 ! flat-field"

    def grids(*options):
        path = f"{FOLDER.name}/slices.h5"
        line = f"{scan} ! interleave ! fourier-reconstruct ! write path={path} overwrite=true"
        plan = sinograph("plan", *options, line)
        check_sum(plan)
        sinograph("launch", "-q", *options, line)
        with h5py.File(path) as file:
            pixels = file["/exchange/data"][()].tobytes()
        found = re.search(r"  grids(?: \((\d+) of \d+ bytes\))?$", plan, flags=re.M)
        return int(found[1] or 1), pixels, int(re.search(r"(\d+)  this process", plan)[1]), plan

    one, wanted, base, _ = grids("--device=native", "--threads=1")
    tap.same(one, 1)
    numbers = set()
    for options in ["--threads=2"], ["--threads=3"], ["--threads=8"], *(
            ["--threads=8", f"--memory={base + more * 2**20}"] for more in (110, 140, 200)):
        number, pixels, _, plan = grids("--device=native", *options)
        tap.check(pixels == wanted, (options, "other bytes than with one thread", plan))
        numbers.add(number)
    tap.check(numbers > {1, 2}, numbers)


prepare()
tap.main(globals())
