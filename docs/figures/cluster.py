#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Predicts what one reconstruction takes on many nodes: the tables of docs/guide/cluster.md, which says what is assumed.

usage: cluster.py HANDOUT [--page]
HANDOUT is the program of tests/support/handout.cpp, which hands out work items as runs do. --page writes tables that are others.
"""
import heapq
import math
import subprocess
import sys
from collections import defaultdict, deque
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from measured import put
from transfers import Transfers

PAGE = Path(__file__).resolve().parents[1] / "guide/cluster.md"


@dataclass(frozen=True)
class Cluster:
    """Seconds, bytes, and what is done per second."""
    updates: float  # of voxels, by a node
    start: float  # of a process
    item_time: float  # of an item, beside its slices
    step: int  # slices that kernels take together, of which items have a multiple
    most_item: int  # slices of an item where nodes are few
    launch: float = 1  # of the launcher, for several nodes
    read: float = 40e9  # the file system, for all nodes together
    write: float = 30e9
    link: float = 10e9  # of a node, each way
    latency: float = 0.5e-3  # of a request
    requests: int = 16  # that a node has in flight
    opened: float = 20e3  # files
    frames: int = 20  # darks and flats


class Play:
    """Nodes read, compute and write one item at a time each, and these overlap: three processes of a node, which yield what they wait
    for: seconds, a transfer and its bytes, or a word for what has to happen."""

    def __init__(self, cluster, size, nodes):
        self.cluster, self.size, self.nodes = cluster, size, nodes
        projections = min(size, 4096)
        item = max(min(size // (4 * nodes), cluster.most_item), 1)  # four for each node
        self.item = min(math.ceil(item / cluster.step) * cluster.step, size)
        self.items = math.ceil(size / self.item)
        self.slice, self.slice_rows = 4 * size ** 2, 2 * size * projections  # bytes: f32 of u16
        self.slice_seconds = size ** 2 * projections / cluster.updates
        of_node = lambda request: min(cluster.link, cluster.requests * request / cluster.latency)
        self.reading = Transfers(cluster.read, of_node(2 * size * self.item))  # a request for each projection
        self.writing = Transfers(cluster.write, of_node(self.slice))
        self.frames = Transfers(cluster.read, cluster.link)
        self.events, self.asleep, self.number = [], defaultdict(list), count()
        self.now = self.opening = self.end = 0
        self.frames_begun = self.frames_there = False

    def seconds(self):
        transfers = self.reading, self.writing, self.frames
        command = [sys.argv[1], str(self.nodes), str(self.items)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as self.rule:
            for node in range(self.nodes):
                self.go_on(self.read(node))
            while self.events or any(some.ends for some in transfers):
                ends = min(transfers, key=Transfers.next_end)
                event = self.events[0][0] if self.events else math.inf
                self.now = min(event, ends.next_end())
                self.go_on(heapq.heappop(self.events)[2] if self.now == event else ends.end())
            self.rule.stdin.close()
        return self.end + 2 * self.cluster.latency + 1 / self.cluster.opened  # it is on disks, and gets its name

    def go_on(self, process):
        wait = next(process, None)
        if isinstance(wait, str):
            self.asleep[wait].append(process)
        elif isinstance(wait, tuple):
            wait[0].begin(self.now, next(self.number), wait[1], process)
        elif wait is not None:
            heapq.heappush(self.events, (self.now + wait, next(self.number), process))

    def happened(self, what):
        for process in self.asleep.pop(what, ()):
            self.go_on(process)

    def ask(self, what, node):
        print(what, node, self.now, file=self.rule.stdin, flush=True)
        return self.rule.stdout.readline().strip()

    def open(self, files=1):
        """Seconds until files are open: one after the other, for all nodes."""
        self.opening = max(self.opening, self.now) + files / self.cluster.opened
        return self.opening - self.now + self.cluster.latency

    def read(self, node):
        yield self.cluster.start + (self.cluster.launch if self.nodes > 1 else 0)
        yield self.open(2)  # the scan and the volume
        rows, slices, first = deque(), deque(), True
        self.go_on(self.compute(node, rows, slices))
        self.go_on(self.write(node, slices))
        while (item := self.ask("take", node)) != "none":
            if item == "later":
                yield f"ended {node}"
                continue
            if first:
                yield from self.make_frames()
            first = False
            number = min(self.item, self.size - int(item) * self.item)
            yield self.cluster.latency
            yield self.reading, number * self.slice_rows
            rows.append(number)
            self.happened(f"rows {node}")

    def make_frames(self):
        """One node reads darks and flats, and writes what they are reduced to, which the others read."""
        reduced = 2 * self.slice
        if not self.frames_begun:
            self.frames_begun = True
            yield self.cluster.latency
            yield self.frames, self.cluster.frames * self.slice / 2
            if self.nodes > 1:
                yield self.open() + reduced / min(self.cluster.link, self.cluster.write)
            self.frames_there = True
            return self.happened("frames")
        if not self.frames_there:
            yield "frames"
        yield self.open()
        yield self.frames, reduced

    def compute(self, node, rows, slices):
        while True:
            if not rows:
                yield f"rows {node}"
            yield rows[0] * self.slice_seconds + self.cluster.item_time
            slices.append(rows.popleft())
            self.happened(f"slices {node}")

    def write(self, node, slices):
        while True:
            if not slices:
                yield f"slices {node}"
            yield self.cluster.latency
            yield self.writing, slices.popleft() * self.slice
            self.end = self.now
            self.ask("end", node)
            self.happened(f"ended {node}")

    def bound(self):
        """What takes longest at least, whatever else were free."""
        at_work = min(self.nodes, self.items)
        bounds = {"computing": (self.size * self.slice_seconds + self.items * self.cluster.item_time) / at_work,
                  "reading": self.size * self.slice_rows / min(self.cluster.read, at_work * self.reading.node),
                  "writing": self.size * self.slice / min(self.cluster.write, at_work * self.writing.node),
                  "start-up": self.cluster.start + self.cluster.launch * (self.nodes > 1) + 2 * self.nodes / self.cluster.opened}
        return "too few work items" if self.items < self.nodes else max(bounds, key=bounds.get)


def shown(seconds):
    return (f"{seconds:,.0f}" if seconds >= 1000 else f"{seconds:#.3g}".rstrip(".")) + " s"


def rows(cluster, numbers, bound):
    alone = {}
    for nodes in numbers:
        cells = [nodes]
        for size in 2048, 4096:
            play = Play(cluster, size, nodes)
            seconds = play.seconds()
            efficiency = 100 * alone.setdefault(size, seconds) / nodes / seconds
            cells += [shown(seconds), f"{efficiency:.1f} %"] + [play.bound()] * bound
        yield cells


def with_other(words, cluster, size, *numbers):
    times = [f"{shown(Play(cluster, size, nodes).seconds())} on {nodes}" for nodes in numbers]
    return [words, f"{size}^3 from {min(size, 4096)}", *times]


def main():
    processors = Cluster(updates=24e9, start=0.04, item_time=0.02e-3, step=32, most_item=32)
    gpus = Cluster(updates=3100e9, start=1, item_time=1e-3, step=4, most_item=16)
    small, large = (["2048^3 from 2048", "efficiency"], ["4096^3 from 4096", "efficiency"])
    by = ["bound by"]
    same = [put(*table, "--page" in sys.argv, PAGE) for table in (
        ("processors", ["nodes", *small, *large], rows(processors, (1, 4, 16, 64, 128, 1024), False)),
        ("gpus", ["nodes", *small, *by, *large, *by], rows(gpus, (1, 2, 4, 8, 16, 64, 1024), True)),
        ("others", ["what is other", "scan", "few nodes", "more nodes"], [
            with_other("1,750 GUPS a node", replace(gpus, updates=1750e9), 4096, 1, 16),
            with_other("250 GB/s read, 200 GB/s written", replace(gpus, read=250e9, write=200e9), 4096, 16, 256),
            with_other("work items of 64 slices", replace(gpus, step=64, most_item=64), 2048, 1, 4),
            with_other("a larger scan", gpus, 8192, 1, 16)]))]
    if not all(same):
        sys.exit("docs/guide/cluster.md has other tables: --page writes these")


if __name__ == "__main__":
    main()
