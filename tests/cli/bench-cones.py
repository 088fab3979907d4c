#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""sinograph bench cone-back-project: circles and helices, and one kernel by its name. Costs 6 s.

usage: bench-cones.py SINOGRAPH
"""
import tap
from benches import is_positive, measured
from program import call, fails, has_opencl, matches
from tap import same


def test_circle():
    for precision, limit in ("single", 1e-5), ("int16", 4e-4):
        found = measured("cone-back-project", "--size=48", "--projections=20", "--runs=3", f"--precision={precision}")
        same((found["size"], found["detector"], found["turns"], found["precision"]), (48, 48, 1, precision))
        assert 0 < found["relative_rmse"] < limit, found
        is_positive(found, "gups", "reference_gups", "ratio")


def test_helix():
    words = "--size=24", "--projections=48", "--turns=3", "--runs=1"
    places = ["--device=native"]
    if has_opencl():
        places.append("--device=cl:0 --variants=columns(VIEWS=8)")
    for place in places:
        found = measured("cone-back-project", *words, *place.split())
        same((found["projections"], found["turns"]), (48, 3))
        same("columns(VIEWS=8)" in found["kernel"], "columns" in place)
        assert abs(found["gups"] / (1e-9 * 24**3 * 16 / found["seconds"]) - 1) < 1e-3, found
        assert abs(found["ratio"] * found["reference_gups"] / found["gups"] - 1) < 1e-3, found  # the task counts its updates
        assert 0 <= found["relative_rmse"] < 1e-5, found
        same("kernel_gups" in found, "columns" in place)
    even = measured("cone-back-project", "--size=16", "--turns=2", "--runs=1", "--device=native")
    same((even["projections"], even["relative_rmse"] < 1e-5), (32, True))
    matches("a helix of 3 turns: each slice takes the 16 projections that are nearest to it", call("bench", "cone-back-project", *words, places[-1].split()[0])[1])
    fails(2, "--projections=49 is no multiple of --turns=3", "bench", "cone-back-project", "--size=24", "--projections=49", "--turns=3")
    fails(1, "--variants names OpenCL kernels, and native has none: give --device", "bench", "cone-back-project", "--device=native", "--variants=image")
    if len(places) > 1:
        fails(1, "--variants=image;buffer names several kernels, and cone-back-project measures one: give one name",
              "bench", "cone-back-project", "--device=cl:0", "--variants=image;buffer")
        fails(1, "--variants=reader names no kernel of cone-back-project: give names, as 'columns(Z=8)'",
              "bench", "cone-back-project", "--device=cl:0", "--variants=reader")


tap.main(globals())
