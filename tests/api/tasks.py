#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Every flow of tasks written in Python, against NumPy on whole arrays."""
import queue
import tempfile
import threading

import h5py
import numpy
from gi.repository import Gio
from nodes import *

import tap
from tap import check, same


def equal(sink, want):
    check((sink.taken == 1).all(), "values were taken never or twice")
    same(sink.array.shape, want.shape)
    same(sink.array.dtype, want.dtype)
    check((sink.array == want).all(), "values differ")  # exactly: the same operations on the same numbers


def test_source_and_sink():
    for kind in ("projections", "sinograms", "slices"):
        for dtype in (numpy.uint8, numpy.uint16, numpy.float16, numpy.float32):
            array, sink = scan(4, 5, 6, dtype), ArraySink()
            run(ArraySource(array, kind), sink)
            equal(sink, array)
            same(sink.calls, ["start", "finish"])


def test_point():
    sink, affine = ArraySink(), Affine(factor=0.5)
    affine.props.offset = 3
    run(ArraySource(scan()), affine, sink)
    equal(sink, (scan() * numpy.float32(0.5) + numpy.float32(3)).astype(numpy.float32))


def test_default_negotiation_passes_the_format_on():
    class Copy(Sino.Task):
        def do_process(self, inputs, output):
            output.set_data(inputs[0].get_data())
            return True

    sink = ArraySink()
    run(ArraySource(scan()), Copy(), sink)
    equal(sink, scan())


def test_rows_from_interleaved_projections():
    """Sinograms to slices: what a reconstruction is."""
    weights = numpy.arange(7, dtype=numpy.float32)[:, None]

    def process(inputs, output):
        sinograms = values_of(inputs[0]).astype(numpy.float32)
        same(inputs[0].get_rows(), output.get_rows())
        same(sinograms.shape[1:], (7, 6))
        lines = (sinograms * weights).sum(axis=1)
        output.set_data((lines[:, :, None] * lines[:, None, :]).tobytes())
        return True

    sink = ArraySink()
    filter = Calls(Sino.Flow.ROWS, process=process, negotiate=lambda inputs: Sino.Format.new_slices(
        Sino.Element.F32, inputs[0].get_extent("row"), 6, 6, None))
    run(ArraySource(scan()), "interleave", filter, sink)
    lines = (scan().astype(numpy.float32) * weights[:, None]).sum(axis=0)
    equal(sink, lines[:, :, None] * lines[:, None, :])  # integers below 2^24: exact in f32


def test_lanes_are_taken_apart():
    """Rows that lie side by side in memory reach Python as plain sinograms, and go back."""
    for lanes in ("1", "4", "16"):
        sink, affine = ArraySink(), Affine(factor=2)
        graph = graph_of(ArraySource(scan()), "interleave", affine, sink)
        graph.set("interleave", "lanes", lanes)
        Sino.Runner(device="native").run(graph, None)
        equal(sink, (scan().swapaxes(0, 1) * 2).astype(numpy.float32))


def test_whole_projections():
    """Each row of the result needs all rows, also when the work is cut into rows further on."""
    def process(inputs, output):
        projections = values_of(inputs[0])
        same(inputs[0].get_rows(), list(range(10)))
        same(output.get_rows(), list(range(10)))
        output.set_data(numpy.ascontiguousarray(projections[:, ::-1]).tobytes())
        return True

    for chain in ([], ["interleave"]):
        sink = ArraySink()
        run(ArraySource(scan()), Calls(Sino.Flow.PROJECTION, process=process), *chain, sink)
        want = scan()[:, ::-1]
        equal(sink, want.swapaxes(0, 1) if chain else want)


def accumulator(negotiate, add):
    def process(inputs, output):
        block = values_of(inputs[0])
        total = values_of(output).copy()
        check(inputs[0].get_first_angle() > 0 or not total.any(), "the first block must find zeros")
        output.set_data(add(total, block).astype(total.dtype).tobytes())
        return True

    return Calls(Sino.Flow.ACCUMULATE, negotiate=negotiate, process=process)


def mean_of(n):
    return accumulator(
        lambda inputs: inputs[0].with_element(Sino.Element.F32).with_extent("angle", 1).with_geometry(None),
        lambda total, block: total + block.astype(numpy.float32).sum(axis=0, keepdims=True) / numpy.float32(n))


def test_accumulate():
    sink = ArraySink()
    run(ArraySource(scan(angles=8)), mean_of(8), sink)
    equal(sink, scan(angles=8).mean(axis=0, keepdims=True).astype(numpy.float32))  # eighths: exact


def test_accumulate_sinograms():
    highest = accumulator(
        lambda inputs: Sino.Format.new_slices(Sino.Element.U16, inputs[0].get_extent("row"), 1, 6, None),
        lambda total, block: numpy.maximum(total, block.max(axis=1, keepdims=True)))
    sink = ArraySink()
    run(ArraySource(scan()), "interleave", highest, sink)
    equal(sink, scan().max(axis=0)[:, None, :])


def subtract():
    def process(inputs, output):
        same(inputs[0].get_rows(), inputs[1].get_rows())
        a, b = (values_of(block).astype(numpy.float32) for block in inputs)
        output.set_data((a - b).tobytes())
        return True

    return Calls(Sino.Flow.POINT, negotiate=lambda inputs: inputs[0].with_element(Sino.Element.F32), process=process,
                 inputs=["data", "less"])


def test_join_in_step():
    sink = ArraySink()
    graph = graph_of((ArraySource(scan()), "scan"), (Affine(factor=0.5), "half"), (subtract(), "less"), sink)
    # half - scan: the filter is the first input
    graph.connect("scan", "less", 1)
    Sino.Runner(device="native").run(graph, None)
    equal(sink, -0.5 * scan(kind=numpy.float32))


def test_join_with_an_average():
    """The second input has one angle: it comes as a whole beside each block of the first."""
    sink = ArraySink()
    graph = graph_of((ArraySource(scan(angles=8)), "scan"), (subtract(), "less"), sink)
    graph.add_task(mean_of(8), "mean")
    graph.connect("scan", "mean", 0)
    graph.connect("mean", "less", 1)
    Sino.Runner(device="native").run(graph, None)
    data = scan(angles=8, kind=numpy.float32)
    equal(sink, data - data.mean(axis=0, keepdims=True))


def within(seconds, graph):
    """A run that may hang: it is cancelled, and fails, after this time."""
    cancellable = Gio.Cancellable()
    timer = threading.Timer(seconds, cancellable.cancel)
    timer.start()
    Sino.Runner(device="native").run(graph, cancellable)
    timer.cancel()


def test_join_with_neighbours():
    """What is made of later projections leaves later: the stream beside it has to wait. Pools hold few blocks."""
    data = (scan(64, 1024, 1024) % 251).astype(numpy.uint16)
    for first in True, False:
        sink = ArraySink()
        graph = graph_of((ArraySource(data), "scan"), (subtract(), "less"), sink) if first else \
            graph_of((ArraySource(data), "scan"), ("median", "median"), (subtract(), "less"), sink)
        if first:
            graph.add_node("median", "median")
            graph.connect("scan", "median", 0)
        graph.set("median", "direction", "angle")
        graph.set("median", "size", "15")
        graph.connect("median" if first else "scan", "less", 1)
        within(60, graph)
        near = numpy.pad(data, ((7, 7), (0, 0), (0, 0)), "edge")
        medians = numpy.stack([numpy.median(near[i:i + 15, ::100], axis=0) for i in range(len(data))])
        difference = data[:, ::100] - medians.astype(numpy.float32)
        numpy.testing.assert_array_equal(sink.array[:, ::100], difference if first else -difference)


def test_join_with_a_longer_stream():
    """What comes as a whole may have more blocks than are in flight at once; each stream is cut in its own way."""
    data, mask = scan(50, 40, 100), (scan(12000, 40, 100) % 251).astype(numpy.uint16)
    total = mask.sum(axis=0, dtype=numpy.uint16)  # unsigned numbers: the order does not matter

    def process(inputs, output):
        same(inputs[0].get_rows(), inputs[1].get_rows())
        whole = values_of(inputs[1]).sum(axis=inputs[1].get_format().get_axes().index("angle"), dtype=numpy.uint16)
        block = values_of(inputs[0])
        output.set_data((block + (whole if inputs[0].get_shape()[1] == len(whole) else whole[:, None])).tobytes())
        return True

    for first, second in ([], []), ([], ["interleave"]), (["interleave"], []), (["interleave"], ["interleave"]):
        source, longer, sink = ArraySource(data), ArraySource(mask), ArraySink()
        join = Calls(Sino.Flow.POINT, process=process, inputs=["data", "mask"])
        graph = graph_of(source, *first, (join, "join"), sink)
        before = graph.add_task(longer, "mask")
        for name in second:
            node = graph.add_node(name, "second")
            graph.connect(before, node, 0)
            before = node
        graph.connect(before, "join", 1)
        within(60, graph)
        check(len(longer.asked) > 4, "the stream was not cut into blocks, so nothing was tried")
        want = data + total
        equal(sink, want.swapaxes(0, 1) if first else want)


def test_optional_input():
    def process(inputs, output):
        same(len(inputs), 2)
        same(inputs[1], None)
        output.set_data(inputs[0].get_data())
        return True

    seen, sink = [], ArraySink()
    task = Calls(Sino.Flow.POINT, process=process, inputs=["data"], optional=["mask"],
                 negotiate=lambda inputs: seen.append(inputs[1]) or inputs[0])
    run(ArraySource(scan()), task, sink)
    equal(sink, scan())
    check(seen and not any(seen), "an input that is not connected has no format")


def test_source_that_is_read_once():
    source, sink = ArraySource(scan(), once=True), ArraySink()
    run(source, "interleave", Affine(), sink)
    equal(sink, scan().swapaxes(0, 1).astype(numpy.float32))
    same([first for first, _ in source.asked], sorted({first for first, _ in source.asked}))
    check(all(rows == list(range(10)) for _, rows in source.asked), "a part of a projection was asked for")


def test_one_output_feeds_several_tasks():
    sinks = [ArraySink(), ArraySink()]
    graph = graph_of((ArraySource(scan()), "scan"), (sinks[0], "first"))
    graph.add_task(sinks[1], "second")
    graph.connect("scan", "second", 0)
    Sino.Runner(device="native").run(graph, None)
    for sink in sinks:
        equal(sink, scan())


def test_geometry_of_a_scan():
    formats = []
    sink = Calls(Sino.Flow.SINK, negotiate=lambda inputs: formats.append(inputs[0]) or inputs[0])
    graph = graph_of("simulate", sink)
    for name, word in {"width": "16", "projections": "8", "angles": "-90:90", "axis": "7.25"}.items():
        graph.set("simulate", name, word)
    Sino.Runner().check(graph)
    geometry = formats[0].get_geometry()
    # Through radians and back: a few roundings.
    check(numpy.allclose(geometry.get_angles(), numpy.arange(-90, 90, 22.5), rtol=0, atol=1e-13), geometry.get_angles())
    same(geometry.get_axis(), [7.25])


def test_scan_without_angles():
    """They are unknown, not wrong: the geometry has none."""
    formats = []
    keep = Calls(Sino.Flow.SINK, negotiate=lambda inputs: formats.append(inputs[0]) or inputs[0])
    with tempfile.TemporaryDirectory() as folder:
        path, sink = f"{folder}/scan.tif", ArraySink()
        written = graph_of(ArraySource(scan()), "write")
        written.set("write", "path", path)
        Sino.Runner(device="native").run(written, None)
        graph = graph_of("read", sink)
        graph.set("read", "path", path)
        graph.add_task(keep, "keep")
        graph.connect("read", "keep", 0)
        Sino.Runner(device="native").run(graph, None)
    equal(sink, scan())
    same(formats[0].get_geometry().get_angles(), [])


def test_blocks_that_are_kept():
    """A block outlives the run with its values, and keeping all of them stops nothing."""
    kept = []
    sink = Calls(Sino.Flow.SINK, process=lambda inputs, output: kept.append(inputs[0]) or True)
    data = scan(angles=2000, rows=40, columns=50)
    source = Calls(Sino.Flow.SOURCE, negotiate=lambda inputs: MAKERS["projections"](Sino.Element.U16, *data.shape, None))

    def fill(inputs, output):
        output.set_data(numpy.ascontiguousarray(data[region_of(output)]).tobytes())
        kept.append(output)
        return True

    source.functions["process"] = fill
    runner = Sino.Runner(device="native", memory="600M")
    runner.run(graph_of(source, sink), None)
    check(len(kept) > 4, "the stream was not cut into blocks, so nothing was tried")
    total = numpy.zeros(data.shape, int)
    for block in kept:
        check(not block.is_writable(), "the run is over")
        check((values_of(block) == data[region_of(block)]).all(), "values were lost")
        total[region_of(block)] += 1
    check((total == 2).all(), "each value is in a block of the source and of the sink")


def test_blocks_read_in_another_thread():
    """A block has its values also at the moment when the run takes its memory back and fills it with others."""
    blocks, wrong = queue.Queue(), []

    def compare():
        while block := blocks.get():
            for _ in range(3):
                values = block.get_data()
                each = len(values) // block.get_shape()[0]
                for i in range(block.get_shape()[0]):
                    value = block.get_first_angle() + i
                    if values.count(value, i * each, (i + 1) * each) != each:
                        wrong.append(value)

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/scan.h5"
        with h5py.File(path, "w") as file:  # a projection is filled with its number
            file["exchange/data"] = numpy.repeat(numpy.arange(100, dtype=numpy.uint8), 10**6).reshape(100, 1000, 1000)
        graph = Sino.Graph.new_from_launch(f"read path={path} angles=0:180")
        graph.add_task(Calls(Sino.Flow.SINK, process=lambda inputs, _: blocks.put(inputs[0]) or True), "sink")
        graph.connect("read", "sink", 0)
        threads = [threading.Thread(target=compare) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(3):
                Sino.Runner(device="native", memory="900M").run(graph, None)
        finally:
            for _ in threads:
                blocks.put(None)
            for thread in threads:
                thread.join()
    same(wrong, [])


def test_writing_in_place():
    import ctypes

    def process(inputs, output):
        count = int(numpy.prod(output.get_shape()))
        out = numpy.ctypeslib.as_array((ctypes.c_uint16 * count).from_address(output.get_pointer()))
        numpy.add(values_of(inputs[0]).ravel(), 1, out=out)
        check(not inputs[0].get_pointer(), "an input was given to write")
        return True

    sink = ArraySink()
    run(ArraySource(scan()), Calls(Sino.Flow.POINT, process=process), sink)
    equal(sink, scan() + numpy.uint16(1))


if __name__ == "__main__":
    tap.main(globals())
