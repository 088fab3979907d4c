#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""--progress=json: a program that follows a run line by line. usage: events.py SINOGRAPH"""
import json
import os
import signal
import subprocess
import tempfile
from pathlib import Path

import tap
from program import GOOD, PROGRAM, call, fails, matches
from tap import check, same

# 0.2 s a block, so that there is progress to tell.
SLOW = [GOOD, "--set", "test-filter.trouble=slow", "--set", "test-source.slices=12"]


def events(*words, status=0, error=""):
    """What a call tells, each line an object, and nothing else on the standard output."""
    got, out, said = call(*words)
    same((got, said), (status, error))
    check(out.endswith("\n"), out)
    return [json.loads(line) for line in out.splitlines()]


def test_run_that_goes_well():
    for command in "launch", "run":
        with tempfile.TemporaryDirectory() as folder:
            line = SLOW if command == "launch" else [f"{folder}/graph.json", *SLOW[1:]]
            if command == "run":
                same(call("check", "-q", GOOD, "--save", line[0])[0], 0)
            first, *middle, last = events(command, "--progress=json", *line)
        same((first["event"], first["slices-total"]), ("begin", 12))
        same(first["nodes"], [{"name": name, "type": name} for name in ("test-source", "test-filter", "test-sink")])
        check(first["planned-memory"] > 0 and first["expected-seconds"] > 0, first)
        same({event["event"] for event in middle}, {"progress"})
        fractions = [event["fraction"] for event in middle]
        check(len(fractions) > 3 and fractions == sorted(fractions) and fractions[-1] == 1, fractions)
        same(list(middle[0]), ["event", "fraction", "slices-done", "slices-total", "seconds"])
        same((middle[-1]["slices-done"], middle[-1]["slices-total"]), (12, 12))
        same((last["event"], [task["node"] for task in last["statistics"]["tasks"]]),
             ("end", ["test-source", "test-filter", "test-sink"]))
        same(last["seconds"], last["statistics"]["seconds"])


def test_messages():
    told = [event for event in events("launch", "--progress=json", GOOD, "--set", "test-filter.trouble=say")
            if event["event"] == "message"]
    check(told and all(event["node"] == "test-filter" and event["text"] for event in told), told)
    same(len({event["text"] for event in told}), len(told))


def test_lines_come_while_it_runs():
    running = subprocess.Popen([PROGRAM, "launch", "--progress=json", *SLOW[:-1], "test-source.slices=100000"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    same(json.loads(running.stdout.readline())["event"], "begin")
    same(json.loads(running.stdout.readline())["event"], "progress")
    same(running.poll(), None)
    running.send_signal(signal.SIGINT)
    out, error = running.communicate(timeout=60)
    same((running.returncode, error), (130, "sinograph: interrupted\n"))
    last = json.loads(out.splitlines()[-1])
    same(last, {"event": "error", "code": "cancelled", "message": "the run was cancelled", "status": 130})


def test_failures():
    wanted = "'test-filter': failed on purpose"
    *before, last = events("launch", "--progress=json", GOOD, "--set", "test-filter.trouble=throw", status=1,
                           error=f"sinograph: {wanted}\n")
    same(before[0]["event"], "begin")
    same(last, {"event": "error", "code": "failed", "message": wanted, "status": 1})
    # What is wrong before a run begins is all that there is.
    for words, status, code in ((["launch", GOOD, "--memory=1M"], 1, "memory"),
                                (["launch", "test-source ! tst-sink"], 2, "not-found"),
                                (["launch", GOOD, "--set=test-filter.count=0"], 2, "bad-property"),
                                (["launch", "test-source"], 2, "bad-graph"),
                                (["launch", GOOD, "--device=cl:99"], 2, "device"),
                                (["run", "/none.json"], 2, "bad-file"),
                                (["reconstruct", "/none.h5", "/tmp/none-at-all"], 2, "bad-file")):
        got, out, error = call(*words, "--progress=json")
        event = json.loads(out)
        same((words, event["event"], event["code"], event["status"], got), (words, "error", code, status, status))
        same(error, f"sinograph: {event['message']}\n")


def test_reconstruct():
    with tempfile.TemporaryDirectory() as folder:
        scan = f"{folder}/scan.h5"
        same(call("launch", "-q", f"simulate width=64 height=8 projections=90 ! write path={scan}")[0], 0)
        first, *_, last = events("reconstruct", "--device=native", "--progress=json", scan, f"{folder}/out")
        same((first["event"], first["folder"], last["event"]), ("begin", f"{folder}/out", "end"))
        matches(r"^read path=.* ! write name=slices ", first["line"])
        same(sorted(os.listdir(f"{folder}/out")), ["graph.json", "preview.png", "report.html", "slices"])
        # The end is told when all files are there.
        Path(folder, "more").mkdir()
        Path(folder, "more", "graph.json").mkdir()
        got, out, _ = call("reconstruct", "--device=native", "--progress=json", "--overwrite", scan, f"{folder}/more")
        same((got, [json.loads(line)["event"] for line in out.splitlines()][-1]), (1, "error"))


def test_wrong_words():
    fails(2, "--progress wants text or json, got 'xml'", "launch", GOOD, "--progress=xml")
    fails(2, "--progress=json and --quiet cannot be used together", "launch", GOOD, "--progress=json", "--quiet")
    same(call("launch", GOOD, "-q", "--progress=text"), (0, "", ""))


tap.main(globals(), at_once=4)
