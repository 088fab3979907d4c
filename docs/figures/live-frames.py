#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Measures how fast 'receive' takes frames from a sender on the same machine: the figures of docs/guide/live-frames.md.

usage: live-frames.py SINOGRAPH
"""
import json
import re
import subprocess
import sys
import time

import numpy
import zmq

ADDRESS = "tcp://127.0.0.1:5781"


def send(number, side, shuffled):
    """In a process of its own. Shuffled: each frame at most 100 places away from its own."""
    context = zmq.Context()
    socket = context.socket(zmq.PUSH)
    socket.sndhwm = 8
    socket.bind(ADDRESS)
    frames = numpy.random.default_rng(1).integers(0, 65535, (8, side, side), dtype="u2")
    places = numpy.arange(number) + numpy.random.default_rng(2).uniform(0, 100, number) * shuffled
    for i in numpy.argsort(places, kind="stable").tolist():
        socket.send(json.dumps({"htype": "array-1.0", "shape": [side, side], "type": "uint16", "frame": i}).encode(), zmq.SNDMORE)
        socket.send(frames[i % len(frames)], copy=False)
    socket.close(linger=-1)
    context.term()


def measure(program, number, side, words):
    with subprocess.Popen([sys.executable, __file__, "--send", str(number), str(side), str(int("any" in words))]):
        time.sleep(1)  # so that it waits
        said = subprocess.run([program, "launch", "--device=native", f"receive address={ADDRESS} frames={number} {words} ! null"],
                              capture_output=True, text=True, check=True).stdout
        seconds = float(re.search(r"in ([\d.]+) s", said)[1])
    rate = number / seconds
    print(f"{side} x {side} {words}: {rate:.0f} frames/s, {rate * side * side * 2 / 1e9:.2f} GB/s", flush=True)


if sys.argv[1] == "--send":
    send(*map(int, sys.argv[2:]))
else:
    measure(sys.argv[1], 10000, 1024, "order=any window=100")
    for amount, width in ((4000, 1024), (1000, 2048), (40000, 64)):
        for known in "", f"rows={width} columns={width} element=u16":
            measure(sys.argv[1], amount, width, known)
