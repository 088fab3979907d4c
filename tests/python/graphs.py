#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Graphs, streams of frames and blocks, runs in the background, and errors."""
import asyncio
import copy
import pickle
import tempfile
import threading
import time
import warnings
from pathlib import Path

import numpy
import scans
import sinograph
import tap
from tap import check, same

LINES = scans.lines(rows=8)
COUNTS, FLATS, DARKS = scans.counts(LINES)
LINE = "app-source name=camera frames=90 ! flat-field ! reconstruct axis=32 ! app-sink name=slices"


def streaming(**properties):
    graph = sinograph.Graph(LINE)
    graph.set("slices", **properties)
    camera = graph["camera"]
    camera.push_darks(DARKS)
    camera.push_flats(FLATS)
    return graph, camera


def wanted():
    return sinograph.reconstruct(COUNTS, axis=32, flats=FLATS, darks=DARKS, device="native")


def fails(code, words, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except sinograph.Error as error:
        same(error.code, code)
        check(words in error.message, error.message)
        return error
    raise AssertionError("no error")


def test_push_and_pull():
    for copies in True, False:
        graph, camera = streaming()
        pieces, rows = [], []
        with graph.start("native"):
            for frame in COUNTS:
                camera.push(frame, copy=copies)
            for block in graph["slices"].blocks():
                pieces.append(block.array)
                rows += block.rows
        same(rows, list(range(8)))
        check(numpy.array_equal(numpy.concatenate(pieces), wanted()), "other bytes than those of the array")
        same((camera.pushed, camera.dropped), (90, 0))


def test_push_before_and_again():
    graph, camera = streaming(whole=True)
    for _ in range(2):
        camera.push(COUNTS)
        graph.run("native")
        check(numpy.array_equal(graph["slices"].pull(), wanted()), "other bytes")
        same(graph["slices"].pull(), None)
        camera.begin()


def test_push_waits_for_room():
    graph, camera = streaming(whole=True)
    graph.set("camera", max_buffers=3)
    pusher = threading.Thread(target=lambda: [camera.push(frame) for frame in COUNTS])
    pusher.start()
    with graph.start("native"):
        check(numpy.array_equal(graph["slices"].pull(), wanted()), "other bytes")
    pusher.join()
    graph.set("camera", block=False)
    camera.begin()
    for frame in COUNTS[:3]:
        camera.push(frame)
    for copies in True, False:
        fails(sinograph.Code.MEMORY, "no room", camera.push, COUNTS[3], copy=copies)


def test_numbers_and_angles():
    graph, camera = streaming(whole=True)
    graph.set("camera", missing="skip", own_angles=True)
    for i in range(90):
        if i != 7:
            camera.push(COUNTS[i], number=i, angle=2 * i)
    camera.end()
    graph.run("native")
    scans.check_discs(graph["slices"].pull()[3])


def test_frames_in_any_order():
    """Those that are lost are made from those beside them; nothing is copied."""
    graph, camera = streaming(whole=True)
    graph.set("camera", order="any", missing="interpolate")
    numbers = [number for number in range(90) if number != 41]
    numbers.sort(key=lambda number: number * 7 % 30 + number)
    with graph.start("native"):
        for number in numbers + [3, 3]:
            camera.push(COUNTS[number], number=number, copy=number % 2 == 0)
        camera.end()
        got = graph["slices"].pull()
    same((camera.missing, camera.repeated, camera.late), ([41], 2, 0))
    counts = COUNTS.copy()
    counts[41] = numpy.round((COUNTS[40].astype(float) + COUNTS[42]) / 2)
    want = sinograph.reconstruct(counts, axis=32, flats=FLATS, darks=DARKS, device="native")
    check(numpy.abs(got - want).max() <= 1e-3 * numpy.abs(want).max(), f"differ by {numpy.abs(got - want).max()}")
    failing, camera = streaming()

    def lose():
        with failing.start("native"):
            for number in 0, 2:
                camera.push(COUNTS[number], number=number)
    same(fails(sinograph.Code.LOST_FRAME, "frame 1 is lost", lose).node, "camera")


def test_cancelled_waits_of_asyncio():
    """A wait that is given up loses no block, and ends soon. Both who await a run see its end."""
    async def main():
        graph, camera = streaming()
        sink = graph["slices"]
        for waiting in sinograph.aio.blocks(sink).__anext__(), sinograph.aio.push(camera, COUNTS):
            begun = time.monotonic()
            try:
                await asyncio.wait_for(waiting, 0.1)
            except asyncio.TimeoutError:
                pass
            check(time.monotonic() - begun < 60, "it did not end")
        run = graph.start("native")
        pushing = asyncio.create_task(sinograph.aio.push(camera, COUNTS[camera.pushed:]))
        pieces = [block.array async for block in sinograph.aio.blocks(sink)]
        await pushing

        async def ended():
            await run
        await asyncio.gather(ended(), ended())
        check(numpy.array_equal(numpy.concatenate(pieces), wanted()), "other bytes")
    asyncio.run(main())


def test_failing_functions_of_asyncio():
    """What the program's functions raise ends the run, as without asyncio."""
    async def main():
        await sinograph.aio.reconstruct(COUNTS, axis=32, flats=FLATS, darks=DARKS, device="native", progress=lambda *_: 1 / 0)
    try:
        asyncio.run(main())
    except ZeroDivisionError:
        return
    raise AssertionError("no error")


def test_geometry_of_a_source():
    graph, camera = streaming(whole=True)
    graph.set("camera", frames=0)
    camera.set_geometry(sinograph.Geometry(numpy.arange(90) * 2))
    for bad in numpy.arange(90), [0, 2], camera:
        try:
            camera.set_geometry(bad)
        except TypeError as error:
            check("sinograph.Geometry" in str(error) and type(bad).__name__ in str(error), error)
        else:
            raise AssertionError("it was taken")
    camera.push(COUNTS)
    graph.run("native")
    check(numpy.array_equal(graph["slices"].pull(), wanted()), "other bytes")


def test_asyncio():
    async def main():
        graph, camera = streaming()
        said, pieces = [], []
        run = graph.start("native", progress=lambda *news: said.append((threading.get_ident(), *news)))

        async def feed():
            for frame in COUNTS:
                await sinograph.aio.push(camera, frame)
        feeding = asyncio.create_task(feed())
        async for block in sinograph.aio.blocks(graph["slices"]):
            pieces.append(block.array)
        await feeding
        await run
        check(numpy.array_equal(numpy.concatenate(pieces), wanted()), "other bytes")
        check(said and said[-1][:2] == (threading.get_ident(), 1.0), said)
        volume, smooth = await asyncio.gather(
            sinograph.aio.reconstruct(COUNTS, axis=32, flats=FLATS, darks=DARKS, device="native"),
            sinograph.aio.filter("median", LINES, size=5, device="native"))
        check(numpy.array_equal(volume, wanted()), "other bytes")
        check(numpy.array_equal(smooth, sinograph.filters.median(LINES, size=5, device="native")), "other bytes")

        graph, camera = streaming()  # no frames come: it waits for ever
        run = graph.start("native")
        waiting = asyncio.ensure_future(run)
        await asyncio.sleep(0.05)
        waiting.cancel()
        try:
            await waiting
        except asyncio.CancelledError:
            check(run.done(), "the run goes on")
        else:
            raise AssertionError("no error")
    asyncio.run(main())


def test_cancelled_runs():
    graph, _ = streaming()
    run = graph.start("native")
    try:
        run.wait(0.01)
    except TimeoutError:
        run.cancel()
    try:
        run.wait()
    except sinograph.Cancelled:
        pass
    else:
        raise AssertionError("no error")
    graph, camera = streaming()
    try:
        with graph.start("native"):
            camera.push(COUNTS[0])
            raise KeyError("left")
    except KeyError:
        pass
    fails(sinograph.Code.FAILED, "cancelled", camera.push, COUNTS[1])


def test_building():
    graph = sinograph.Graph()
    graph.add_array(LINES, geometry=sinograph.Geometry(numpy.arange(90) * 2))
    same(graph.add("median", "smooth", size=5), "smooth")
    graph.add("app-sink", "out", whole=True)
    graph.connect("array", "smooth")
    graph.connect("smooth", "out", 0)
    same((list(graph), "smooth" in graph, "no" in graph), (["array", "smooth", "out"], True, False))
    same(graph.edges, [("array", "smooth", 0), ("smooth", "out", 0)])
    same((graph["smooth"]["size"], graph["smooth"]["direction"], graph["out"]["whole"]), (5, "frame", True))
    graph["smooth"]["size"] = numpy.int64(3)
    graph["smooth"]["direction"] = "angle"
    same((graph["smooth"]["size"], graph["smooth"]["direction"], graph["out"]["max-bytes"]), (3, "angle", 2.0**28))
    check("'smooth'" in graph.check("native"), graph.check("native"))
    same(graph.plan("native")["passes"][0]["number"], 1)
    with graph.start("native") as run:
        pass
    run = graph.start("native")
    while not run.done():
        time.sleep(0.001)
    run.wait(0)
    same((graph["out"].pull().shape, run.statistics()["running"]), (LINES.shape, False))


def test_node_with_a_bad_property():
    """It is not in the graph, and its name is free."""
    graph = sinograph.Graph()
    same([graph.add("median"), graph.add("median", size=5), graph.add("median")], ["median", "median-2", "median-3"])
    for name, other in (None, "median-4"), ("m", "m"):
        error = fails(sinograph.Code.BAD_PROPERTY, "3 to 15", graph.add, "median", name, size=99)
        same((error.node, error.property), (other, "size"))
        same(list(graph), ["median", "median-2", "median-3"])
    same((graph.add("median", "m", size=7), graph["m"]["size"], graph["m"].plugin), ("m", 7, "median"))
    fails(sinograph.Code.BAD_GRAPH, "named 'm'", graph.add, "median", "m")
    fails(sinograph.Code.NOT_FOUND, "nonsense", graph.add, "nonsense")
    line = sinograph.Graph("median ! null")
    built = sinograph.Graph()
    built.connect(built.add("median"), built.add("null"))
    same(built.to_json(), line.to_json())


def test_iteration():
    graph, camera = streaming()
    with graph.start("native"):
        camera.push(COUNTS)
        check(numpy.array_equal(numpy.concatenate(list(graph["slices"])), wanted()), "other bytes")


def test_copies():
    geometry = sinograph.Geometry(numpy.arange(9))
    check(copy.copy(geometry) is geometry and copy.deepcopy([geometry])[0] is geometry, "another geometry")
    graph = sinograph.Graph("phantom ! null")
    for function, one in (copy.copy, graph), (copy.deepcopy, graph), (pickle.dumps, graph), (pickle.dumps, geometry):
        try:
            function(one)
        except TypeError as error:
            check(type(one).__name__ in str(error), error)
        else:
            raise AssertionError("no error")


def test_files():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.json"
        graph = sinograph.Graph("phantom width=16 ! median size=5 ! null")
        graph.save(path)
        same(sinograph.Graph.from_file(path).to_json(), graph.to_json())
        same(sinograph.Graph.from_json(graph.to_json()).edges, graph.edges)
        fails(sinograph.Code.EXISTS, "graph.json", graph.save, path)


def test_errors():
    Code = sinograph.Code
    fails(Code.NOT_FOUND, "nonsense", sinograph.Graph, "read ! nonsense")
    error = fails(Code.BAD_PROPERTY, "wants", sinograph.Graph, "median name=m size=many ! null")
    same((error.node, error.property), ("m", "size"))
    json = '{"nodes": [{"plugin": "median", "name": "m", "properties": {"size": "many"}}], "edges": []}'
    error = fails(Code.BAD_PROPERTY, "wants", sinograph.Graph.from_json, json)
    same((error.node, error.property), ("m", "size"))
    error = fails(Code.BAD_FILE, "nowhere.h5", sinograph.Graph("read path=nowhere.h5 ! null").run, "native")
    same((error.node, error.property), ("read", None))
    error = fails(Code.BAD_FORMAT, "fed by", sinograph.Graph("phantom ! flat-field ! null").run, "native")
    same(error.node, "flat-field")
    error = fails(Code.BAD_GRAPH, "no node", sinograph.Graph("phantom ! null").__getitem__, "other")
    fails(Code.BAD_PROPERTY, "no property", sinograph.Graph("phantom ! null")["null"].__getitem__, "colour")
    fails(Code.DEVICE, "cl:97", sinograph.Graph("phantom ! null").run, "cl:97")
    graph, camera = streaming()
    same(fails(Code.BAD_FORMAT, "push array.astype", camera.push, LINES[0]).property, "element")
    fails(Code.BAD_FORMAT, "rows and columns", camera.push, COUNTS[0, :2])


def test_nul():
    """Text with a NUL is refused, with the name of what it is for: C would cut it."""
    graph = sinograph.Graph("phantom ! write name=w")
    for name, function, arguments, options in (
            ("path", graph.set, ["w"], {"path": "a\0b"}), ("path", graph.set, ["w"], {"path": b"a\0b"}),
            ("path", graph["w"].__setitem__, ["path", Path("a\0b")], {}), ("name", graph.add, ["median", "a\0b"], {}),
            ("size", graph.add, ["median"], {"size": "3\0"}), ("line", sinograph.Graph, ["phantom ! null\0"], {}),
            ("device", graph.run, ["native\0"], {}), ("memory", graph.check, ["native"], {"memory": "1G\0"})):
        try:
            function(*arguments, **options)
        except ValueError as error:
            check(str(error).startswith(f"{name}: ") and "NUL" in str(error), error)
        else:
            raise AssertionError(f"{name} was cut")
    same(graph["w"]["path"], "")


def test_options_of_runs():
    Code = sinograph.Code
    graph = sinograph.Graph("phantom width=16 ! null")
    for function in graph.run, graph.start, graph.check, graph.plan:
        for bad in -1, 1025, 1 << 40:
            same(fails(Code.BAD_PROPERTY, "0 to 1024", function, "native", threads=bad).property, "threads")
        for bad in 2.5, "2":
            try:
                function("native", threads=bad)
            except TypeError as error:
                check(str(error).startswith("threads: "), error)
            else:
                raise AssertionError(f"{bad} threads were taken")
        for bad in "many", "-1G", -1, float("nan"):
            fails(Code.BAD_PROPERTY, "memory", lambda: waited(function("native", memory=bad)))
        fails(Code.DEVICE, "5", lambda: waited(function(5)))
    graph.run("native", threads=numpy.int64(2), memory="1G")
    graph.run("native", threads=0, memory=1 << 30)


def waited(run):
    """Waits for what start () gives."""
    if isinstance(run, sinograph.Run):
        run.wait()


def test_messages_are_warnings():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        graph = sinograph.Graph("app-source name=s rows=4 columns=32 element=f32 frames=8 ! reconstruct ! null")
        graph["s"].push(numpy.ones((8, 4, 32), "f4"))
        graph.run("native")
    check(any(issubclass(one.category, sinograph.Doubt) and "axis" in str(one.message) for one in said), said)


def test_properties_during_a_run():
    graph, camera = streaming()
    with warnings.catch_warnings(record=True) as said, graph.start("native") as run:
        warnings.simplefilter("always")
        graph.set("slices", max_buffers=3)
        run.set_live("slices", max_bytes=2e8)
        same(len(said), 0)
        graph.set("slices", whole=True)
        check(len(said) == 1 and said[0].category is sinograph.Doubt and "slices: whole" in str(said[0].message), said)
        fails(sinograph.Code.BAD_PROPERTY, "whole", run.set_live, "slices", whole=True)
        run.cancel()
    graph.set("slices", whole=False)
    same(len(said), 1)


def test_facts():
    check("median" in sinograph.nodes() and "native" in sinograph.devices(), sinograph.devices())
    same(sinograph.describe("median")["inputs"], [{"name": "data", "optional": False}])
    check(sinograph.__version__.count(".") == 2, sinograph.__version__)


tap.main(globals())
