#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Tasks in Python: what their classes say, arrays of their blocks, and exceptions as errors of the run."""
import threading
import time

from pushed import *

import tap
from tap import check, raises, same

Code = Sino.Error


class Scale(Sino.Task):
    flow = Sino.Flow.POINT
    factor = GObject.Property(type=float, default=2)

    def do_negotiate(self, inputs):
        return inputs[0].with_element(Sino.Element.F32)

    def do_process(self, inputs, output):
        numpy.multiply(inputs[0].numpy(), self.factor, out=output.numpy())


def test_arrays_in_place():
    sink = ArraySink()
    run(ArraySource(scan()), Scale(factor=3), sink)
    check((sink.array == scan() * 3).all(), "values differ")


def test_inputs_are_read_only():
    class Writer(Scale):
        def do_process(self, inputs, output):
            inputs[0].numpy()[:] = 0

    raises(Code.FAILED, "ValueError: assignment destination is read-only", run, ArraySource(scan()), Writer(),
           ArraySink())


def test_what_a_class_says():
    class Join(Sino.Task):
        flow = Sino.Flow.POINT
        inputs = ("data", "mask")
        optional_inputs = ("weights",)

        def do_process(self, inputs, output):
            same(inputs[2], None)
            output.numpy()[:] = inputs[0].numpy() * inputs[1].numpy()

    sink = ArraySink()
    graph = graph_of(ArraySource(scan()), (Join(), "join"), sink)
    graph.add_task(ArraySource(scan() % 2), "mask")
    graph.connect("mask", "join", 1)
    Sino.Runner(device="native").run(graph)
    check((sink.array == scan() * (scan() % 2)).all(), "values differ")
    same(Join().get_flow(), Sino.Flow.POINT)


def test_registered_classes():
    class Doubled(Scale):
        __gtype_name__ = "PythonTestDoubled"

    Sino.Registry.register("doubled", Doubled)
    graph = Sino.Graph.launch("simulate width=16 height=4 projections=8 ! doubled factor=4 ! app-sink name=end")
    same(graph["doubled"].get_flow(), Sino.Flow.POINT)
    with Sino.Runner(device="native").run_async(graph):
        check(len(list(graph["end"])) > 0, "nothing came")


def test_replicable():
    """Calls overlap, each with its own arrays."""
    class Both(Sino.Task):
        flow = Sino.Flow.ROWS
        replicable = True
        together, inside, lock = 0, 0, threading.Lock()

        def do_process(self, inputs, output):
            with Both.lock:
                Both.inside += 1
                Both.together = max(Both.together, Both.inside)
            output.numpy()[:] = inputs[0].numpy() + 1
            time.sleep(0.02)
            with Both.lock:
                Both.inside -= 1

    data = scan(angles=512, rows=64, columns=512) % 1000
    sink = ArraySink()
    Sino.Runner(device="native", threads=2, memory="500M").run(graph_of(ArraySource(data), "interleave", Both(), sink))
    check((sink.array == data.swapaxes(0, 1) + 1).all(), "values differ")
    same(Both().get_flow(), Sino.Flow.ROWS)


def test_sink_without_a_format():
    """A sink need not say what it puts out; one that looks at its input need not repeat it."""
    class Sum(Sino.Task):
        flow = Sino.Flow.SINK

        def __init__(self):
            super().__init__()
            self.total, self.angles = 0, None

        def do_process(self, inputs, output):
            self.total += int(inputs[0].numpy().astype(int).sum())

    class Looks(Sum):
        def do_negotiate(self, inputs):
            self.angles = inputs[0].get_extent("angle")

    data = scan(angles=9, rows=3, columns=32)
    for sink, angles in (Sum(), None), (Looks(), 9):
        run(ArraySource(data), sink)
        same((sink.total, sink.angles), (int(data.astype(int).sum()), angles))


def test_live():
    class Camera(Sino.Task):
        """Its blocks are asked for once and in order; unlock ends the wait for one that does not come."""
        flow = Sino.Flow.SOURCE
        live = True

        def __init__(self, most=1000):
            super().__init__()
            self.most, self.first, self.begun, self.stop = most, [], threading.Event(), threading.Event()

        def do_negotiate(self, inputs):
            return Sino.Format.new_projections(Sino.Element.U16, 20, 512, 512, None)

        def do_process(self, inputs, output):
            if len(self.first) == self.most:
                self.begun.set()
                self.stop.wait()
                return
            output.numpy()[:] = len(self.first)
            self.first.append(output.get_first_angle())

        def do_unlock(self):
            self.stop.set()

    camera, sink = Camera(), ArraySink()
    same(camera.get_flow(), Sino.Flow.SOURCE_ONCE)
    run(camera, sink)
    same(camera.first, sorted(camera.first))
    camera = Camera(most=1)
    with Sino.Runner(device="native").run_async(graph_of(camera, ArraySink())) as under_way:
        check(camera.begun.wait(20), "it did not begin")
        begun = time.monotonic()
        under_way.cancel()
    check(time.monotonic() - begun < 5, "nobody woke it")
    try:
        class Filter(Sino.Task):
            flow = Sino.Flow.POINT
            live = True
    except TypeError as error:
        same(str(error), "Filter is live, but not a source: live = True wants flow = Sino.Flow.SOURCE")
    else:
        raise AssertionError("a filter was live")


def fails_in(name, exception):
    def function(*_):
        raise exception

    task = Calls(Sino.Flow.SINK, **{"process": lambda *_: True, name: function})
    return raises(Code.FAILED, "'bad' (nodes+Calls): ", run, ArraySource(scan()), (task, "bad")).message


def test_exceptions_have_their_traceback():
    for name in ("negotiate", "start", "process", "finish"):
        lines = fails_in(name, ValueError("oops")).splitlines()
        same(lines[:2], ["'bad' (nodes+Calls): ValueError: oops", "Traceback (most recent call last):"])
        check(lines[2].endswith(f", in do_{name}") and "nodes.py" in lines[2], lines)
        check(any("python-tasks.py" in line and line.endswith(", in function") for line in lines), lines)
        same(lines[-1], "ValueError: oops")


def test_causes_are_told():
    def process(inputs, output):
        try:
            {}["key"]
        except KeyError as error:
            raise RuntimeError("no such thing") from error

    text = raises(Code.FAILED, "RuntimeError: no such thing", run, ArraySource(scan()),
                  Calls(Sino.Flow.SINK, process=process)).message
    check("KeyError: 'key'" in text and "direct cause" in text, text)


def test_exits_are_errors():
    for exception in (SystemExit(3), KeyboardInterrupt()):
        check(type(exception).__name__ in fails_in("process", exception), "type")


def test_subclasses_may_catch():
    class Base(Scale):
        def do_process(self, inputs, output):
            raise ValueError("first")

    class Catching(Base):
        caught = 0

        def do_process(self, inputs, output):
            try:
                super().do_process(inputs, output)
            except ValueError:
                Catching.caught += 1
            output.numpy()[:] = 0

    run(ArraySource(scan()), Catching(), ArraySink())
    check(Catching.caught > 0, "it came as another error")


def test_arrays_of_the_output_are_not_kept():
    class Keeper(Scale):
        def do_process(self, inputs, output):
            self.kept = output.numpy()
            self.kept[:] = 0

    raises(Code.FAILED, "do_process keeps an array of the block that it filled", run, ArraySource(scan()), Keeper(),
           ArraySink())

    class Circle(Scale):
        def do_process(self, inputs, output):
            circle = [output.numpy()]
            circle.append(circle)
            circle[0][:] = 0

    run(ArraySource(scan()), Circle(), ArraySink())


def test_nothing_is_success():
    calls = []
    task = Calls(Sino.Flow.SINK, start=lambda: calls.append("start"), process=lambda *_: calls.append("process"),
                 finish=lambda: calls.append("finish"))
    run(ArraySource(scan()), task)
    same((calls[0], calls[-1]), ("start", "finish"))


tap.main(globals())
