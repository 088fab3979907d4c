#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""'plan --json' says what 'plan' says. usage: plan.py SINOGRAPH"""
import json
import re

import tap
from program import GOOD, call, fails
from tap import check, same

SCAN = "simulate width=90 height=13 projections=40 darks=2 flats=3"
LINE = f"{SCAN} ! flat-field ! reconstruct ! null"
# A cone beam's filtered rows are wanted by several work items, under a limit of which there are several.
TWICE = (f"simulate width=200 height=200 projections=90 angles=0:360 source-origin=500 origin-detector=300 name=s ! cone-weight ! "
         "ramp-filter ! cone-back-project ! null")


def plan(*words, threads=2):
    status, out, error = call("plan", "--json", "--device=native", f"--threads={threads}", *words)
    same((status, error), (0, ""))
    return json.loads(out)


def sum_of(bill):
    return sum(item["bytes"] for item in bill if item.get("memory") != "device")


def test_memory_adds_up():
    for words in [LINE], [TWICE], [TWICE, "--memory=400M"]:
        found = plan(*words)
        memory = found["memory"]
        of_passes = [sum_of(step["bill"]) + sum(sum_of(stage["bill"]) for stage in step["stages"]) for step in found["passes"]]
        same([step["peak"] for step in found["passes"]], of_passes)
        same(memory["peak"], sum_of(memory["bill"]) + max(of_passes))
        check(memory["base"] < memory["peak"] <= memory["limit"], memory)
        for item in memory["bill"] + [item for step in found["passes"] for stage in step["stages"] for item in stage["bill"]]:
            same(item["bytes"], item["pieces"] * item["piece-bytes"])


def test_says_what_the_text_says():
    found = plan(LINE)
    _, text, _ = call("plan", "--device=native", "--threads=2", LINE)
    step, = found["passes"]
    head, = re.findall(r"^pass 1: (\d+) work items? of (\d+) rows, (\d+) projections per block", text, flags=re.M)
    same((step["number"], step["work-items"], step["item-rows"], step["batch"]), (1, *map(int, head)))
    same(step["devices"], ["native"])
    for stage in step["stages"]:
        same(len(re.findall(rf"^  {re.escape(stage['title'])} ", text, flags=re.M)), 1)
        if "pool-blocks" in stage:
            check(f"{stage['format']['text']}{', %d lanes' % stage['lanes'] if stage['lanes'] > 1 else ''}; "
                  f"{stage['pool-blocks']} blocks of " in text, (stage, text))
        for item in stage["bill"]:
            check(re.search(rf"^ +{item['bytes']:.0f}  {re.escape(item['name'])}", text, flags=re.M), (item, text))
    check(f"  expected bottleneck: {step['expected']['bottleneck']}, " in text, text)
    check(f" for {step['expected']['busiest']}, " in text, text)
    choice, = found["choices"]
    check(choice["node"] == "reconstruct" and re.match(r"(fourier|direct), about ", choice["why"]), choice)


def test_preview():
    """A preview looks at its stream; what a plan expects to take longest is to write it."""
    step, = plan("phantom object=shepp-logan-3d width=2048 height=2048 name=made ! preview path=planned.png show=cuts   "
                 "made. ! write path=planned-%05i.tif", threads=16)["passes"]
    same(step["expected"]["bottleneck"], "'write'")


def test_stages():
    step, = plan(f"{SCAN} ! flat-field ! ramp-filter ! interleave lanes=4 ! back-project ! null")["passes"]
    stages = {stage["node"]: stage for stage in step["stages"]}
    same(list(stages), ["simulate", "flat-field", "ramp-filter", "interleave", "back-project", "null"])
    same([stage["inputs"] for stage in step["stages"]], [[], [0, -1, -1], [1], [2], [3], [4]])
    same({stage["role"] for stage in step["stages"]}, {"task"})
    same((stages["interleave"]["lanes"], stages["simulate"]["lanes"]), (4, 1))
    same(stages["interleave"]["format"], {
        "text": "f32 sinograms (row 13, angle 40, column 90)", "kind": "sinograms", "element": "f32",
        "axes": [{"axis": "row", "extent": 13, "first": 0, "step": 1}, {"axis": "angle", "extent": 40, "first": 0, "step": 1},
                 {"axis": "column", "extent": 90, "first": 0, "step": 1}]})
    check("native kernel" in stages["back-project"]["remark"], stages["back-project"])
    same([key for key in ("lanes", "block-bytes", "pool-blocks", "memory") if key in stages["null"]], [])
    expected = step["expected"]
    check(abs(expected["seconds"] - expected["busy"] - expected["ends"] - expected["fresh"]) < 1e-9, expected)


def test_materialised():
    """Where every slab sees most rows, under some limits filtered projections are kept in memory, or in a file."""
    line = ("simulate width=96 height=96 projections=240 angles=0:360 axis-tilt=60 source-origin=1000 origin-detector=536 "
            "pixel-size=3.072 ! median ! cone-weight ! ramp-filter ! cone-back-project size=200 slices=128 ! null")
    least = float(re.search(r"needs ([\d.]+) MiB", call("plan", "--device=native", "--threads=2", "--memory=1M", line)[2])[1])
    seen = set()
    for spare in range(-8, 50):  # what a process has before its run differs by some MiB from one to the next
        status, out, error = call("plan", "--json", "--device=native", "--threads=2", f"--memory={least + spare}M", line)
        if status != 0:
            check("more than the memory limit" in error, error)
            continue
        found = json.loads(out)
        for store in found["materialised"]:
            seen.add(store["where"])
            same((store["node"], len(found["passes"])), ("ramp-filter", 2))
            roles = [[stage["role"] for stage in step["stages"] if stage["node"] == "ramp-filter"] for step in found["passes"]]
            same(roles, [["task", "save"], ["load"]])
            same(store["bytes"], 96 * 96 * 240 * 4.0)
            kept = [item["bytes"] for item in found["memory"]["bill"] if item["name"] == "its output, materialised"]
            same(kept, [store["bytes"]] if store["where"] == "memory" else [])
        if seen == {"memory", "scratch file"}:
            return
    check(False, seen)


def test_wrong():
    fails(2, "--dot and --json cannot be used together", "plan", GOOD, "--dot", "--json")
    fails(2, "'test-filter': property 'count' wants an integer from 1 to 32, got '0'", "plan", GOOD, "--json", "--set",
          "test-filter.count=0")


tap.main(globals())
