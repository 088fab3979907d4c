#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Many calls on small arrays take no more and more memory, descriptors or threads. usage: growth.py [CALLS]

It prints how long a call takes beside the run that it makes.
"""
import os
import statistics
import sys
import threading
import time

import numpy
import scans
import sinograph
import tap
from sinograph import _arrays
from tap import check, same

CALLS = int(sys.argv[1]) if len(sys.argv) > 1 else 100
LINES = scans.lines(columns=64, angles=24, rows=2)
COUNTS, FLATS, DARKS = scans.counts(LINES)


def state():
    with open("/proc/self/smaps") as file:  # statm is wrong by some MiB where there are many processors
        resident = sum(int(line.split()[1]) << 10 for line in file if line.startswith("Rss:"))
    return len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task")), resident


def settle():
    """Waits for runs that were left, which end in their own threads."""
    until = time.monotonic() + 60
    while (_arrays._lent or threading.active_count() > 1) and time.monotonic() < until:
        time.sleep(0.01)
        _arrays.sweep()
    time.sleep(0.1)


def grows(call, calls):
    """Descriptors, threads and bytes of so many calls, after others, in which the heap takes what it needs.

    The least of four rounds: heaps of threads grow in some rounds, a leak in all of them.
    """
    for _ in range(2 * calls):
        call()
    rounds = []
    for _ in range(4):
        settle()
        before = state()
        for _ in range(calls):
            call()
        settle()
        rounds.append([b - a for a, b in zip(before, state())])
        same(len(_arrays._lent), 0)
    return [min(values) for values in zip(*rounds)]


def most(calls):
    """Bytes that may be more: a quarter of the 32 KiB that each result has, and some pages."""
    return (1 << 18) + calls * (8 << 10)


def test_reconstruct():
    descriptors, threads, size = grows(lambda: sinograph.reconstruct(
        COUNTS, axis=32, flats=FLATS, darks=DARKS, device="native"), CALLS)
    print(f"# {CALLS} calls: {descriptors} descriptors, {threads} threads, {size / 1024:.0f} KiB")
    check(descriptors <= 0 and threads <= 0, (descriptors, threads))
    check(size < most(CALLS), f"{size} bytes")


def test_overhead():
    graph = sinograph.Graph()
    graph.add_array(LINES, geometry=sinograph.Geometry(numpy.arange(24) * 7.5))
    graph.add("reconstruct", axis=32)
    graph.add("app-sink", "out", whole=True)
    graph.connect("array", "reconstruct")
    graph.connect("reconstruct", "out")
    beside, runs = [], []
    for _ in range(CALLS // 3):
        run = graph.start("native")
        run.wait()
        graph["out"].pull()
        runs.append(run.statistics()["seconds"])
        begun = time.perf_counter()
        sinograph.reconstruct(LINES, axis=32, device="native")
        beside.append(time.perf_counter() - begun)
    print(f"# a call {1000 * statistics.median(beside):.2f} ms, of which the run "
          f"{1000 * statistics.median(runs):.2f} ms")


def test_errors_and_interrupted_runs():
    def fail():
        try:
            sinograph.reconstruct(LINES, axis=32, device="native", window="none", progress=lambda *_: 1 / 0)
        except ZeroDivisionError:
            pass
        try:
            sinograph.filters.median(LINES, size=4, device="native")
        except sinograph.Error:
            pass
    descriptors, threads, size = grows(fail, CALLS // 3)
    print(f"# {CALLS // 3} failures: {descriptors} descriptors, {threads} threads, {size / 1024:.0f} KiB")
    check(descriptors <= 0 and threads <= 0, (descriptors, threads))
    check(size < most(CALLS // 3), f"{size} bytes")


def test_threads_at_once():
    """Calls of several threads do not disturb each other."""
    want = sinograph.reconstruct(LINES, axis=32, device="native")
    wrong = []

    def work():
        for _ in range(10):
            if not numpy.array_equal(sinograph.reconstruct(LINES, axis=32, device="native"), want):
                wrong.append(1)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same(wrong, [])


tap.main(globals())
