#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A machine without OpenCL: what is said of it, and what runs there. Costs 2 s. usage: without-opencl.py SINOGRAPH"""
import os
import re
import subprocess
from pathlib import Path

import tap
from folders import in_folder, with_path
from program import PROGRAM, call, matches
from tap import check, same

FOLDERS = [Path(folder) for folder in os.environ["SINOGRAPH_PLUGIN_PATH"].split(":")]
MODULE = "opencl/sinograph-opencl.so"
WHOLE = next(folder / MODULE for folder in FOLDERS if (folder / MODULE).exists())
# The nodes that most scans need, with more than one way to compute some of them.
LINE = ("simulate width=64 height=4 projections=48 axis=33 type=u16 photons=20000 darks=2 flats=2 ! flat-field ! "
        "retrieve-phase energy=20 distance=0.1 delta-beta=300 pixel-size=1e-6 ! find-axis ! reconstruct method=METHOD ! "
        "write path=FOLDER/slice-%i.tif overwrite=true")


def without(folder, module=None):
    """The environment of a machine that lacks the module, or has these bytes in its place."""
    for name in "fft", "mpi":
        for place in FOLDERS:
            if (place / name).exists() and not (folder / name).exists():
                (folder / name).symlink_to(place / name)
    if module is not None:
        (folder / "opencl").mkdir()
        (folder / MODULE).write_bytes(module)
    others = [place for place in FOLDERS if not (place / MODULE).exists()]
    return with_path(folder, *others)


def refuses(environment, why):
    """Where OpenCL is listed or asked for, the reason is given."""
    status, out, error = call("devices", env=environment)
    same((status, error), (0, ""))
    check(out.startswith("* native ") and len(re.findall("^  no OpenCL devices: ", out, re.M)) == 1, out)
    matches(rf"\n  no OpenCL devices: {why}\n$", out)
    for device, start in ("cl", "no OpenCL device; "), ("cl:0", "no device 'cl:0'; "), ("native,cl:1", "no device 'cl:1'; "):
        status, out, error = call("launch", "simulate ! null", "--device", device, env=environment)
        same((status, out), (2, ""))
        matches(rf"^sinograph: {start}the devices are native \(.+\); there are no OpenCL devices: {why}\n$", error)


@in_folder
def test_missing(folder):
    environment = without(folder)
    refuses(environment, rf"{MODULE} is not in .*{folder}.*; install its package, or add its parent folder to SINOGRAPH_PLUGIN_PATH")
    # Who did not ask for OpenCL gets the CPU.
    for device in [], ["--device=all"], ["--device=native"]:
        same(call("launch", "-q", "simulate width=8 height=2 projections=4 ! null", *device, env=environment), (0, "", ""))
    status, out, error = call("launch", "-q", "simulate ! ramp-filter variant=opencl ! null", env=environment)
    same((status, out), (1, ""))
    matches(r"^sinograph: 'ramp-filter': variant=opencl does not run on native \(.*\): it runs 'native'\n$", error)


@in_folder
def test_without_its_libraries(folder):
    """A library that is needed and not there is named."""
    environment = without(folder, WHOLE.read_bytes().replace(b"libOpenCL.so.1\0", b"libAbsent.so.1\0"))
    refuses(environment, rf"{folder / MODULE} cannot be loaded: libAbsent\.so\.1: cannot open shared object file: "
                         "No such file or directory; install the libraries that it needs, a loader of OpenCL drivers and clFFT")


@in_folder
def test_truncated(folder):
    whole = WHOLE.read_bytes()
    refuses(without(folder, whole[:len(whole) // 4]),
            rf"{folder / MODULE} cannot be loaded: truncated: .+; install it again")


@in_folder
def test_same_bytes(folder):
    """A native run needs nothing of it."""
    made = {}
    environments = {"with": os.environ, "without": without(folder)}
    for method in "direct", "fourier":
        for name, environment in environments.items():
            place = folder / f"{method}-{name}"
            same(call("launch", "-q", LINE.replace("METHOD", method).replace("FOLDER", str(place)), "--device=native", env=environment),
                 (0, "", ""))
            made[name] = [path.read_bytes() for path in sorted(place.glob("*.tif"))]
        same(len(made["with"]), 4)
        check(made["with"] == made["without"], f"{method}: other bytes without the module")


def test_links():
    """Only the module is linked to libraries of OpenCL, and no object takes their functions from elsewhere."""
    build = Path(os.environ["SINO_BUILD"])
    objects = [Path(PROGRAM), build / "bench/sinograph-bench", build / "src/libsinograph.so.1",
               *(path for folder in FOLDERS for path in folder.rglob("*.so"))]
    check({"sinograph-filters.so", "sinograph-tasks.so", WHOLE.name} <= {path.name for path in objects}, objects)
    for path in objects:
        said = subprocess.run(["readelf", "-W", "-d", "--dyn-syms", path], capture_output=True, text=True, check=True).stdout
        libraries = re.findall(r"\(NEEDED\).*\[(lib(?:OpenCL|clFFT))\.", said)
        functions = re.findall(r" (cl(?:fft)?[A-Z]\w+)(?:@\S+(?: \(\d+\))?)?$", said, re.M)
        if path.name == WHOLE.name:
            same((sorted(libraries), sorted(set(functions))), (["libOpenCL", "libclFFT"], ["clGetPlatformIDs", "clfftSetup"]))
        else:
            same((path, libraries, functions), (path, [], []))


tap.main(globals())
