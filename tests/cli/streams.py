#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The program, its standard streams and the signals that end it. Costs 3 s, and 10 s of waiting. usage: streams.py SINOGRAPH"""
import itertools
import json
import os
import pty
import signal
import subprocess
import tempfile
import termios
import time
from concurrent.futures import ThreadPoolExecutor

import tap
from draw import drawn
from program import GOOD, PROGRAM, call, fails, matches
from tap import same

# 0.2 s a block: long enough for a line of progress.
SLOW = [GOOD, "--set", "test-filter.trouble=slow", "--set", "test-source.slices=18"]


def interrupt(number, trouble, folder, times=1, first=None, **options):
    """Status, seconds to leave, the standard error, and what is left in the folder."""
    running = subprocess.Popen([PROGRAM, "launch", f"{GOOD} file={folder}/out", "--set", "test-source.slices=100000",
                                "--set", f"test-filter.trouble={trouble}"], stderr=subprocess.PIPE, text=True, **options)
    deadline = time.monotonic() + 120  # with a sanitizer, on a machine that is busy
    while not os.listdir(folder) and time.monotonic() < deadline:  # the sink has started
        time.sleep(0.01)
    begun = os.listdir(folder)
    if not [name for name in begun if name.endswith(".part")]:
        running.kill()
        raise AssertionError(f"the run did not start: {begun}, {running.communicate()[1]!r}")
    time.sleep(0.1)
    if first:
        running.send_signal(first)
        time.sleep(0.1)
        same(running.poll(), None)
    begin = time.monotonic()
    for _ in range(times):
        running.send_signal(number)
        time.sleep(0.05)
    error = running.communicate(timeout=300)[1]
    return running.returncode, time.monotonic() - begin, error, os.listdir(folder)


def test_interruption():
    # A worker that returns when asked, and one that never does: the runner leaves within a second all the same. The
    # bound is the product's promise, not a measure of speed; it is doubled for machines that are busy with other tests.
    signals = signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT
    for number, trouble in drawn(itertools.product(signals, ("slow", "hang")), 3):
        with tempfile.TemporaryDirectory() as folder:
            status, seconds, error, left = interrupt(number, trouble, folder)
            same((status, error, left), (130, "sinograph: interrupted\n", []))
            assert seconds < 2, seconds
    with tempfile.TemporaryDirectory() as folder:
        same(interrupt(signal.SIGINT, "hang", folder, times=3)[::2], (130, "sinograph: interrupted\n"))
    with tempfile.TemporaryDirectory() as folder:  # as in the background of a shell, which has Ctrl-C ignored
        status, _, error, left = interrupt(signal.SIGTERM, "slow", folder, first=signal.SIGINT,
                                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        same((status, error, left), (130, "sinograph: interrupted\n", []))


def test_interruption_of_negotiation():
    """A node that returns when asked, and one that never does, as when a file system stalls."""
    with tempfile.TemporaryDirectory() as folder:
        began, graph = f"{folder}/began", f"{folder}/graph.json"
        nodes = {"test-source": {}, "test-stall": {"file": began}, "test-sink": {"file": f"{folder}/out"}}
        with open(graph, "w") as file:
            json.dump({"sinograph": 1,
                       "nodes": [{"plugin": name, "name": name, "properties": nodes[name]} for name in nodes],
                       "edges": [{"from": {"name": one}, "to": {"name": other, "input": 0}}
                                 for one, other in zip(list(nodes), list(nodes)[1:])]}, file)
        for command in "run", "check", "plan":
            for deaf in "false", "true":
                running = subprocess.Popen([PROGRAM, command, graph, "--set", f"test-stall.deaf={deaf}"],
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                deadline = time.monotonic() + 30
                while not os.path.exists(began) and time.monotonic() < deadline:
                    time.sleep(0.01)
                os.remove(began)
                begin = time.monotonic()
                running.send_signal(signal.SIGINT)
                out, error = running.communicate(timeout=300)
                same((command, running.returncode, out, error), (command, 130, "", "sinograph: interrupted\n"))
                assert time.monotonic() - begin < 2  # as above
        same(os.listdir(folder), ["graph.json"])


def full_pipe():
    read, write = os.pipe()
    os.set_blocking(write, False)
    try:
        while True:
            os.write(write, b"." * 4096)
    except BlockingIOError:
        os.set_blocking(write, True)
    return read, write


def stopped_terminal():
    leader, follower = pty.openpty()
    termios.tcflow(follower, termios.TCOOFF)
    return leader, follower


def test_interruption_while_nobody_reads():
    """The thread that shows progress waits for the reader of the standard error, which must not keep the process."""
    with tempfile.TemporaryDirectory() as folder:
        runs = []
        for streams in full_pipe, stopped_terminal:
            read, write = streams()
            running = subprocess.Popen([PROGRAM, "launch", f"{GOOD} file={folder}/{streams.__name__}", "--set",
                                        "test-filter.trouble=slow", "--set", "test-source.slices=100000"], stderr=write,
                                       stdout=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm"})
            runs.append((running, read, write))
        time.sleep(4)  # until there is progress to show
        same([running.poll() for running, *_ in runs], [None, None])
        for running, read, write in runs:
            running.send_signal(signal.SIGINT)
            try:
                same(running.wait(timeout=300), 130)
            finally:
                running.kill()
            os.close(read)
            os.close(write)
        same(os.listdir(folder), [])


def test_output_of_a_run_that_fails():
    with tempfile.TemporaryDirectory() as folder:
        assert call("launch", f"{GOOD} file={folder}/out", "--set", "test-filter.trouble=throw")[0] == 1
        same(os.listdir(folder), [])
        same(call("launch", f"{GOOD} file={folder}/out", "-q"), (0, "", ""))
        same(os.listdir(folder), ["out"])
        fails(1, f"'test-sink': '{folder}/out' exists: set overwrite=true to replace it",
              "launch", f"{GOOD} file={folder}/out", "-q")
        same(os.listdir(folder), ["out"])


def on_terminal(kind, *arguments):
    """What the standard error shows there, and the standard output."""
    leader, follower = pty.openpty()
    running = subprocess.Popen([PROGRAM, *arguments], stderr=follower, stdout=subprocess.PIPE,
                               env={**os.environ, "TERM": kind})
    os.close(follower)
    seen = b""
    try:
        while chunk := os.read(leader, 4096):
            seen += chunk
    except OSError:  # how Linux tells that the other side has closed
        pass
    os.close(leader)
    out = running.communicate(timeout=300)[0]
    same(running.returncode, 0)
    return seen.decode(), out.decode()


def test_progress():
    line = r"sinograph: +\d+ %, \d+ of 18 slices, \d+ s left"
    with ThreadPoolExecutor() as pool:
        plain = pool.submit(call, "launch", *SLOW)
        bar = pool.submit(on_terminal, "xterm", "launch", *SLOW, "--set", "test-source.slices=6")
        dumb = pool.submit(on_terminal, "dumb", "launch", *SLOW)
    error = plain.result()[2]
    matches(rf"^{line}\n", error)
    assert "\r" not in error
    same(call("launch", GOOD, "--quiet")[2], "")
    # A terminal gets a bar, drawn over and over; one that cannot draw gets lines.
    seen, out = bar.result()
    assert out.startswith("6 slices in ")
    bars = seen.split("\r")
    assert len(bars) >= 3, seen
    matches(r"^\[=+ *\] 100 %, 6 of 6 slices", [bar for bar in bars if bar.strip()][-1])
    matches(rf"^{line}\r\n$", dumb.result()[0])


def test_messages():
    trouble = [GOOD, "--set", "test-filter.trouble=say"]
    before, after = (f"sinograph: 'test-filter': there {word} trouble\n" for word in ("will be", "was"))
    same(call("launch", *trouble)[::2], (0, before + after))
    same(call("launch", *trouble, "--quiet")[::2], (0, ""))
    for command in ("check", "plan"):
        same(call(command, *trouble)[::2], (0, before))
    same(call("check", *trouble, "--quiet")[::2], (0, ""))


def without(*streams):
    """For preexec_fn: closes them, as '2>&-' does."""
    return lambda: [os.close(stream) for stream in streams]


def test_closed_streams():
    # Messages of a run must not reach the file that it writes, which would get the number of a stream that is closed.
    with tempfile.TemporaryDirectory() as folder:
        line = "test-source slices=18 ! test-filter trouble=slow ! write path="
        closed = {"whole": ((), 0), "no-error": ((2,), 0), "none": ((0, 1, 2), 1)}  # the summary is lost in the last
        runs = {name: subprocess.Popen([PROGRAM, "launch", f"{line}{folder}/{name}.tif"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, preexec_fn=without(*streams))
                for name, (streams, _) in closed.items()}
        for name, running in runs.items():
            same((name, running.wait(timeout=300)), (name, closed[name][1]))
            with open(f"{folder}/{name}.tif", "rb") as got, open(f"{folder}/whole.tif", "rb") as wanted:
                assert got.read() == wanted.read(), f"{name}.tif is not what it should be"
        same(len(os.listdir(folder)), 6)  # with checksums of each


def test_readers_that_leave():
    with tempfile.TemporaryDirectory() as folder:
        runs = []
        for stream, wanted in (("stderr", 0), ("stdout", 1)):
            read, write = os.pipe()
            streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, stream: write}
            runs.append((stream, wanted, subprocess.Popen([PROGRAM, "launch", *SLOW, "--set", f"test-sink.file={folder}/{stream}"],
                                                          **streams)))
            os.close(write)
            os.close(read)
        for stream, wanted, running in runs:
            error = running.communicate(timeout=300)[1]
            same((stream, running.returncode), (stream, wanted))
            assert stream == "stderr" or error.endswith(b"\nsinograph: cannot write to the standard output\n"), error
        same(sorted(os.listdir(folder)), ["stderr", "stdout"])  # both are complete


def test_full_output():
    for arguments in (["inspect"], ["inspect", "--json"], ["--help"], ["run", "--help"], ["launch", GOOD]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=300)
        same((arguments, done.returncode, done.stderr), (arguments, 1, "sinograph: cannot write to the standard output\n"))


tap.main(globals(), at_once=5)
