#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A module's node with OpenCL kernels of its own takes part like ours: its kernels are chosen, tried, refused, tuned,
explained and run. Costs 5 to 10 s: PoCL compiles them.

usage: own-kernels.py SINOGRAPH
"""
import os
import re
import tempfile
from unittest import SkipTest

import numpy
import tap
import tifffile
from draw import in_turn
from program import call, matches
from tap import same


def pocl():
    found = re.search(r"^[* ] (cl:\d+) +(.*Portable Computing.*)$", call("devices")[1], re.MULTILINE)
    if not found:
        raise SkipTest("there is no PoCL")
    return found.groups()


def plan(device, properties="", width=64, **options):
    status, out, error = call("plan", f"--device={device}", f"simulate width={width} height=8 projections=6 ! "
                              f"square {properties} ! null", **options)
    same((status, error), (0, ""))
    return next(line for line in out.splitlines() if line.strip().startswith("'square'"))


def test_chosen_and_refused():
    in_turn(0, 3)
    device, name = pocl()
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_CACHE_HOME=folder)
        matches(r"; four kernel, OpenCL \(default of all\)$", plan(device, env=env))
        matches(r"; one kernel, OpenCL \(default of all\); not four with 1 lane: wants rows of whole fours$",
                plan(device, width=63, env=env))
        matches(r"; one\(GROUP=32\) kernel, OpenCL \(requested\)$", plan(device, "variant=one variant-parameters=GROUP=32", env=env))
        # What was tried is kept.
        trials = [one for one in os.listdir(os.path.join(folder, "sinograph/findings")) if "-trial-square-" in one]
        same(sorted(re.sub("^[^-]*-", "", one) for one in trials), ["trial-square-four"] + 2 * ["trial-square-one"])

        line = "simulate width=64 height=8 projections=6 ! square variant=one variant-parameters=%s ! null"
        status, out, error = call("launch", f"--device={device}", "--quiet", line % "FAULT=1", env=env)
        same((status, out), (1, ""))
        matches(re.escape(f"no kernel on {device} ({name}) can do this with variant=one"), error)
        matches(r"one\(FAULT=1\) with 1 lane: its results are wrong on this device, with a relative error of \S+", error)
        status, out, error = call("launch", f"--device={device}", "--quiet", line % "GROUP=1048576", env=env)
        same((status, out), (1, ""))
        matches(r"needs groups of 1048576 work-items, at most \d+ are possible", error)


def test_runs():
    """The same values on the CPU and by each kernel, one of another module among them, also where values fill no groups."""
    device, _ = pocl()
    with tempfile.TemporaryDirectory() as folder:
        slices = {}
        for place, variant in ("native", "auto"), (device, "one"), (device, "four"), (device, "eight"):
            path = os.path.join(folder, f"{variant}.tif")
            status, out, error = call("launch", f"--device={place}", "--quiet", "simulate width=36 height=5 projections=7 "
                                      f"photons=0 ! square variant={variant} ! write path={path}")
            same((status, out, error), (0, "", ""))
            slices[variant] = tifffile.imread(path)
            if place != "native":
                matches(rf"; {variant} kernel, OpenCL \(", plan(place, f"variant={variant}"))
        assert slices["auto"].max() > 0
        for variant in "one", "four", "eight":
            numpy.testing.assert_array_equal(slices[variant], slices["auto"])


def test_tuned_and_explained():
    in_turn(1, 3)
    device, name = pocl()
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_CACHE_HOME=folder)
        status, out, error = call("tune", "--node=square", f"--device={device}", "--size=64", "--budget=2s", env=env)
        same((status, error), (0, ""))
        matches(r"^square on cl:\d+ .*, 64 x 64 pixels, 64 projections\n\n  1e9 values/s +times reference +error +way\n", out)
        best = re.search(r"; best: (.*), 1 lane\nsaved in (.*-square-many.json)\n$", out)
        assert "FAULT" not in best[1] and best[2].startswith(folder), out
        matches(re.escape(f"; {best[1]} kernel, OpenCL (tuned on this machine)"), plan(device, env=env))
        devices = call("devices", env=env)[1]
        matches(r"(?m)^    square\n      " + re.escape(best[1]) + r" \(tuned on this machine\)", devices)
    matches(r"'square' has no --mask, which is only for ",
            call("tune", "--node=square", "--mask=true", f"--device={device}")[2])


tap.main(globals())
