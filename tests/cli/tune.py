#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""sinograph tune: what it finds is kept, and used by later runs; wrong options.

usage: tune.py SINOGRAPH
"""
import json
import os
import re
import tempfile

import tap
from program import call, fails, matches
from tap import same

SMALL = ("--size=64", "--projections=50", "--lanes=16", "--budget=1s")  # two kernels take 16 lanes
LINE = "simulate width=64 height=16 projections=50 ! ramp-filter ! interleave ! back-project ! null"


def opencl_device():
    """Of PoCL: others take minutes."""
    found = re.search(r"^[* ] (cl:\d+) .*Portable Computing", call("devices")[1], re.MULTILINE)
    return found and found[1]


def test_tunes():
    device = opencl_device()
    if not device:
        print("# no PoCL")
        return
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_CACHE_HOME=folder)
        entry = os.path.join(folder, "entry.json")
        status, out, error = call("tune", f"--device={device}", *SMALL, f"--export={entry}", env=env)
        same((status, error), (0, ""))
        matches(r"^cl:\d+ \(.*\), 64 x 64 pixels, 50 projections, single, linear\n\n  GUPS +times reference +error +way\n", out)
        matches(r"\n\d+ ways? tried.*; best: \w+.*, 16 lanes\nkept in " + re.escape(folder) + r".*-many-linear-single-16-lanes\.json\n", out)
        speeds = [float(line.split()[0]) for line in out.splitlines() if line.endswith("lanes") and line.startswith("  ")]
        same(speeds, sorted(speeds, reverse=True))
        kept = re.search(r"best: (\w+)", out)[1]
        with open(entry) as file:
            choice = json.load(file)
        same((choice["slices"], choice["interpolation"], choice["half"], choice["variant"], choice["lanes"]),
             ("many", "linear", False, kept, 16))
        plan = call("plan", f"--device={device}", LINE, env=env)[1]
        matches(kept + r"\S* kernel, OpenCL, 16 lanes, single precision \(tuned on this machine for 16 lanes\)", plan)

        # A file that exists is not written over, and told before anything is searched.
        fails(2, f"--export: '{entry}' exists: choose another name or remove it", "tune", f"--device={device}", *SMALL,
              f"--export={entry}", env=env)

        # What is damaged counts as nothing.
        tuning = os.path.join(folder, "sinograph", "tuning")
        for name in os.listdir(tuning):
            with open(os.path.join(tuning, name), "w") as file:
                file.write("{")
        plan = call("plan", f"--device={device}", LINE, env=env)[1]
        assert "kernel, OpenCL" in plan and "tuned on this machine" not in plan, plan


def test_tunes_all_kinds():
    """The truth is the native implementation, which has every interpolation and takes halves."""
    device = opencl_device()
    if not device:
        print("# no PoCL")
        return
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_CACHE_HOME=folder)
        entry = os.path.join(folder, "entry.json")
        for interpolation, precision in (("oversample", "single"), ("oversample", "half"), ("nearest", "half")):
            status, out, error = call("tune", f"--device={device}", *SMALL, f"--export={entry}",
                                      f"--interpolation={interpolation}", f"--precision={precision}", env=env)
            same((status, error), (0, ""))
            matches(f"50 projections, {precision}, {interpolation}\n", out)
            errors = [float(line.split()[2]) for line in out.splitlines() if line.endswith("lanes") and line.startswith("  ")]
            assert errors and all(0 < one < 1e-5 for one in errors), out
            with open(entry) as file:
                choice = json.load(file)
            os.unlink(entry)
            same((choice["slices"], choice["interpolation"], choice["half"]), ("many", interpolation, precision == "half"))


def test_tunes_one_slice():
    """What runs untuned is among the ways, so that nothing gets slower by it."""
    device = opencl_device()
    if not device:
        print("# no PoCL")
        return
    with tempfile.TemporaryDirectory() as folder:
        status, out, error = call("tune", f"--device={device}", "--size=64", "--projections=50", "--slices=1",
                                  "--budget=1s", env=dict(os.environ, XDG_CACHE_HOME=folder))
        same((status, error), (0, ""))
        matches(r"(?m)^  \S+ +\S+ +\S+ +blocked, 4 lanes$", out)
        matches(r"-one-linear-single\.json\n", out)


def test_tunes_groups():
    """How many slices are reconstructed together in Fourier space; the truth is the native implementation."""
    device = opencl_device()
    if not device:
        print("# no PoCL")
        return
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_CACHE_HOME=folder)
        entry = os.path.join(folder, "entry.json")
        status, out, error = call("tune", "--node=fourier-reconstruct", f"--device={device}", "--size=64",
                                  "--projections=50", "--budget=1s", f"--export={entry}", env=env)
        # PoCL's compiler says on its own that it warned of clFFT's kernels.
        same((status, re.sub(r"(?m)^\d+ warnings? generated\.\n", "", error)), (0, ""))
        matches(r"^cl:\d+ \(.*\), 64 x 64 pixels, 50 projections\n\n  GUPS +times reference +error +way\n", out)
        ways = re.findall(r"(?m)^  \S+ +\S+ +(\S+) +(\d+) slices together$", out)
        assert ways and all(0 < float(one) < 1e-3 for one, _ in ways), out
        best, path = re.search(r"; best: (\d+) slices together\nkept in (.*-fourier-reconstruct\.json)\n$", out).groups()
        assert best in [way for _, way in ways] and path.startswith(folder), out
        with open(entry) as file, open(path) as kept:
            choice = file.read()
            same(choice, kept.read())
        same(json.loads(choice), {"together": int(best)})

        def chosen(properties="", content=None, height=16):
            if content is not None:
                with open(path, "w") as file:
                    file.write(content)
            plan = call("plan", f"--device={device}", f"simulate width=64 height={height} projections=50 ! interleave ! "
                        f"fourier-reconstruct variant=opencl {properties} ! null", env=env)[1]
            return re.search(r"(\d+ lanes?, \d+ slices together \(.*?\))", plan)[1]

        same(chosen(), f"{best} lanes, {best} slices together (tuned on this machine)")
        same(chosen(content=choice.replace(best, "4")), "4 lanes, 4 slices together (tuned on this machine)")
        same(chosen(height=2), "2 lanes, 2 slices together (the lanes there are)")
        devices = call("devices", env=env)[1]
        matches(r"variant=opencl: OpenCL kernels, clFFT, 4 slices together \(tuned on this machine\)", devices)
        same(chosen("together=8"), "8 lanes, 8 slices together (as asked for)")
        for damaged in "{", '{"together": 3}\n', "":
            same(chosen(content=damaged), "16 lanes, 16 slices together (usual)")


def test_wrong_command_lines():
    fails(2, "tune takes options only", "tune", "back-project")
    fails(2, "--budget wants seconds or minutes, as 60s or 5m, got 'x'", "tune", "--budget=x", "--device=native")
    fails(2, "--precision wants single or half, got 'int16'", "tune", "--precision=int16", "--device=native")
    fails(2, "--lanes wants a number from 1 to 32, got '33'", "tune", "--lanes=33", "--device=native")
    fails(2, "--lanes wants 1, 2, 4, 8, 16 or 32, got '3'", "tune", "--lanes=3", "--device=native")
    for option in "lanes=4", "precision=half", "precision=single", "interpolation=linear":
        fails(2, f"--{option.split('=')[0]} is of back-project, 'fourier-reconstruct' has none", "tune",
              "--node=fourier-reconstruct", f"--{option}", "--device=native")
    fails(2, "--slices wants a number from 16 to 1024, got '8'", "tune", "--node=fourier-reconstruct", "--slices=8",
          "--device=native")
    status, out, error = call("tune", "--device=native")
    same((status, out), (2, ""))
    matches(r"^sinograph: 'back-project' has nothing to tune on native \(.*\): its kernels follow the CPU's instruction set", error)
    status, out, error = call("tune", "--node=ramp-filter", "--device=native")
    same((status, out), (2, ""))
    matches(r"^sinograph: 'ramp-filter' has nothing to tune on native ", error)


tap.main(globals())
