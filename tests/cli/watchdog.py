#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A run in which nothing comes on ends with what its tasks are at. Costs 12 s, in which it waits. usage: watchdog.py SINOGRAPH"""
import os
import tempfile
import time

from program import call, fails, matches
from tap import check, same

import tap

LINE = "test-source slices=24 size=64 ! test-filter trouble={} ! write path={}/x.h5"


def test_a_task_that_hangs():
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        status, out, error = call("launch", "-q", "--device=native", "--watchdog=1", LINE.format("hang", folder))
        same((status, out), (1, ""))
        matches(r"^sinograph: there was no progress for 1\.?\d* s: 'test-filter' has worked for \d+(\.\d+)? s; blocks: ", error)
        matches(r"'test-source' to 'test-filter': \d+ queued, \d+ of \d+ in flight", error)
        matches(r"'test-filter' to 'write': 0 queued, \d+ of \d+ in flight, the taker waits", error)
        matches(r"then 'test-filter' did not return within 10 s: its thread was abandoned\n$", error)
        check(time.monotonic() - begin < 30, "it takes its time")
        same(os.listdir(folder), [])


def test_a_task_that_is_slow():
    with tempfile.TemporaryDirectory() as folder:
        same(call("launch", "-q", "--device=native", "--watchdog=2", LINE.format("slow", folder)), (0, "", ""))


def test_words():
    for word in "x", "-1", "nan", "1e10":
        fails(2, f"--watchdog wants seconds from 0 to 1000000000, got '{word}'", "launch", f"--watchdog={word}", "test-source ! test-sink")
    same(call("launch", "-q", "--watchdog=0", "test-source ! test-sink"), (0, "", ""))


tap.main(globals(), at_once=3)
