#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""sinograph bench: what it says, how far the results are from float64, wrong options; never times. Costs 17 s, whole 28 s.

usage: bench.py SINOGRAPH
"""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

import tap
from benches import is_positive, measured
from draw import drawn, in_turn
from program import PROGRAM, call, fails, matches
from tap import same

BENCH = shutil.which("sinograph-bench", path=os.environ["SINOGRAPH_PLUGIN_PATH"])
SMALL = ("--size=96", "--projections=200", "--slices=3", "--runs=2", "--threads=2", "--device=native")


def check_common(found, slices):
    same((found["size"], found["projections"], found["slices"]), (96, 200, slices))
    same((found["device"], found["threads"], found["runs"]), ("native", 2, 2))
    is_positive(found, "seconds", "cpu_seconds", "ms_per_slice", "ratio")
    assert found["seconds_least"] <= found["seconds"] <= found["seconds_most"], found
    assert abs(found["ms_per_slice"] * slices / 1e3 / found["seconds"] - 1) < 1e-4, found  # numbers have six digits


# Errors that the kernels are allowed, root mean square on the noisy head (float32 2e-6 in a single slice). Those with
# fewer bits also have to miss by more than float32 could, or they would not have been used. Interpolating otherwise is
# no rounding error: it leaves details out, and must be seen to.
BARS = {("single", "linear"): (1e-8, 5e-7), ("int16", "linear"): (3e-6, 1e-4), ("half-storage", "linear"): (3e-6, 1e-4),
        ("half", "linear"): (3e-6, 5e-4), ("auto", "linear"): (3e-6, 1e-4), ("single", "nearest"): (1e-2, 0.5),
        ("single", "oversample"): (1e-3, 0.1)}


def test_back_project():
    for (precision, interpolation), (least, most) in drawn(BARS.items(), 3):
        found = measured("back-project", *SMALL, "--precision", precision, "--interpolation", interpolation)
        check_common(found, 3)
        same((found["precision"], found["interpolation"], found["lanes"]), (precision, interpolation, 4))
        assert least < found["relative_rmse"] < most, found
        is_positive(found, "gups", "reference_gups", "gups_by_cpu_time", "packing_seconds")
        assert found["packing_seconds"] < found["seconds_most"], found
        assert abs(found["gups"] * found["seconds"] / (96 * 96 * 200 * 3e-9) - 1) < 1e-4, found
        assert abs(found["gups"] / found["reference_gups"] / found["ratio"] - 1) < 1e-4, found
        roof = found["roofline"]
        is_positive(roof, "gups")
        assert roof["bound_by"] in ("multiply-adds", "arithmetic", "pair products", "L1 loads", "L2 bandwidth",
                                    "memory bandwidth"), roof


def test_energy():
    found = measured("back-project", *SMALL)
    figures = [found.get(key) for key in ("joules", "voxels_per_second_per_watt", "energy_delay")]
    if found["energy"]:
        same((list(found["energy"]), found["energy_not_measured"]), (["CPU"], {}))
        assert all(figure > 0 for figure in figures), found
        assert abs(figures[0] * figures[1] / (96 * 96 * 3) - 1) < 1e-4, found
    else:
        same((list(found["energy_not_measured"]), figures), (["CPU"], [None] * 3))
        assert found["energy_not_measured"]["CPU"], found


def test_single_slice():
    found = measured("back-project", *SMALL, "--slices=1")
    check_common(found, 1)
    same(found["lanes"], 1)
    assert 1e-8 < found["relative_rmse"] < 2e-6, found


def test_defaults():
    found = measured("back-project", "--size=48", "--slices=1", "--runs=1")
    same((found["projections"], found["precision"], found["interpolation"]), (48, "single", "linear"))


def test_in_fourier_space():
    for accuracy, bar in (1e-3, 1e-3), (2e-4, 2e-4), (5e-5, 5e-5):
        found = measured("fourier-reconstruct", *SMALL, f"--accuracy={accuracy}")
        check_common(found, 3)
        assert 1e-7 < found["relative_rmse"] < bar, found
        is_positive(found, "gups", "direct_gups", "direct_seconds")
        assert abs(found["direct_seconds"] / found["seconds"] / found["ratio"] - 1) < 1e-4, found
        stages = found["stages_ms_per_slice"]
        same(list(stages), ["packing", "rays", "spreading", "centres", "lines", "rows"])
        is_positive(stages, *stages)
    alone = measured("single-slice", "--size=97", "--projections=70", "--runs=1", "--threads=2")
    same((alone["size"], alone["projections"], len(alone["level_seconds"])), (97, 70, 4))
    assert 1e-7 < alone["relative_rmse"] < 1e-3, alone


def test_iteration():
    found = measured("iteration", "--size=96", "--projections=70", "--runs=1", "--threads=2")
    same([[each["size"], each["projections"]] for each in found["sizes"]], [[96, 70]])
    each = found["sizes"][0]
    is_positive(each, "product_ms", "tv_iteration_ms", "cgls_iteration_ms", "setup_ms", "tv_ms", "direct_ms", "fourier_ms")
    assert each["start_ms"] >= 0, each
    for method in "direct", "fourier":
        assert abs(each["tv_ms"] / each[f"{method}_ms"] / each[f"ratio_to_{method}"] - 1) < 1e-4, each
    status, out, error = call("bench", "iteration", "--size=48", "--runs=1", "--threads=1")
    same((status, error), (0, ""))
    matches(r"\n  columns, projections +ms +of direct +of fourier\n  48, 48 +T x +\S+ +\S+ +\S+\n +iteration of tv +\S+ ", out)
    matches(r"\n +start and 20 iterations of tv +\S+ +\S+ +\S+\n +direct: ramp-filter, back-project +\S+ +1.00 ", out)
    fails(2, "--device is not for iteration, only for back-project, cone-back-project, fourier-reconstruct, projectors, kernels, ramp-filter, interleave, "
             "pipeline, cone-pipeline",
          "bench", "iteration", "--device=native")


def test_cone_iteration():
    words = "--size=48", "--projections=20", "--threads=2"
    found = measured("cone-iteration", *words, "--detector=57")
    same([found[key] for key in ("size", "detector", "projections", "runs")], [48, 57, 20, 3])
    # Sums of float32: a transpose that differs anywhere would differ by far more.
    assert found["mismatch"] < 1e-6, found
    for part in "forward", "back", "fdk":
        assert abs(found[f"{part}_gups"] * found[f"{part}_seconds"] / (48**3 * 20e-9) - 1) < 1e-4, found
        assert abs(found[f"{part}_seconds"] / found["fdk_seconds"] / found[f"{part}_ratio"] - 1) < 1e-4, found
    status, out, error = call("bench", "cone-iteration", *words, "--runs=1")
    same((status, error), (0, ""))
    matches(r"\n +GUPS +time +of FDK's\n  projection +\S+ +\S+ m?s +\S+\n  back-projection, its transpose +\S+ ", out)
    found = measured("projectors", *words, "--runs=1", "--device=native")
    assert found["mismatch"] < 1e-6 and [each["variant"] for each in found["kernels"]] == ["native"] * 2, found


def test_ramp_filter():
    found = measured("ramp-filter", *SMALL)
    check_common(found, 3)
    same(found["length"], 256)  # the next good one from 192 on
    # A transform in float32 errs by some 1e-7 of the row's largest value; most of a filtered row is far smaller.
    assert 1e-8 < found["relative_rmse"] < 1e-5, found
    is_positive(found, "rows_per_second", "reference_rows_per_second")
    assert abs(found["rows_per_second"] * found["seconds"] / 600 - 1) < 1e-4, found


def test_interleave():
    found = measured("interleave", *SMALL)
    check_common(found, 3)
    same((found["lanes"], found["relative_rmse"]), (4, 0))
    is_positive(found, "gigabytes_per_second", "copy_gigabytes_per_second")
    assert abs(found["gigabytes_per_second"] * found["seconds"] / (2 * 96 * 200 * 3 * 4e-9) - 1) < 1e-4, found


DIRECT = ["read", "flat-field", "ramp-filter", "interleave", "back-project"]
FOURIER = ["read", "flat-field", "interleave", "fourier-reconstruct"]


def check_pipeline(method, to, nodes, least, most, *options):
    with tempfile.TemporaryDirectory() as folder:
        found = measured("pipeline", *SMALL, f"--folder={folder}", f"--method={method}", f"--to={to}", *options)
        same(os.listdir(folder), [])
    check_common(found, 3)
    same([found[key] for key in ("method", "to", "rows_simulated")], [method, to, 3])
    same(found["reconstruction"], "direct" if nodes == DIRECT else "fourier")
    assert least < found["relative_rmse"] < most, found  # the files' error; 2-D kernels for stacks, though of few slices
    is_positive(found, "gups", "gigabytes_per_second", "busiest_seconds")
    assert 0 <= found["fill_seconds"] + found["drain_seconds"] <= found["seconds"] * 1.01, found
    tasks = found["tasks"]
    same([task["node"] for task in tasks], nodes + ([] if to == "null" else ["write"]))
    for task in tasks:
        is_positive(task, "seconds", "busy_seconds")
    busiest = max(tasks, key=lambda task: task["seconds"])
    same((found["busiest"], found["busiest_seconds"]), (busiest["node"], busiest["seconds"]))
    limits = found["limits"]
    same(list(limits), ["read", "write", "kernels", "cpu"] if to != "null" else ["read", "kernels", "cpu"])
    is_positive(limits, *limits)
    seconds = {task["node"]: task["seconds"] for task in tasks}
    same((limits["read"], limits.get("write")), (seconds["read"], seconds.get("write")))
    same(limits["kernels"], max(seconds[node] for node in nodes[1:]))
    assert abs(limits["cpu"] / (found["cpu_seconds"] / 2) - 1) < 1e-4, found  # numbers have six digits
    same(limits[found["bound_by"]], max(limits.values()))
    assert abs(found["seconds"] / max(limits.values()) / found["ratio"] - 1) < 1e-4, found


def test_pipeline():
    for case in drawn((("direct", "tiff", DIRECT, 1e-8, 5e-7), ("direct", "hdf5", DIRECT, 3e-6, 1e-4, "--precision=int16"),
                       ("fourier", "tiff", FOURIER, 1e-7, 1e-3), ("fourier", "hdf5", FOURIER, 1e-7, 2e-4, "--accuracy=0.0002"),
                       ("direct", "null", DIRECT, 1e-8, 5e-7)), 3):
        check_pipeline(*case)


def test_pipeline_repeats_rows():
    """Of many rows some are simulated: all the others are of them, and as right."""
    options = (*(word for word in SMALL if "slices" not in word), "--slices=24", "--method=direct")
    found = measured("pipeline", *options)
    same((found["slices"], found["rows_simulated"]), (24, 5))
    assert 1e-8 < found["relative_rmse"] < 5e-7, found
    status, out, error = call("bench", "pipeline", *options, "--to=null")
    same((status, error), (0, ""))
    matches(r"\n24 slices of 96 x 96 from 200 projections, direct, single, linear; u16 in HDF5 to null, in ", out)
    matches(r"\n5 rows of the scan are simulated, and the other rows repeat them\n", out)
    matches(r"\n  reading alone +\S+ m?s +\S+ % of the time: .* GB/s\n  kernels alone +\S+ m?s .*\n  CPU / threads +\S+ m?s .*\n"
            r"  ratio +\S+ +of the time to the largest of these, ", out)


def test_write():
    for to, *more in ("tiff",), ("hdf5", "--files=2"):
        found = measured("write", "--size=64", "--slices=24", "--runs=1", "--folder=.", f"--to={to}", *more)
        same((found["to"], found["files"]), (to, 1 + len(more)))
        same(found["seconds"], min(found["found_requests_seconds"], found["most_requests_seconds"]))
        assert abs(found["gigabytes_per_second"] * found["seconds"] / (4e-9 * 64 * 64 * 24) - 1) < 1e-4, found


def test_cone_pipeline():
    for precision, least, limit in ("single", 1e-8, 1e-5), ("int16", 1e-5, 4e-4):
        with tempfile.TemporaryDirectory() as folder:
            found = measured("cone-pipeline", "--size=48", "--detector=57", "--projections=70", "--runs=2", "--threads=2",
                             "--device=native", f"--precision={precision}", f"--folder={folder}")
            same(os.listdir(folder), [])
        same([found[key] for key in ("size", "slices", "detector", "projections", "precision")], [48, 48, 57, 70, precision])
        assert least < found["relative_rmse"] < limit, found  # the files' error
        assert abs(found["gups"] * found["seconds"] / (48**3 * 70e-9) - 1) < 1e-4, found
        tasks = found["tasks"]
        same([task["node"] for task in tasks],
             ["read", "flat-field", "cone-weight", "ramp-filter", "cone-back-project", "write"])
        for task in tasks:
            is_positive(task, "seconds", "busy_seconds")
        alone = sum(task["seconds"] for task in tasks)
        assert abs(alone / found["no_overlap_seconds"] - 1) < 1e-4, found
        assert abs(alone / found["seconds"] / found["speedup"] - 1) < 1e-4, found
        same((found["busiest_seconds"], found["kernel_seconds"]), (max(task["seconds"] for task in tasks), {}))
        is_positive(found, "cpu_seconds")
        assert found["fill_seconds"] > 0 or (found["fill_seconds"], found["busiest"]) == (0, "read"), found
        largest = max(found["busiest_seconds"], found["cpu_seconds"] / 2)
        assert abs(found["seconds"] / largest / found["ratio"] - 1) < 1e-4, found


def test_interrupted_pipeline():
    with tempfile.TemporaryDirectory() as folder:
        bench = subprocess.Popen([PROGRAM, "bench", "pipeline", "--device=native", f"--folder={folder}"],
                                 stderr=subprocess.PIPE, text=True)
        while not os.listdir(folder):  # until it is at work
            assert bench.poll() is None, bench.communicate()
            time.sleep(0.01)
        bench.send_signal(signal.SIGINT)
        same((bench.communicate(timeout=300)[1], bench.returncode), ("sinograph: interrupted\n", 130))
        same(os.listdir(folder), [])


def test_sweep():
    """Each switch that has a meaning, and each pair of them."""
    words = "--size=32", "--slices=4", "--projections=20", "--runs=1", "--threads=2", "--to=null", "--sweep"
    found = measured("pipeline", *words, "--device=native")
    is_positive(found, "seconds")
    same([case["off"] for case in found["without"]], [["read-ahead"]])
    for case in found["without"]:
        is_positive(case, "seconds", "ratio")
        assert abs(case["seconds"] / found["seconds"] / case["ratio"] - 1) < 1e-4, case
    same(found["no_meaning"], {name: "there is no OpenCL device" for name in ("pinned", "local-tile", "write-combined", "overlap")} |
         {"devices": "there is only one device"})
    status, out, error = call("bench", "pipeline", *words, "--device=native")
    same((status, error), (0, ""))
    matches(r"\n  all on +\S+ m?s +1\n  read-ahead +\S+ m?s +\S+\n  pinned +no effect +there is no OpenCL device\n", out)
    fails(2, "--sweep is not for interleave, only for pipeline", "bench", "interleave", "--sweep")


def test_peaks():
    in_turn(0, 3)
    found = measured("peaks", "--threads=3")
    same([peaks["threads"] for peaks in found["peaks"]], [1, 2, 3])
    assert found["vector_bytes"] in (4, 16, 32, 64), found
    for peaks in found["peaks"]:
        is_positive(peaks, "multiply_adds", "arithmetic", "pair_products", "l1_loads", "l1_small_loads", "gathers", "l2_bytes", "memory_bytes",
                    "copy_bytes")
        same(peaks["permutes"] > 0, found["vector_bytes"] >= 32)


def test_scaling():
    found = measured("scaling", "--size=96", "--projections=70", "--slices=20", "--runs=1", "--threads=3")
    same((found["size"], found["projections"], found["slices"]), (96, 70, 20))
    for name in ("interleave", "copy", "fourier_reconstruct", "rays", "spreading", "centres", "lines", "rows", "ramp_filter",
                 "back_project"):
        points = found[name]
        same([point["threads"] for point in points], [1, 2, 3])
        for point in points:
            is_positive(point, "seconds", "speed_up", "efficiency", *(["gigabytes_per_second"] if name in ("interleave", "copy") else []))
            assert abs(points[0]["seconds"] / point["seconds"] / point["speed_up"] - 1) < 1e-4, point
            assert abs(point["speed_up"] / point["threads"] / point["efficiency"] - 1) < 1e-4, point
    status, out, error = call("bench", "scaling", "--size=32", "--slices=2", "--runs=1", "--threads=2")
    same((status, error), (0, ""))
    matches(r"\n  threads +1 +2\n  interleave +\S+ m?s +\S+ m?s +projections into lanes\n +1.00, 100 % +\S+, \d+ % ", out)


def test_tables():
    in_turn(1, 3)
    status, out, error = call("bench", "back-project", *SMALL)
    same((status, error), (0, ""))
    lines = out.splitlines()
    matches(r"^native \(.+\), \w+, 2 threads$", lines[0])
    same(lines[1], "3 slices of 96 x 96 from 200 projections, single, linear, 4 lanes")
    matches(r"^native kernel, \w+, 4 lanes, single precision$", lines[2])
    same(lines[3], "")
    rows = [re.match(r"  (\S+( \S+)*)  ", line)[1] for line in lines[4:]]
    same([row for row in rows if row not in ("energy", "energy of CPU", "energy-delay", "per watt")],  # where measured
         ["time", "CPU time", "of that packing", "speed", "per slice", "by CPU time", "relative RMSE", "ratio", "roofline"])
    columns = {re.match(r"  \S+(?: \S+)* +(?=\S)", line).end() for line in lines[4:]}
    same(len(columns), 1)
    for bench in "fourier-reconstruct", "ramp-filter", "interleave", "cone-pipeline":
        status, out, error = call("bench", bench, *(word for word in SMALL if bench != "cone-pipeline" or "slices" not in word))
        same((status, error), (0, ""))
        matches(r"\n  time +\S+ m?s +median of 2; ", out)
    matches(r"\n  write +\S+ m?s .*\n  no overlap +\S+ m?s .*\n  speedup +\S+ .*\n$", out)
    status, out, error = call("bench", "peaks", "--threads=1")
    same((status, error), (0, ""))
    matches(r"\n  threads +1\n  multiply-adds +\S+ +of floats\n", out)


def test_wrong_command_lines():
    fails(2, "bench wants one benchmark, got 0: 'sinograph bench --help' lists them", "bench")
    fails(2, "bench wants one benchmark, got 2: 'sinograph bench --help' lists them", "bench", "peaks", "peaks")
    fails(2, "no benchmark 'peeks': did you mean 'peaks'?", "bench", "peeks")
    fails(2, "no benchmark 'zebra': 'sinograph bench --help' lists them", "bench", "zebra")
    fails(2, "no option '--sise=3': did you mean '--size'?", "bench", "peaks", "--sise=3")
    fails(2, "--precision is not for ramp-filter, only for back-project, cone-back-project, fourier-reconstruct, pipeline, cone-pipeline",
          "bench", "ramp-filter", "--precision=int16")
    fails(2, "--size is not for peaks, only for back-project, cone-back-project, fourier-reconstruct, single-slice, iteration, cone-iteration, projectors, kernels, "
             "ramp-filter, interleave, pipeline, write, cone-pipeline, scaling",
          "bench", "peaks", "--size=64")
    fails(2, "--folder is not for interleave, only for pipeline, write, cone-pipeline", "bench", "interleave", "--folder=.")
    fails(2, "--interpolation is not for cone-pipeline, only for back-project, kernels, pipeline", "bench", "cone-pipeline",
          "--interpolation=linear")
    fails(2, "no precision 'half': possible values are single, int16, auto", "bench", "cone-pipeline", "--precision=half")
    fails(2, "--detector wants a number from 16 to 65536, got '15'", "bench", "cone-pipeline", "--detector=15")
    fails(2, "--accuracy is not for interleave, only for fourier-reconstruct, pipeline", "bench", "interleave", "--accuracy=0.1")
    fails(2, "--method is not for cone-pipeline, only for pipeline", "bench", "cone-pipeline", "--method=direct")
    fails(2, "--to is not for back-project, only for pipeline, write", "bench", "back-project", "--to=null")
    fails(2, "no method 'furier': did you mean 'fourier'?", "bench", "pipeline", "--method=furier")
    fails(2, "no --to 'png': possible values are tiff, hdf5, null", "bench", "pipeline", "--to=png")
    status, out, error = call("bench", "pipeline", "--device=native", "--method=fourier", "--precision=int16", "--size=32", "--slices=1")
    same((status, out), (2, ""))
    matches(r"method=fourier does not have precision=int16: leave it out, or give method=direct or method=auto\n$", error)
    status, out, error = call("bench", "pipeline", "--device=native", "--size=65536", "--slices=65536")
    same((status, out), (1, ""))
    matches(r"^sinograph: the run's files need \S+ \w+, but '.*' has only \S+ \w+ free: give another --folder, fewer --slices or a smaller "
            r"--size, or --to=null\n$", error)
    fails(1, "cannot create a folder in '/none': No such file or directory", "bench", "pipeline", "--folder=/none")
    fails(2, "no precision 'int61': did you mean 'int16'?", "bench", "back-project", "--precision=int61")
    fails(2, "no interpolation 'zebra': possible values are linear, nearest, oversample", "bench", "back-project",
          "--interpolation=zebra")
    for option, most in ("size", 65536), ("projections", 1000000), ("slices", 65536), ("runs", 1000):
        least = 16 if option == "size" else 1
        for word in str(least - 1), str(most + 1), "many", "":
            fails(2, f"--{option} wants a number from {least} to {most}, got '{word}'", "bench", "back-project",
                  f"--{option}={word}")
    fails(2, "--threads wants a number from 1 to 1024, got '0'", "bench", "peaks", "--threads=0")
    status, out, error = call("bench", "back-project", "--device=cl:99")
    same((status, out), (2, ""))
    matches(r"^sinograph: no device 'cl:99'; the devices are native \(", error)
    status, out, error = call("bench", "back-project", "--device=native", "--size=65536", "--slices=65536")
    same((status, out), (1, ""))
    matches(r"^sinograph: 65536 slices need .* of memory, but .* are free: give fewer --slices\n$", error)
    fails(2, "--size=4097 is more than the 4096 columns that iterations take: give a smaller one", "bench", "iteration", "--size=4097")
    status, out, error = call("bench", "iteration", "--size=4096", "--projections=1000000")
    same((status, out), (1, ""))
    matches(r"^sinograph: \d+ slices need .* of memory, but .* are free: give a smaller --size or fewer --projections\n$", error)
    for bench in ("cone-back-project", "--device=native"), ("cone-iteration",), ("cone-pipeline", "--device=native"):
        status, out, error = call("bench", *bench, "--size=65536", "--projections=2")
        same((status, out), (1, ""))
        matches(r"^sinograph: 65536\^3 voxels from 2 projections of 65536\^2 pixels need .* of memory, but .* are free: give a smaller "
                r"--size, --detector or --projections\n$", error)


def test_program_apart():
    """'sinograph' becomes 'sinograph-bench', and where that is missing says so: 0.3 s."""
    same(call("bench", "--help")[1], subprocess.run([BENCH, "bench", "--help"], capture_output=True, text=True, check=True).stdout)
    process = subprocess.Popen([PROGRAM, "bench", "peaks"], stdout=subprocess.DEVNULL)
    while os.readlink(f"/proc/{process.pid}/exe") != os.path.realpath(BENCH):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    same(process.wait(60), 130)
    without = {**os.environ, "SINOGRAPH_PLUGIN_PATH": "nowhere"}
    for command in "bench", "tune":
        status, out, error = call(command, "--help", env=without)
        same((status, out), (1, ""))
        matches(r"^sinograph: the program sinograph-bench, which measures and tunes, is missing: it is not in nowhere, .*; install it in "
                r"the folder of the modules, or add its folder to SINOGRAPH_PLUGIN_PATH\n$", error)
        same(call("complete", "--", command, "", env=without), (0, "", ""))


# In a folder of its own: what a benchmark of somebody else has left would be told.
with tempfile.TemporaryDirectory() as temporary:
    os.environ["TMPDIR"] = temporary
    tap.main(globals())
