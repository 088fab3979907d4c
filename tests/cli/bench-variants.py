#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""sinograph bench projectors --variants=. Costs 5 s.

usage: bench-variants.py SINOGRAPH
"""
import tap
from benches import measured
from program import fails, has_opencl, matches
from tap import check, same

WORDS = "--size=24", "--projections=8", "--threads=2"


def test_variants():
    fails(1, "--variants names OpenCL kernels, and native has none: give --device", "bench", "projectors", "--device=native", "--variants=gather")
    if not has_opencl():
        return
    listed = [("forward-project", "buffer"), ("forward-project", "image"), ("cone-back-project", "gather(VIEWS=4,Z=4,WIDE=8,HIGH=4)"),
              ("cone-back-project", "gather(VIEWS=8,Z=4,WIDE=8,HIGH=4)"), ("cone-back-project", 'gather(VIEWS="3")'),
              ("cone-back-project", "buffer"), ("cone-back-project", "image")]
    names = ";".join(dict.fromkeys(variant for _, variant in listed))
    found = measured("projectors", *WORDS, "--runs=1", "--device=cl:0", f"--variants={names}")
    kernels = {(each["node"], each["variant"]): each for each in found["kernels"]}
    same(set(kernels), set(listed))
    errors = [kernels[each]["relative_rmse"] for each in listed]
    same((errors[0], errors[2:]), (0, [0, 0, None, None, None]))  # groups of views change no bit
    check(0 < errors[1] < 1e-4, errors)  # an image is interpolated otherwise
    same([kernels[each]["seconds"] is None for each in listed], [False] * 4 + [True] * 3)
    matches("VIEWS", kernels[listed[4]]["fault"])
    for each in listed[5:]:
        matches(f"^variant={each[1]} does not have weights=adjoint", kernels[each]["fault"])
    for words in "reader", "gather;reader", "reader(VIEWS=4);buffer":
        name = next(each for each in words.split(";") if "reader" in each)
        fails(1, f"--variants={name} names no kernel of forward-project or cone-back-project: give names, as 'gather;gather(Z=8,WIDE=32)'",
              "bench", "projectors", *WORDS, "--device=cl:0", f"--variants={words}")


tap.main(globals())
