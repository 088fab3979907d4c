#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""sinograph bench projectors --variants=. Costs 5 s.

usage: bench-variants.py SINOGRAPH
"""
import json

import tap
from program import call, fails
from tap import same

WORDS = "--size=24", "--projections=8", "--threads=2"


def test_variants():
    fails(1, "--variants names OpenCL kernels, and native has none: give --device", "bench", "projectors", "--device=native", "--variants=gather")
    if "no OpenCL devices" in call("devices")[1]:
        return
    listed = ["gather(VIEWS=4,Z=4,WIDE=8,HIGH=4)", "gather(VIEWS=8,Z=4,WIDE=8,HIGH=4)"]
    status, out, error = call("bench", "projectors", "--json", *WORDS, "--runs=1", "--device=cl:0", f"--variants={';'.join(listed)}")
    same((status, error), (0, ""))
    kernels = json.loads(out)["kernels"]
    same([(each["node"], each["variant"]) for each in kernels], [("cone-back-project", each) for each in listed])
    same(kernels[1]["relative_rmse"], 0)  # groups of views change no bit
    fails(1, "--variants=reader names no kernel of forward-project or cone-back-project: give names, as 'gather;gather(Z=8,WIDE=32)'",
          "bench", "projectors", *WORDS, "--device=cl:0", "--variants=reader")


tap.main(globals())
