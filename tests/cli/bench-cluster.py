#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""sinograph bench cluster: what it says, against formulas where these are simple, and wrong options; never times.

usage: bench-cluster.py SINOGRAPH
"""
import json
import os
import tempfile

import tap
from program import call, fails, matches
from tap import same

STATED = ("--size=1000", "--projections=500", "--slices=800", "--gups=10", "--device=native", "--threads=2")
# All but computing takes no time; 50 items of 0.8 s.
FREE = ("start=2,launch=2.5,item-time=0,read=1e6,write=1e6,link=1e6,latency=0,counter-latency=0,counter-rate=1e12,"
        "metadata=1e9,frames=0,item=16")


def predicted(*options):
    status, out, error = call("bench", "cluster", "--json", *options)
    same((status, error), (0, ""))
    return json.loads(out)


def close(got, wanted, tolerance=1e-3):
    assert abs(got / wanted - 1) < tolerance, (got, wanted)


def test_stated():
    """Nothing is measured where rate and start are stated, and the result is that of formulas."""
    found = predicted(*STATED, "--nodes=100", "--cluster", FREE)
    same([found[key] for key in ("bench", "size", "projections", "slices", "to", "rate")],
         ["cluster", 1000, 500, 800, "tiff", "stated"])
    assert "measured" not in found, found
    same((found["node_gups"], found["seconds_per_slice"]), (10, 0.05))
    same((found["cluster"]["start"], found["cluster"]["item"], found["cluster"]["frames"]), (2, 16, 0))
    times = found["times"]
    same([time["nodes"] for time in times], [1, 2, 4, 8, 16, 32, 64, 100])
    for time in times:
        nodes = time["nodes"]
        same((time["items"], time["item"]), (50, 16))
        close(time["seconds"], 2 + (2.5 if nodes > 1 else 0) + -(-50 // nodes) * 0.8)
        close(time["speed_up"], times[0]["seconds"] / time["seconds"])
        close(time["efficiency"], time["speed_up"] / nodes)
        close(time["gups"], 1000 * 1000 * 500 * 800e-9 / time["seconds"])
        close(time["limits"]["computing"], 40 / min(nodes, 50))
        same(list(time["limits"]), ["computing", "reading", "frames", "writing", "counter", "start-up"])
    same([time["bound_by"] for time in times], ["computing"] * 4 + ["start-up"] * 2 + ["work-items"] * 2)
    same(found, predicted(*STATED, "--nodes=100", "--cluster", FREE))


def test_file_system():
    """0.8 GB are read and 3.2 GB written, with two operations on files for each TIFF."""
    bounds = {"read=0.01": ("reading", 80), "write=0.01": ("writing", 320), "metadata=10": ("writing", 160)}
    for words, (key, seconds) in bounds.items():
        time = predicted(*STATED, "--nodes=16", "--cluster", f"{FREE},{words}")["times"][-1]
        same(time["bound_by"], key)
        close(time["limits"][key], seconds)
        assert seconds <= time["seconds"] < 1.2 * seconds + 5, time
    time = predicted(*STATED, "--nodes=16", "--to=null", "--cluster", FREE)["times"][-1]
    same(time["limits"]["writing"], 0)
    one_file = predicted(*STATED, "--nodes=16", "--to=hdf5", "--cluster", f"{FREE},metadata=10")["times"][-1]
    same(one_file["bound_by"], "start-up")  # all open the scan and the result
    close(one_file["limits"]["start-up"], 2 + 2.5 + 16 * 2 / 10)


def test_items():
    """Fewer slices for more nodes, in steps of what kernels take together; frames are made by one node for all."""
    words = FREE.replace(",item=16", "").replace("frames=0", "frames=10")
    times = predicted(*STATED, "--method=direct", "--nodes=1000", "--cluster", f"{words},step=4")["times"]
    sizes = [time["item"] for time in times]
    same(sizes, sorted(sizes, reverse=True))
    same((sizes[-1], times[-1]["items"]), (4, 200))
    for time in times:
        assert time["item"] % 4 == 0 and time["items"] == -(-800 // time["item"]), time
        assert time["item"] < 800 / (4 * time["nodes"]) + 4, time  # four for each node, but for the step
    slow = predicted(*STATED, "--nodes=16", "--cluster", f"{FREE},frames=10,write=0.001")["times"]
    close(slow[-1]["limits"]["frames"], 2 * 800 * 1000 * 4 / 1e6)  # two frames of floats at 1 MB/s
    assert slow[0]["limits"]["frames"] < 1e-3, slow[0]
    planned = predicted(*STATED, "--method=direct", "--nodes=1000", "--cluster", words)["times"]
    same({time["item"] % planned[-1]["item"] for time in planned}, {0})


def test_variation():
    words = f"{FREE},item-variation=0.2,node-variation=0.1"
    first = predicted(*STATED, "--nodes=8", "--cluster", words)["times"]
    same(first, predicted(*STATED, "--nodes=8", "--cluster", words)["times"])
    assert first != predicted(*STATED, "--nodes=8", "--cluster", f"{words},seed=2")["times"]


def test_measured():
    small = ("--size=64", "--projections=40", "--slices=8", "--runs=1", "--threads=2", "--device=native", "--nodes=4")
    for method in "direct", "fourier":
        with tempfile.TemporaryDirectory() as folder:
            found = predicted(*small, f"--method={method}", f"--folder={folder}")
            same(os.listdir(folder), [])
        same((found["rate"], found["reconstruction"], found["device"]), ("measured", method, "native"))
        measured = found["measured"]
        same([measured[key] for key in ("size", "projections", "slices")], [64, 40, 8])
        close(measured["seconds_per_slice"], found["seconds_per_slice"])
        assert found["cluster"]["start"] > 0, found
        same([time["nodes"] for time in found["times"]], [1, 2, 4])
    more = [word for word in small if "slices" not in word]
    many = predicted(*more, "--slices=256", "--method=fourier", "--cluster=start=1")
    assert many["measured"]["slices"] > 64, many  # runs of 64 such small slices are too short
    status, out, error = call("bench", "cluster", *small, "--cluster=start=0.5,item=4")
    same((status, error), (0, ""))
    matches(r"\nA prediction for 8 slices of 64 x 64 from 40 projections, u16 in HDF5 to f32 in TIFF\n", out)
    matches(r"\nA node like this one: \S+ GUPS, \S+ m?s a slice, by \w+ runs of 8 slices of 64 x 64 from 40 ", out)
    matches(r"\n  nodes +work items +time +speed-up +efficiency +GUPS +bound by\n", out)
    matches(r"\n  1 +2 of 4 +\S+ m?s +1.00 +100 % +\S+ +\S", out)
    matches(r"\n  4 +2 of 4 +\S+ m?s +\S+ +\S+ % +\S+ +too few work items, then start-up\n", out)
    matches(r"\nSimulated from rates, not measured on a cluster\.", out)


def test_wrong_options():
    for word, message in {
            "read": "--cluster wants NAME=VALUE,..., got 'read'",
            "raed=1": "--cluster has no 'raed': did you mean 'read'?",
            "read=fast": "--cluster read wants a number from 0.001 to 1000000 GB/s, got 'fast'",
            "read=0": "--cluster read wants a number from 0.001 to 1000000 GB/s, got '0'",
            "item=1.5": "--cluster item wants a whole number from 1 to 65536, got '1.5'",
            "item-variation=0.6": "--cluster item-variation wants a number from 0 to 0.5, got '0.6'",
            "latency=1,": "--cluster wants NAME=VALUE,..., got ''"}.items():
        fails(2, message, "bench", "cluster", *STATED, f"--cluster={word}")
    for word in "0", "many", "-1":
        fails(2, f"--gups wants a number from 0.001 to 1e9, got '{word}'", "bench", "cluster", f"--gups={word}")
    fails(2, "--nodes wants a number from 1 to 65536, got '0'", "bench", "cluster", "--nodes=0")
    fails(2, "--nodes is not for peaks, but for cluster", "bench", "peaks", "--nodes=2")
    fails(2, "--cluster is not for pipeline, but for cluster", "bench", "pipeline", "--cluster=read=1")
    fails(2, "no --to 'png': there are tiff, hdf5, null", "bench", "cluster", "--to=png")
    status, out, error = call("bench", "cluster", "--cluster=zebra=1")
    same((status, out), (2, ""))
    matches(r"^sinograph: --cluster has no 'zebra': there are read, write, link, ", error)


# In a folder of its own: what a benchmark of somebody else has left would be told.
with tempfile.TemporaryDirectory() as temporary:
    os.environ["TMPDIR"] = temporary
    tap.main(globals())
