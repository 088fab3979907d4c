#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs from Python: options, progress, cancellation, main loops, statistics."""
import json
import os
import tempfile
import threading
import time

from gi.repository import Gio
from nodes import *

import tap
from tap import check, raises, same

Code = Sino.Error
CANCELLED = Gio.IOErrorEnum.CANCELLED


class Endless:
    """A graph that would go on for minutes; it notes that it began."""

    def __init__(self):
        self.begun = threading.Event()
        source = Calls(Sino.Flow.SOURCE, process=self.fill, negotiate=lambda inputs: Sino.Format.new_projections(
            Sino.Element.U8, 100000, 1, 100000, None))
        self.graph = graph_of(source, Calls(Sino.Flow.SINK, process=lambda *arguments: self.take(*arguments)))

    def fill(self, inputs, output):
        self.begun.set()
        time.sleep(0.02)
        return True

    def take(self, inputs, output):
        return True


def test_options():
    runner = Sino.Runner(memory="512M", threads=2, device="native")
    same((runner.props.memory, runner.props.threads, runner.props.device), ("512M", 2, "native"))
    same((Sino.Runner.new().props.memory, Sino.Runner.new().props.threads, Sino.Runner.new().props.device), ("", 0, ""))
    graph = graph_of(ArraySource(scan()), ArraySink())
    for memory in ("512M", "1.5GiB", "80%"):
        Sino.Runner(memory=memory, device="native").run(graph, None)
    for memory in ("lots", "-1", "0", "101%", "512Q"):
        raises(Code.BAD_PROPERTY, f"memory wants a size such as 512M, 2G or 80%, got '{memory}'", Sino.Runner(memory=memory).run, graph, None)
    for memory in ("lots", "80%", "0"):
        raises(Code.BAD_PROPERTY, f"device-memory wants a size such as 512M or 2G, got '{memory}'", Sino.Runner(device_memory=memory).run, graph, None)
    raises(Code.BAD_PROPERTY, "no switch 'pined': did you mean 'pinned'?", Sino.Runner(switches="pined=off").run, graph, None)
    Sino.Runner(device_memory="1G", slice_share=0.7, switches="read-ahead=off,overlap=off", device="native").run(graph, None)
    raises(Code.DEVICE, "no device 'cl:99'", Sino.Runner(device="cl:99").check, graph)
    raises(Code.MEMORY, "", Sino.Runner(memory="1M", device="native").run, graph, None)
    same((Sino.Runner().props.watchdog, Sino.Runner().props.on_device_error), (0, "continue"))
    raises(Code.BAD_PROPERTY, "on-device-error wants continue or stop, got 'go'", Sino.Runner(on_device_error="go").run, graph, None)
    Sino.Runner(watchdog=5, device="native").run(graph, None)
    raises(Code.BAD_GRAPH, "nothing to verify", Sino.Runner(verify=3, device="native").run, graph, None)
    foreign = graph_of("simulate", Affine(factor=1), "reconstruct", "null")
    raises(Code.BAD_GRAPH, "'ApiTestAffine' is written in C or Python", Sino.Runner(verify=3, device="native").check, foreign)


def test_every_option_is_kept():
    """Each has its default until it is set, keeps what is set, and goes back. Costs some milliseconds."""
    values = {"confine": ("", "folder"), "memory": ("", "512M"), "threads": (0, 1024), "device": ("", "native"), "device-memory": ("", "1G"),
              "slice-share": (0.5, 0.1), "switches": ("", "pinned=off"), "resume": (False, True), "trace": ("", "trace.json"), "report": ("", "report.html"),
              "strict": (False, True), "on-device-error": ("continue", "stop"), "verify": (0, 1000000), "watchdog": (0, 1e-3),
              "mpi": (False, True)}
    runner = Sino.Runner()
    same({spec.name for spec in runner.list_properties()}, values.keys())
    for round in range(2):
        same({name: runner.get_property(name) for name in values}, {name: default for name, (default, _) in values.items()})
        for name, (_, other) in values.items():
            runner.set_property(name, other)
        same({name: runner.get_property(name) for name in values}, {name: other for name, (_, other) in values.items()})
        for name, (default, _) in values.items():
            runner.set_property(name, default)


def test_changes_of_options_are_notified():
    runner, changed = Sino.Runner(device="native"), []
    runner.connect("notify", lambda _, spec: changed.append(spec.name))
    runner.props.device, runner.props.threads, runner.props.memory = "native", 0, ""
    same(changed, [])
    runner.props.threads, runner.props.memory = 3, "1G"
    same(changed, ["threads", "memory"])


def test_strict():
    """A run whose axis is in doubt ends before it writes anything, where that is wanted."""
    with tempfile.TemporaryDirectory() as folder:
        Sino.Runner(device="native").run(Sino.Graph.new_from_launch(f"phantom width=32 height=3 ! write path={folder}/flat.tif"), None)
        graph = Sino.Graph.new_from_launch(f"read path={folder}/flat.tif axes=projections angles=0:180 ! find-axis ! write path={folder}/out.h5")
        levels = []
        runner = Sino.Runner(device="native", strict=True)
        raises(Code.FAILED, "'find-axis': the axis was not found, because there are fewer than 8 projections", runner.run, graph, None)
        raises(Code.FAILED, "give the axis, as axis=16, or leave --strict out", runner.check, graph)
        same(sorted(os.listdir(folder)), ["flat.tif", "flat.tif.sums"])
        runner.props.strict = False
        runner.connect("message", lambda _, node, level, text: levels.append((node, level)))
        runner.run(graph, None)
        check(("find-axis", Sino.MessageLevel.WARNING) in levels, levels)


def test_confined():
    with tempfile.TemporaryDirectory() as folder:
        inside = os.path.join(folder, "inside")
        os.mkdir(inside)
        runner = Sino.Runner(device="native", confine=inside)
        for path in (f"{folder}/out.tif", f"{inside}/../out.tif"):
            graph = Sino.Graph.new_from_launch(f"phantom width=16 height=2 ! write path={path}")
            for call in (runner.run, graph, None), (runner.check, graph), (runner.plan, graph):
                raises(Code.BAD_FILE, f"'write': '{path}'", *call)
        runner.run(Sino.Graph.new_from_launch(f"phantom width=16 height=2 ! write path={inside}/out.tif"), None)
        same((sorted(os.listdir(inside)), os.listdir(folder)), (["out.tif", "out.tif.sums"], ["inside"]))
        raises(Code.BAD_FILE, "cannot confine a run to", Sino.Runner(confine=f"{folder}/none", device="native").check, graph)


def test_check():
    calls = []
    sink = Calls(Sino.Flow.SINK, start=lambda: calls.append("start") or True, process=lambda *_: True)
    text = Sino.Runner(device="native").check(graph_of((ArraySource(scan()), "scan"), (sink, "sink")))
    check("scan" in text and "sink" in text, text)
    same(calls, [])
    raises(Code.BAD_GRAPH, "the graph has no nodes", Sino.Runner().check, Sino.Graph.new())


def test_plan():
    graph = graph_of((ArraySource(scan()), "scan"), (Affine(factor=0.5), "half"), (ArraySink(), "sink"))
    plan = Sino.Runner(device="native", threads=2, memory="1G").plan(graph).unpack()
    same((plan["threads"], [device["id"] for device in plan["devices"]]), (2, ["native"]))
    same(plan["memory"]["limit"], float(2**30))
    step, = plan["passes"]
    same([(stage["node"], stage["role"], stage["inputs"]) for stage in step["stages"]],
         [("scan", "task", []), ("half", "task", [0]), ("sink", "task", [1])])
    same([axis["axis"] for axis in step["stages"][1]["format"]["axes"]], ["angle", "row", "column"])
    same(step["stages"][1]["format"]["element"], "f32")
    check("pool-blocks" in step["stages"][1] and "pool-blocks" not in step["stages"][2], step)
    raises(Code.BAD_GRAPH, "the graph has no nodes", Sino.Runner().plan, Sino.Graph.new())


def test_result_does_not_depend_on_limits():
    """The work is cut otherwise, the bytes are the same."""
    data, results, cuts = scan(angles=500, rows=64, columns=256), set(), set()
    for memory in ("500M", "8G"):
        for threads in (1, 3):
            source, sink = ArraySource(data), ArraySink()
            graph = graph_of(source, Affine(factor=0.3), "interleave", sink)
            Sino.Runner(device="native", memory=memory, threads=threads).run(graph, None)
            results.add(sink.array.tobytes())
            cuts.add(len(source.asked))
    same(len(results), 1)
    want = (data.astype(numpy.float32) * 0.3 + 0.0).astype(numpy.float32).swapaxes(0, 1)
    check(results == {want.tobytes()}, "values differ")


def test_progress():
    reports, main = [], threading.get_ident()
    runner = Sino.Runner(device="native")
    runner.connect("progress", lambda r, *report: reports.append((threading.get_ident(), r is runner, *report)))
    slow = Calls(Sino.Flow.SINK, process=lambda *_: time.sleep(0.3) or True)
    runner.run(graph_of(ArraySource(scan(), "slices"), slow), None)
    check(len(reports) >= 2, f"only {len(reports)} reports")
    check(all(report[:2] == (main, True) for report in reports), "reported in another thread")
    fractions = [report[2] for report in reports]
    same(fractions, sorted(fractions))
    check(all(0 <= fraction <= 1 for fraction in fractions), fractions)
    same(reports[-1][2:5], (1.0, 7, 7))
    check(reports[-1][5] >= 0.3, "time since the beginning")


def test_cancel_from_a_thread():
    endless, cancellable = Endless(), Gio.Cancellable()
    canceller = threading.Thread(target=lambda: endless.begun.wait() and cancellable.cancel())
    canceller.start()
    raises(CANCELLED, "the run was cancelled", Sino.Runner(device="native").run, endless.graph, cancellable)
    canceller.join()


def test_cancel_from_the_progress_signal():
    endless, cancellable, runner = Endless(), Gio.Cancellable(), Sino.Runner(device="native")
    runner.connect("progress", lambda *_: cancellable.cancel())
    raises(CANCELLED, "the run was cancelled", runner.run, endless.graph, cancellable)


def test_cancel_from_a_task():
    endless, cancellable = Endless(), Gio.Cancellable()
    endless.take = lambda inputs, output: cancellable.cancel() or True
    raises(CANCELLED, "the run was cancelled", Sino.Runner(device="native").run, endless.graph, cancellable)


def test_a_task_that_was_cancelled():
    """Who waits for something with a cancellable of its own ends the run as if that had been cancelled."""
    cancellable = Gio.Cancellable()
    cancellable.cancel()
    for name in ("negotiate", "start", "process", "finish"):
        task = Calls(Sino.Flow.SINK, **{"process": lambda *_: True, name: lambda *_: cancellable.set_error_if_cancelled()})
        raises(CANCELLED, "", Sino.Runner(device="native").run, graph_of(ArraySource(scan()), task), None)


def test_cancelled_before():
    cancellable, sink = Gio.Cancellable(), ArraySink()
    cancellable.cancel()
    raises(CANCELLED, "the run was cancelled", Sino.Runner(device="native").run,
           graph_of(ArraySource(scan()), sink), cancellable)
    check("finish" not in sink.calls, "finished")


def in_background(runner, graph, cancellable=None, other=None):
    """Runs under a main loop; the result, the outcome of `other`, and what was reported by then."""
    loop, main, outcome, reports = GLib.MainLoop(), threading.get_ident(), [], []

    def done(source, result):
        same((source, threading.get_ident()), (runner, main))
        try:
            outcome.append(runner.run_finish(result))
        except GLib.Error as error:
            outcome.append(error)
        loop.quit()

    def report(_, fraction, *rest):
        check(threading.get_ident() == main, "another thread")
        check(not outcome, "reported after the end")
        reports.append(fraction)

    identity = runner.connect("progress", report)
    runner.run_async(graph, cancellable, done)
    if other:
        other()
    loop.run()
    runner.disconnect(identity)
    return outcome[0], reports


def test_run_async():
    runner, sink = Sino.Runner(device="native"), ArraySink()
    for _ in range(2):
        good, reports = in_background(runner, graph_of(ArraySource(scan()), sink))
        same(good, True)
        same(reports[-1], 1.0)
        check((sink.array == scan()).all(), "values differ")


def test_run_async_errors():
    runner = Sino.Runner(device="native")
    error, _ = in_background(runner, Sino.Graph.new())
    check(error.matches(Sino.error_quark(), Code.BAD_GRAPH), error)
    bad = Calls(Sino.Flow.SINK, process=lambda *_: False)
    error, _ = in_background(runner, graph_of(ArraySource(scan()), (bad, "bad")))
    check("'bad' (nodes+Calls): 'process' failed" in error.message, error)


def test_run_async_cancelled():
    endless, cancellable, runner = Endless(), Gio.Cancellable(), Sino.Runner(device="native")

    def meanwhile():
        endless.begun.wait()
        raises(Code.FAILED, "this runner is running already", runner.run, graph_of(ArraySource(scan()), ArraySink()), None)
        cancellable.cancel()

    error, _ = in_background(runner, endless.graph, cancellable, meanwhile)
    check(error.matches(Gio.io_error_quark(), CANCELLED), error)
    runner.run(graph_of(ArraySource(scan()), ArraySink()), None)  # free again


class Waiting:
    """A graph whose negotiation waits until it is released or cancelled, and fails where that takes too long."""

    def __init__(self, cancellable=None, sink=None):
        self.cancellable, self.begun, self.release = cancellable, threading.Event(), threading.Event()
        self.object, self.sink = ArraySource(scan()), sink or ArraySink()
        self.graph = graph_of((Calls(Sino.Flow.SOURCE, negotiate=self.negotiate, process=self.object.do_process), "source"),
                              self.sink)

    def negotiate(self, inputs):
        self.begun.set()
        for _ in range(500):
            if self.release.wait(0.01) or self.cancellable and self.cancellable.is_cancelled():
                return self.object.do_negotiate(inputs)
        raise error("nobody came")


def test_run_async_negotiates_in_the_background():
    """A main loop is not held up: neither by the call itself nor later, as windows that stay responsive need it."""
    waiting, ticks, times = Waiting(), [], [time.monotonic()]

    def tick():
        times.append(time.monotonic())
        ticks.append(waiting.begun.is_set() and not waiting.release.is_set())
        if ticks.count(True) == 20:
            waiting.release.set()
        return not waiting.release.is_set()

    GLib.timeout_add(5, tick)
    runner = Sino.Runner(device="native")
    good, _ = in_background(runner, waiting.graph, None, lambda: check(not waiting.release.is_set(), "it waited"))
    same((good, ticks.count(True)), (True, 20))
    longest = max(after - before for before, after in zip(times, times[1:]))
    check(longest < 2.5, f"the main loop stood still for {longest} s")  # 5 s if nobody came
    check((waiting.sink.array == scan()).all(), "values differ")


def test_cancel_in_negotiation():
    for run_in in "background", "this thread":
        cancellable, runner = Gio.Cancellable(), Sino.Runner(device="native")
        waiting = Waiting(cancellable)
        canceller = threading.Thread(target=lambda: waiting.begun.wait() and cancellable.cancel())
        canceller.start()
        if run_in == "background":
            failure, _ = in_background(runner, waiting.graph, cancellable)
            check(failure.matches(Gio.io_error_quark(), CANCELLED), failure)
        else:
            raises(CANCELLED, "the run was cancelled", runner.run, waiting.graph, cancellable)
        canceller.join()
        same((waiting.sink.calls, runner.get_statistics()), ([], None))
        runner.run(graph_of(ArraySource(scan()), ArraySink()), None)  # free again


def test_graph_changed_after_run_async():
    with tempfile.TemporaryDirectory() as folder:
        waiting, runner = Waiting(sink="write"), Sino.Runner(device="native")
        waiting.graph.set("write", "path", folder + "/before.tif")

        def meanwhile():
            waiting.graph.set("write", "path", folder + "/after.tif")
            waiting.graph.add_node("phantom", None)  # whose output goes nowhere
            runner.props.memory = "nonsense"
            waiting.begun.wait()
            raises(Code.FAILED, "this object is part of another active run", Sino.Runner(device="native").run,
                   graph_of(waiting.graph.get_task("source"), ArraySink()), None)
            waiting.release.set()

        good, _ = in_background(runner, waiting.graph, None, meanwhile)
        same((good, sorted(os.listdir(folder))), (True, ["before.tif", "before.tif.sums"]))


def test_statistics():
    runner = Sino.Runner(device="native")
    same(runner.get_statistics(), None)
    source = ArraySource(scan())
    runner.run(graph_of((source, "scan"), (ArraySink(), "sink")), None)
    statistics = runner.get_statistics().unpack()
    measured = {"energy-delay", "joules"} if statistics["energy"] else set()
    same(set(statistics), {"bottleneck", "devices", "energy", "energy-not-measured", "frames-done", "frames-total",
                           "memory-limit", "peak-memory", "planned-memory", "resident-memory", "running", "seconds", "tasks", "updates", "voxels"} | measured)
    same((statistics["voxels"], [*statistics["energy"], *statistics["energy-not-measured"]]), (0, ["CPU"]))
    check(all(statistics["energy"].values()) and all(statistics["energy-not-measured"].values()), statistics)
    tasks = {task["node"]: task for task in statistics["tasks"]}
    same(list(tasks), ["scan", "sink"])
    same((tasks["scan"]["blocks-out"], tasks["sink"]["blocks-in"]), (len(source.asked), len(source.asked)))
    check(statistics["seconds"] > 0 and statistics["peak-memory"] > 2**20, statistics)
    check(all(task["busy"] > 0 for task in tasks.values()), statistics)
    check(all(0 <= task["begin"] <= task["end"] <= statistics["seconds"] for task in tasks.values()), statistics)
    same((tasks["scan"]["counters"], tasks["scan"]["messages"]), ({}, []))
    [device] = statistics["devices"]
    same((device["device"], device["rows"]), ("native", scan().shape[1]))
    check(device["items"] > 0, device)


def test_voxels():
    runner = Sino.Runner(device="native")
    runner.run(Sino.Graph.new_from_launch("simulate width=16 height=3 projections=8 ! interleave ! back-project ! null"), None)
    statistics = runner.get_statistics().unpack()
    same((statistics["voxels"], statistics["updates"]), (3 * 16 * 16, 3 * 16 * 16 * 8))


def test_trace():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        runner = Sino.Runner(device="native", trace=path)
        same(runner.props.trace, path)
        runner.run(graph_of((ArraySource(scan()), "scan"), (ArraySink(), "sink")), None)
        with open(path) as file:
            names = {event["name"] for event in json.load(file)["traceEvents"] if event["ph"] == "X"}
        same(names, {"scan", "sink"})


if __name__ == "__main__":
    tap.main(globals())
