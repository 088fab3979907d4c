#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs of pushed frames while they go on, and how they end: signals, statistics, cancellation, misuse."""
import os
import random
import threading
import time

from pushed import *

import tap
from tap import check, raises, same

Code = Sino.Error


# --- signals, statistics ---

def test_signals_come_in_the_main_context():
    context, seen = GLib.MainContext.default(), []
    scan = Scan(max_buffers=1, frames=3)
    scan.source.connect("need-data", lambda _: seen.append("need"))
    scan.source.connect("enough-data", lambda _, bytes: seen.append(bytes))
    scan.sink.connect("new-buffer", lambda _: seen.append("new"))
    frames = counts(3)
    scan.source.push(frames[0].tobytes())
    same(scan.source.try_push(frames[1].tobytes()), False)
    scan.begin()
    deadline = time.monotonic() + 20
    while "need" not in seen and time.monotonic() < deadline:
        context.iteration(False)
    same(seen[:2], [N * N * 2, "need"])
    push_each(scan.source, frames[1:])
    scan.pull_all()
    while context.iteration(False):
        pass
    check("new" in seen, "no new-buffer")


def test_statistics_of_a_run_that_goes_on():
    scan = Scan(frames=40).begin()
    same(scan.runner.get_statistics(), None)
    push_each(scan.source, counts(10))
    deadline = time.monotonic() + 20
    while (now := scan.runner.get_statistics()) is None and time.monotonic() < deadline:
        time.sleep(0.01)
    now = now.unpack()
    same((now["running"], sorted(task["node"] for task in now["tasks"])), (True, ["app-sink", "app-source"]))
    check(0 < now["resident-memory"] <= now["memory-limit"], "memory is odd")
    push_each(scan.source, counts(30))
    scan.pull_all()
    end = scan.runner.get_statistics().unpack()
    same(end["running"], False)
    tasks = {task["node"]: task for task in end["tasks"]}
    same((tasks["app-source"]["bytes-out"], tasks["app-sink"]["bytes-in"]), (40 * N * N * 2,) * 2)
    check(tasks["app-sink"]["queued"] == 0 < tasks["app-sink"]["queue-capacity"], "levels of queues are odd")
    check(end["bottleneck"] in tasks, f"bottleneck: {end['bottleneck']}")


def test_messages_of_nodes_are_a_signal():
    said = []
    flats = numpy.full((2, N, N), 21000, numpy.uint16)
    flats[:, 3] = 0
    scan = Scan("flat-field", frames=4)
    scan.source.push_darks(numpy.zeros((1, N, N), numpy.uint16).tobytes())
    scan.source.push_flats(flats.tobytes())
    scan.runner.connect("message", lambda _, node, level, text: said.append((node, level, text)))
    push_each(scan.source, counts(4))
    scan.begin().pull_all()
    same([(node, level) for node, level, _ in said], [("flat-field", Sino.MessageLevel.WARNING)])
    check("detector pixels" in said[0][2], f"said {said}")


# --- ends ---

def threads_and_files():
    return len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd"))


def test_cancel_while_something_waits():
    def waiting_source(scan):
        scan.begin()

    def waiting_sink(scan):
        scan.begin()
        push_each(scan.source, [LARGE] * 4)

    Scan(frames=1).begin().cancellable.cancel()
    time.sleep(0.3)
    before = threads_and_files()
    for _ in range(20):
        for prepare, properties in ((waiting_source, {"frames": 40}), (waiting_source, {}),
                                    (waiting_sink, {"frames": 4, "sink_bytes": 1, "rows": 512, "columns": 512})):
            scan = Scan(**properties)
            prepare(scan)
            time.sleep(random.uniform(0, 0.03))
            begun = time.monotonic()
            scan.cancellable.cancel()
            raises(Gio.IOErrorEnum.CANCELLED, "", scan.end)
            check(time.monotonic() - begun < 1, f"took {time.monotonic() - begun} s")
            raises(Code.FAILED, "no more blocks come: the run failed", pull_until_error, scan)
            raises(Code.FAILED, "no frame can be pushed: the run failed", scan.source.push,
                   bytes(scan.source.props.rows * scan.source.props.columns * 2))
    del scan
    deadline = time.monotonic() + 5
    while threads_and_files() > before and time.monotonic() < deadline:
        time.sleep(0.05)
    check(threads_and_files() <= before, f"threads and files: {before} became {threads_and_files()}")


class Waiting(Sino.Task):
    """Waits for something that never comes."""

    def __init__(self):
        super().__init__()
        self.set_flow(Sino.Flow.POINT)
        self.waits, self.woken = threading.Event(), threading.Event()

    def do_process(self, inputs, output):
        self.waits.set()
        self.woken.wait()
        return True

    def do_unlock(self):
        self.woken.set()


def test_unlock_wakes_a_task():
    for _ in range(10):
        task, cancellable, ends = Waiting(), Gio.Cancellable(), []
        graph = graph_of(ArraySource(scan()), task, ArraySink())
        thread = threading.Thread(target=lambda: ends.append(
            raises(Gio.IOErrorEnum.CANCELLED, "", Sino.Runner(device="native").run, graph, cancellable)))
        thread.start()
        check(task.waits.wait(10), "it is not called")
        begun = time.monotonic()
        cancellable.cancel()
        thread.join(10)
        check(ends and time.monotonic() - begun < 1, "the run does not end")
        check("left behind" not in ends[0].message, ends[0].message)


def test_scans_one_after_the_other():
    scan = Scan("flat-field", "reconstruct", frames=30)
    scan.source.push_flats(numpy.full((1, N, N), 21000, numpy.uint16).tobytes())
    scan.source.push_darks(numpy.zeros((1, N, N), numpy.uint16).tobytes())
    volumes = []
    for seed in (1, 1, 2):
        scan.begin()
        push_each(scan.source, counts(30, seed=seed))
        volumes.append(scan.pull_all())
        raises(Code.FAILED, "'begin' starts a new scan", scan.source.push, counts(1).tobytes())
        scan.source.begin()
    check((volumes[0] == volumes[1]).all() and (volumes[0] != volumes[2]).any(), "scans are mixed up")


def test_a_run_that_cannot_begin_tells_those_who_wait():
    scan = Scan(frames=30, memory="1M")
    pulled = []
    puller = threading.Thread(target=lambda: pulled.append(
        raises(Code.FAILED, "the run failed", scan.sink.pull)))
    puller.start()
    raises(Code.MEMORY, "", lambda: scan.begin().end())
    puller.join(10)
    check(pulled, "the program still waits")
    raises(Code.FAILED, "no frame can be pushed: the run failed", scan.source.push, counts(1).tobytes())


def test_misuse():
    frame, source = counts(1).tobytes(), Sino.AppSource()
    raises(Code.BAD_PROPERTY, "set rows and columns to the size of a frame", source.push, frame)
    raises(Code.BAD_PROPERTY, "set rows and columns", source.push_darks, frame)
    raises(Code.BAD_PROPERTY, "set rows and columns", Sino.Runner().run, graph_of(source, "null"), None)
    source = Sino.AppSource(rows=N, columns=N, frames=2)
    for bad in (frame[:-1], frame + b"0", b""):
        raises(Code.BAD_FORMAT, f"{len(bad)} bytes are no number of frames: one of {N} x {N} u16 has {N * N * 2}",
               source.push, bad)
        raises(Code.BAD_FORMAT, "are no number of frames", source.push_flats, bad)
    raises(Code.BAD_FORMAT, "more than one frame", source.push_frame, frame * 2, 0, 0)
    raises(Code.FAILED, "numbers begin with 0", source.push_frame, frame, -2, 0)
    source.push_frame(frame, 0, 0)
    raises(Code.FAILED, "frame 0 was pushed after frame 0: numbers have to rise", source.push_frame, frame, 0, 0)
    raises(Code.FAILED, "frame 2 was pushed, and the scan has 2 frames", source.push_frame, frame, 2, 0)
    raises(Code.FAILED, "frame 2 was pushed, and the scan has 2 frames", source.push, frame * 2)
    source.end_of_stream()
    raises(Code.FAILED, "after the end of the stream: 'begin' starts a new scan", source.push, frame)
    source.begin()
    source.push(frame * 2)
    source.begin()
    same(source.get_current_level_bytes(), 0)
    source.props.own_angles = True
    raises(Code.BAD_FORMAT, "the angle of a frame is nan, and own-angles is set", source.push_frame, frame, 0,
           float("nan"))
    raises(Code.FAILED, "the scan ended before its first frame", lambda: (
        source.end_of_stream(), Sino.Runner(device="native").run(graph_of(source, "null"), None)))

    scan = Scan(frames=9)
    scan.begin()
    push_each(scan.source, counts(3))
    while scan.source.get_current_level_buffers():
        time.sleep(0.01)
    raises(Code.FAILED, "a run is taking the frames of a scan", scan.source.begin)
    raises(Code.FAILED, "another run is taking its frames", Sino.Runner(device="native").run, scan.graph, None)
    push_each(scan.source, counts(6))
    scan.pull_all()
    same(scan.sink.is_end_of_stream(), True)
    same(scan.sink.try_pull(0), None)
    raises(Code.FAILED, "the frames of the scan were taken: 'begin' starts a new one", Sino.Runner(device="native").run,
           scan.graph, None)


tap.main(globals())
