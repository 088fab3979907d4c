# SPDX-License-Identifier: LGPL-3.0-or-later
"""`sinograph bench kernels` on the OpenCL device of the tests. Building all kernels takes minutes the first time."""
import tap
from benches import measured
from program import call
from tap import check, same


def test_kernels():
    found = measured("kernels", "--device=cl:0", "--size=64", "--projections=40", "--runs=1")
    kernels = {(k["kernel"].split("(")[0].split(",")[0], k["lanes"], k["half"]): k for k in found["kernels"]}
    for name in ("reference", "local", "window", "blocked"):
        check((name, 4, False) in kernels, f"{name} with 4 lanes is missing of {sorted(kernels)}")
    for kernel in found["kernels"]:
        same(kernel["gups"] is None, kernel["relative_rmse"] is None)  # what ran took time, be it one launch
        if kernel["gups"] is not None:  # kernels that this device cannot run have none
            check(kernel["gups"] > 0, str(kernel))
            check(kernel["relative_rmse"] < (2e-3 if kernel["half"] else 1e-4), str(kernel))


def test_native():
    status, out, error = call("bench", "kernels", "--device=native")
    same((status, out), (1, ""))
    same(error, "sinograph: these are OpenCL kernels: give --device=cl:0 or another of 'sinograph devices'; 'bench back-project' measures "
                "the kernels of the CPU\n")


tap.main(globals())
