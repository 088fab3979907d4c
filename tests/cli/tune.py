#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""sinograph tune: what it finds is kept, and used by later runs; wrong options. Costs 10 s, or 40 s where it is the turn of
Fourier space: PoCL compiles all kernels anew.

usage: tune.py SINOGRAPH
"""
import json
import os
import re
import tempfile
from unittest import SkipTest

import tap
from draw import drawn, in_turn
from program import call, fails, matches
from tap import same

SMALL = ("--node=back-project", "--size=64", "--projections=50", "--lanes=16", "--budget=1s")  # two kernels take 16 lanes
LINE = "simulate width=64 height=16 projections=50 ! ramp-filter ! interleave ! back-project ! null"


def opencl_device():
    """Of PoCL: others take minutes."""
    found = re.search(r"^[* ] (cl:\d+) .*Portable Computing", call("devices")[1], re.MULTILINE)
    return found and found[1]


def without_warnings(error):
    """PoCL's compiler says on its own that it warned of clFFT's kernels."""
    return re.sub(r"(?m)^\d+ warnings? generated\.\n", "", error)


def test_tunes():
    device = opencl_device()
    if not device:
        raise SkipTest("there is no PoCL")
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_CACHE_HOME=folder)
        entry = os.path.join(folder, "entry.json")
        status, out, error = call("tune", f"--device={device}", *SMALL, f"--export={entry}", env=env)
        same((status, error), (0, ""))
        matches(r"^back-project on cl:\d+ \(.*\), 64 x 64 pixels, 50 projections, interpolation=linear, precision=single, "
                r"mask=false\n\n  GUPS +times reference +error +way\n", out)
        matches(r"\n\d+ ways? tried.*; best: \w+.*, 16 lanes\nsaved in " + re.escape(folder) + r".*-many-linear-single-16-lanes\.json\n", out)
        speeds = [float(line.split()[0]) for line in out.splitlines() if line.endswith("lanes") and line.startswith("  ")]
        same(speeds, sorted(speeds, reverse=True))
        kept = re.search(r"best: (\w+)", out)[1]
        with open(entry) as file:
            choice = json.load(file)
        same((choice["slices"], choice["interpolation"], choice["precision"], choice["variant"], choice["lanes"]),
             ("many", "linear", "single", kept, 16))
        plan = call("plan", f"--device={device}", LINE, env=env)[1]
        matches(kept + r"\S* kernel, OpenCL, 16 lanes, single precision \(tuned on this machine for 16 lanes\)", plan)

        # A file that exists is not written over, and told before anything is searched.
        fails(2, f"--export: '{entry}' exists: choose another name or remove it", "tune", f"--device={device}", *SMALL,
              f"--export={entry}", env=env)

        # What is damaged counts as nothing.
        findings = os.path.join(folder, "sinograph", "findings")
        for name in os.listdir(findings):
            with open(os.path.join(findings, name), "w") as file:
                file.write("{")
        plan = call("plan", f"--device={device}", LINE, env=env)[1]
        assert "kernel, OpenCL" in plan and "tuned on this machine" not in plan and "{" not in plan, plan


def test_tunes_all_kinds():
    """The truth is the native implementation, which has every interpolation and takes halves."""
    device = opencl_device()
    if not device:
        raise SkipTest("there is no PoCL")
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_CACHE_HOME=folder)
        entry = os.path.join(folder, "entry.json")
        for interpolation, precision in drawn((("oversample", "single"), ("oversample", "half"), ("nearest", "half")), 3):
            status, out, error = call("tune", f"--device={device}", *SMALL, f"--export={entry}",
                                      f"--interpolation={interpolation}", f"--precision={precision}", env=env)
            same((status, error), (0, ""))
            matches(f"50 projections, interpolation={interpolation}, precision={precision}, mask=false\n", out)
            errors = [float(line.split()[2]) for line in out.splitlines() if line.endswith("lanes") and line.startswith("  ")]
            assert errors and all(0 < one < 1e-5 for one in errors), out
            with open(entry) as file:
                choice = json.load(file)
            os.unlink(entry)
            same((choice["slices"], choice["interpolation"], choice["precision"]), ("many", interpolation, precision))


def test_tunes_one_slice():
    """What runs untuned is among the ways, so that nothing gets slower by it."""
    device = opencl_device()
    if not device:
        raise SkipTest("there is no PoCL")
    with tempfile.TemporaryDirectory() as folder:
        status, out, error = call("tune", "--node=back-project", f"--device={device}", "--size=64", "--projections=50",
                                  "--slices=1", "--budget=1s", env=dict(os.environ, XDG_CACHE_HOME=folder))
        same((status, error), (0, ""))
        matches(r"(?m)^  \S+ +\S+ +\S+ +blocked, 4 lanes$", out)
        matches(r"-one-linear-single\.json\n", out)


def test_tunes_groups():
    """How many slices are reconstructed at once in Fourier space; the truth is the native implementation. Costs 32 s."""
    in_turn(0, 4)
    device = opencl_device()
    if not device:
        raise SkipTest("there is no PoCL")
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_CACHE_HOME=folder)
        entry = os.path.join(folder, "entry.json")
        status, out, error = call("tune", "--node=fourier-reconstruct", f"--device={device}", "--size=64",
                                  "--projections=50", "--budget=1s", "--accuracy=2e-4", "--precision=half-storage", f"--export={entry}", env=env)
        same((status, without_warnings(error)), (0, ""))
        matches(r"^fourier-reconstruct on cl:\d+ \(.*\), 64 x 64 pixels, 50 projections, padding-mode=zero, mask=false, precision=half-storage\n\n"
                r"  GUPS +times reference +error +way\n", out)
        ways = re.findall(r"(?m)^  \S+ +\S+ +(\S+) +(opencl.*, \d+ lanes?)$", out)
        assert ways and all(0 < float(one) < 1e-3 for one, _ in ways), out
        best, path = re.search(r"; best: (.*)\nsaved in (.*-fourier-reconstruct-many\.json)\n$", out).groups()
        assert best in [way for _, way in ways] and path.startswith(folder), out
        with open(entry) as file:
            choice = json.load(file)
        same((choice["slices"], choice["variant"]), ("many", "opencl"))
        assert best.endswith(f", {choice['lanes']} lanes"), out

        def chosen(properties="", parameters=None, lanes=16, height=16):
            if parameters is not None:
                with open(path, "w") as file:
                    json.dump({"families": [{"choices": [{"variant": "opencl", "lanes": lanes, "parameters": parameters}]}]},
                              file)
            plan = call("plan", f"--device={device}", f"simulate width=64 height={height} projections=50 ! interleave ! "
                        f"fourier-reconstruct variant=opencl {properties} ! null", env=env)[1]
            return re.search(r"OpenCL kernels(.*)", plan)[1]

        cells = "kernel of 4 x 4 cells"
        same(chosen(parameters={"SLICES": 4}),
             f" (SLICES=4), 16 lanes, {cells}, 4 slices at once (tuned on this machine)")
        same(chosen(height=2), f", 2 lanes, {cells}, 2 slices at once")  # tuned for more
        matches(r"variant=opencl: OpenCL kernels \(SLICES=4\), 16 lanes\)", call("devices", env=env)[1])
        same(chosen("variant-parameters=SLICES=8"), f" (SLICES=8), 16 lanes, {cells}, 8 slices at once (requested)")
        for damaged in {"SLICES": 3}, {"TOGETHER": 4}:
            same(chosen(parameters=damaged), f", 16 lanes, {cells}, 16 slices at once")


def test_wrong_command_lines():
    fails(2, "tune takes only options", "tune", "back-project")
    fails(2, "--budget wants seconds or minutes, as 60s or 5m, got 'x'", "tune", "--budget=x", "--device=native")
    fails(2, "--lanes wants a number from 1 to 32, got '33'", "tune", "--lanes=33", "--device=native")
    fails(2, "--lanes wants 1, 2, 4, 8, 16 or 32, got '3'", "tune", "--lanes=3", "--device=native")
    fails(2, "--interpolation and other options of single nodes want --node", "tune", "--interpolation=linear",
          "--device=native")
    fails(2, "--export wants --node", "tune", "--export=x.json", "--device=native")
    for node in "back-project", "ramp-filter":
        status, out, error = call("tune", f"--node={node}", "--device=native")
        same((status, out), (2, ""))
        matches(fr"^sinograph: '{node}' has nothing to tune on native \(.*\): its kernels depend only on the instruction set of the CPU", error)
    for node in "crop", "live":  # a sink gives nothing to compare
        status, out, error = call("tune", f"--node={node}", "--device=native")
        same((status, out), (2, ""))
        matches(fr"^sinograph: '{node}' has nothing to tune on native ", error)
    fails(2, "'stitch-360' examines the scan before a run, so it cannot be tuned alone: set variant= and variant-parameters= of the node",
          "tune", "--node=stitch-360", "--device=native")
    if device := opencl_device():
        fails(2, "--precision wants single or half, got 'int16'", "tune", "--node=back-project", "--precision=int16",
              f"--device={device}")
        fails(2, "'fourier-reconstruct' has no --interpolation, which is only for back-project", "tune",
              "--node=fourier-reconstruct", "--interpolation=linear", f"--device={device}")
        fails(2, "'back-project' has no --median-size, which is only for median", "tune", "--node=back-project",
              "--median-size=5", f"--device={device}")
        status, out, error = call("tune", "--node=median", "--median-size=5", "--size=64", "--slices=4", "--budget=1s",
                                  f"--device={device}")
        same((status, error), (0, ""))
        matches(r"\nsaved in \S+-median-many-5\.json\n$", out)
        fails(2, "'flat-field' has no --type, which is only for rescale", "tune", "--node=flat-field", "--type=u8",
              f"--device={device}")
        fails(2, "'rescale' stands for other nodes with these properties: give other properties", "tune", "--node=rescale", "--min=auto",
              "--size=64", f"--device={device}")


def test_tunes_values():
    """Of counts with darks and flats, and of a node that wants properties of its own."""
    device = opencl_device()
    if not device:
        raise SkipTest("there is no PoCL")
    small = (f"--device={device}", "--size=64", "--projections=50", "--slices=4", "--budget=1s")
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_CACHE_HOME=folder)
        for node, options, words in drawn((("flat-field", ["--absorption=false"], ", absorption=false, element=u16"),
                                           ("minus-log", [], ", element=f32"),
                                           ("transpose", [], ", element=f32"),  # of slices
                                           ("retrieve-phase", ["--method=tie"], ", method=tie"),
                                           ("rescale", ["--min=0.1", "--max=2", "--type=u16"], ", type=u16, element=f32"),
                                           ("rescale", [], ", type=u8, element=f32")), 5):  # with limits of tune's own
            status, out, error = call("tune", f"--node={node}", *small, *options, env=env)
            same((status, without_warnings(error)), (0, ""))
            matches(rf"^{node} on cl:\d+ \(.*\), 64 x 64 pixels, 50 projections{words}\n\n  1e9 values/s +times reference +error +way\n", out)
            errors = [float(line.split()[2]) for line in out.splitlines() if line.startswith("  ") and line.endswith("1 lane")]
            assert errors and max(errors) < 1e-6, out


tap.main(globals())
