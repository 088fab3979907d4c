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
    scan = Scan(frames=40)
    same(scan.runner.get_statistics(), None)
    scan.begin()
    push_each(scan.source, counts(10))
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        now = scan.runner.get_statistics()
        if now and (now := now.unpack())["tasks"]:
            break
        time.sleep(0.01)
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
            check(time.monotonic() - begun < 5, f"took {time.monotonic() - begun} s")
            raises(Code.FAILED, "no more blocks come: the run was cancelled", pull_until_error, scan)
            raises(Code.FAILED, "no frame can be pushed: the run was cancelled", scan.source.push,
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
        check(ends and time.monotonic() - begun < 5, "the run does not end")
        check("abandoned" not in ends[0].message, ends[0].message)


class Camera(Sino.Task):
    """A source that ends when it likes."""

    def __init__(self, frames, planned, open_ended):
        super().__init__()
        self.set_flow(Sino.Flow.SOURCE_ONCE)
        self.set_open_ended(open_ended)
        self.frames, self.planned, self.calls = frames, planned, []

    def do_start(self):
        self.calls.append("start")
        return True

    def do_finish(self):
        self.calls.append("finish")
        return True

    def do_negotiate(self, inputs):
        return Sino.Format.new_projections(Sino.Element.U16, self.planned, N, N, Sino.Geometry.new(
            numpy.arange(self.planned) * 2.0))

    def do_process(self, inputs, output):
        first, number = output.get_first_angle(), output.get_shape()[0]
        if first + number > len(self.frames):
            self.end_of_stream()
        else:
            output.set_data(self.frames[first:first + number].tobytes())
        return True


def test_a_source_in_python_may_end_early():
    frames = counts(31)
    for planned in (31, 90):
        camera, sink = Camera(frames, planned, True), ArraySink()
        for _ in range(2):
            run(camera, sink)
            check((sink.array == frames).all(), "values differ")
        same(camera.calls, ["start", "finish"] * 2)
    same(len(sink.format.get_geometry().get_angles()), 31)
    raises(Code.FAILED, "the stream ended after ", run, Camera(frames, 90, False), ArraySink())
    raises(Code.FAILED, "the stream ended before its first projection", run, Camera(frames[:0], 90, True), ArraySink())


def test_two_scans_of_unknown_length_by_turns():
    cameras, join = [Sino.AppSource(rows=512, columns=512, max_bytes=2 * LARGE.nbytes) for _ in range(2)], ArraySink()

    class Add(Sino.Task):
        def __init__(self):
            super().__init__()
            self.set_inputs(["first", "second"], None)

        def do_process(self, inputs, output):
            output.set_data((values_of(inputs[0]) + values_of(inputs[1])).tobytes())
            return True

    add, graph, results = Add(), Sino.Graph.new(), []
    for task, name in ((cameras[0], "a"), (cameras[1], "b"), (add, "add"), (join, "sink")):
        graph.add_task(task, name)
    for edge in (("a", "add", 0), ("b", "add", 1), ("add", "sink", 0)):
        graph.connect(*edge)
    runner = Sino.Runner(device="native")
    runner.run_async(graph, None, lambda _, result: results.append(result))
    for number in range(9):
        for camera in cameras:
            camera.push((LARGE + number).tobytes())
    for camera in cameras:
        camera.end_of_stream()
    finish(runner, results)
    same(join.array[:, 0, 0].tolist(), [2 * number for number in range(9)])


def test_a_busy_runner_ends_what_waits_for_it():
    """Who pushes into the graph of a run that cannot begin, or pulls out of it, is told at once; the run that is there goes on."""
    scan, other = Scan(frames=4, rows=512, columns=512).begin(), Scan(frames=4, rows=512, columns=512)
    results = []
    scan.runner.run_async(other.graph, None, lambda _, result: results.append(result))
    raises(Code.FAILED, "this runner is running already", finish, scan.runner, results)
    raises(Code.FAILED, "no more blocks come: the run failed: this runner is running already", other.sink.pull)
    raises(Code.FAILED, "no frame can be pushed: the run failed: this runner is running already", other.source.push, LARGE.tobytes())
    results = []
    scan.runner.run_async(scan.graph, None, lambda _, result: results.append(result))  # its own graph
    raises(Code.FAILED, "this runner is running already", finish, scan.runner, results)
    push_each(scan.source, [LARGE] * 4)
    same(scan.pull_all().shape[0], 4)


def test_live_properties():
    scan = Scan(frames=40, rows=512, columns=512, sink_bytes=2 * LARGE.nbytes)
    raises(Code.FAILED, "no run is active", scan.runner.set_live, "app-sink", "max-bytes", "1")
    scan.begin()
    pusher = threading.Thread(target=push_each, args=(scan.source, [LARGE] * 40))
    pusher.start()
    held = [scan.sink.pull() for _ in range(2)]
    same(scan.sink.try_pull(100000), None)
    scan.runner.set_live("app-sink", "max-bytes", str(4 * LARGE.nbytes))
    held += [scan.sink.pull() for _ in range(2)]
    same(scan.sink.props.max_bytes, 4 * LARGE.nbytes)
    live = scan.runner.set_live
    raises(Code.BAD_PROPERTY, "'app-sink': whole is read when a run begins, and cannot be changed during the run; properties that can are "
                              "max-bytes, max-buffers", live, "app-sink", "whole", "true")
    raises(Code.BAD_PROPERTY, "'app-source': no property 'max-byte': did you mean 'max-bytes'?", live, "app-source",
           "max-byte", "1")
    raises(Code.BAD_PROPERTY, "wants", live, "app-source", "max-bytes", "many")
    raises(Code.BAD_GRAPH, "no node is named 'sink'", live, "sink", "max-bytes", "1")
    held.clear()
    scan.pull_all()
    pusher.join()


def test_a_live_property_of_a_task_in_python():
    go, seen = threading.Event(), []

    class Threshold(Sino.Task):
        level = GObject.Property(type=float, default=1.0, minimum=-1e6, maximum=1e6)
        other = GObject.Property(type=float, default=1.0, minimum=-1e6, maximum=1e6)

        def __init__(self):
            super().__init__()
            self.set_flow(Sino.Flow.SINK)
            self.set_live(["level"])

        def do_process(self, inputs, output):
            seen.append(self.level)
            go.wait(10)
            return True

    task = Threshold()
    source = Sino.AppSource(rows=512, columns=512, frames=2)
    graph, runner, results = graph_of(source, task), Sino.Runner(device="native"), []
    name = graph.list_nodes()[1]
    push_each(source, [LARGE] * 2)
    runner.run_async(graph, None, lambda _, result: results.append(result))
    deadline = time.monotonic() + 20
    while not seen and time.monotonic() < deadline:
        time.sleep(0.01)
    runner.set_live(name, "level", "2.5")
    raises(Code.BAD_PROPERTY, "other is read when a run begins", runner.set_live, name, "other", "2")
    go.set()
    finish(runner, results)
    same(seen, [1.0, 2.5])


def test_runs_at_once_share_the_memory():
    first = Scan(frames=4).begin()
    planned = 0
    while not planned:
        if statistics := first.runner.get_statistics():
            planned = statistics.unpack()["planned-memory"]
        time.sleep(0.01)
    second = Scan(frames=4, rows=2000, columns=2000, whole=True)
    plan = second.runner.plan(second.graph).unpack()
    check(plan["memory"]["base"] > planned - 1e6, f"base {plan['memory']['base']}, and another run has planned {planned}")
    third = Scan(frames=4, memory=f"{int(planned + 1e6)}")
    raises(Code.MEMORY, "", lambda: third.begin().end())
    push_each(first.source, counts(4))
    first.pull_all()
    push_each(third.source, counts(0))
    third.source.begin()
    push_each(third.source, counts(4))
    third.begin().pull_all()


def test_many_runs_leave_nothing():
    frames, scan = counts(3), Scan(frames=3)
    for number in range(150):
        if number == 50:
            before = resident(), threads_and_files()
        push_each(scan.source, frames)
        scan.begin().pull_all()
        scan.source.begin()
    check(resident() - before[0] < 4e6, f"{resident() - before[0]} bytes more after 100 runs")
    check(threads_and_files() <= before[1], "threads or files are left")


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


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
        raises(Code.BAD_FORMAT, f"{len(bad)} bytes are not a whole number of frames: a frame of {N} x {N} u16 has {N * N * 2}",
               source.push, bad)
        raises(Code.BAD_FORMAT, "are not a whole number of frames", source.push_flats, bad)
    raises(Code.BAD_FORMAT, "more than one frame", source.push_frame, frame * 2, 0, 0)
    raises(Code.FAILED, "numbers are from 0", source.push_frame, frame, -2, 0)
    source.push_frame(frame, 0, 0)
    raises(Code.LOST_FRAME, "frame 0 was pushed after frame 0: numbers must increase", source.push_frame, frame, 0, 0)
    raises(Code.FAILED, "frame 2 was pushed, but the scan has 2 frames", source.push_frame, frame, 2, 0)
    raises(Code.FAILED, "frame 2 was pushed, but the scan has 2 frames", source.push, frame * 2)
    source.end_of_stream()
    raises(Code.FAILED, "after the end of the stream: 'begin' starts a new scan", source.push, frame)
    source.begin()
    source.push(frame * 2)
    source.begin()
    same(source.get_current_level_bytes(), 0)
    source.props.own_angles = True
    raises(Code.BAD_FORMAT, "the angle of a frame is nan, but own-angles is set", source.push_frame, frame, 0,
           float("nan"))
    raises(Code.SHORT_SCAN, "the scan ended before its first frame", lambda: (
        source.end_of_stream(), Sino.Runner(device="native").run(graph_of(source, "null"), None)))

    scan = Scan(frames=9)
    scan.begin()
    push_each(scan.source, counts(3))
    while scan.source.get_current_level_buffers():
        time.sleep(0.01)
    raises(Code.FAILED, "a run is using the frames of a scan", scan.source.begin)
    raises(Code.FAILED, "another run is using its frames", Sino.Runner(device="native").run, scan.graph, None)
    push_each(scan.source, counts(6))
    scan.pull_all()
    same(scan.sink.is_end_of_stream(), True)
    same(scan.sink.try_pull(0), None)
    raises(Code.FAILED, "there are no frames: the run that used them has ended; 'begin' starts a new scan",
           Sino.Runner(device="native").run,
           scan.graph, None)


tap.main(globals())
