#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Graphs built, written and read from Python."""
import json
import os
import tempfile

from nodes import *

import tap
from tap import check, raises, same

Code = Sino.Error
Sino.Registry.register("api-affine", Affine)


class Counting(ArraySource):
    """A source that a graph file can name."""
    __gtype_name__ = "ApiTestCounting"

    def __init__(self):
        super().__init__(scan())


class Collect(ArraySink):
    __gtype_name__ = "ApiTestCollect"


Sino.Registry.register("api-counting", Counting)
Sino.Registry.register("api-collect", Collect)
LINE = "api-counting ! api-affine factor=0.5 name=half ! api-collect"


def result(graph):
    Sino.Runner(device="native").run(graph, None)
    return graph.get_task("api-collect").array.tobytes()


def test_nodes_and_edges():
    graph = Sino.Graph.new()
    same(graph.add_node("api-counting", "scan"), "scan")
    same(graph.add_node("api-affine"), "api-affine")
    same(graph.add_node("api-affine"), "api-affine-2")
    task = Affine()
    same(graph.add_task(task, None), "api-affine-3")
    same(graph.list_nodes(), ["scan", "api-affine", "api-affine-2", "api-affine-3"])
    check(graph.connect("scan", "api-affine", 0), "not connected")
    graph.connect("scan", "api-affine-3", 0)
    same(graph.list_edges().unpack(), [("scan", "api-affine", 0), ("scan", "api-affine-3", 0)])
    same(graph.get_plugin("scan"), "api-counting")
    same(graph.get_task("api-affine-3"), task)


def test_graph_errors():
    graph = graph_of((Counting(), "scan"), (Affine(), "half"), (Collect(), "sink"))
    raises(Code.NOT_FOUND, "no node 'interleaf': did you mean 'interleave'?", graph.add_node, "interleaf", None)
    raises(Code.BAD_GRAPH, "two nodes are named 'scan'", graph.add_node, "api-affine", "scan")
    raises(Code.BAD_GRAPH, "this object is in the graph already: it is node 'half' (api-affine)", graph.add_task,
           graph.get_task("half"), None)
    raises(Code.BAD_GRAPH, "no node is named 'hlaf': did you mean 'half'?", graph.get_task, "hlaf")
    raises(Code.BAD_GRAPH, "no node is named 'x'", graph.get_plugin, "x")
    raises(Code.BAD_GRAPH, "no node is named 'x'", graph.connect, "scan", "x", 0)
    raises(Code.BAD_GRAPH, "'sink' (api-collect) has no output", graph.connect, "sink", "half", 0)
    raises(Code.BAD_GRAPH, "'scan' (api-counting) has no inputs", graph.connect, "half", "scan", 0)
    raises(Code.BAD_GRAPH, "has no input 1: its inputs are 0 (data)", graph.connect, "scan", "half", 1)
    raises(Code.BAD_GRAPH, "is connected to 'scan' (api-counting) already", graph.connect, "scan", "half", 0)
    graph.add_task(Affine(), "second")
    raises(Code.BAD_GRAPH, "has a cycle", lambda: graph.connect("second", "second", 0))
    raises(Code.BAD_GRAPH, "input 0 (data) of 'second' (api-affine) is not connected", Sino.Runner().check, graph)


def test_properties():
    graph = graph_of(Counting(), (Affine(), "half"), "interleave", Collect())
    props = graph.get_task("half").props
    check(graph.set("half", "factor", "0.5"), "not set")
    same(props.factor, 0.5)
    for value in (2, 2.5):
        graph.set_value("half", "factor", value)
        same(props.factor, float(value))
    lanes = graph.get_task("interleave")
    graph.set_value("interleave", "lanes", "4")
    same(lanes.props.lanes.value_nick, "4")
    lanes.set_property("lanes", "16")
    same(lanes.props.lanes.value_nick, "16")
    graph.set_value("interleave", "lanes", lanes.props.lanes)  # the enumeration itself
    bad = Code.BAD_PROPERTY
    raises(bad, "'half' (api-affine): property 'factor' wants a number", graph.set, "half", "factor", "much")
    raises(bad, "'half' (api-affine): property 'factor' wants a number", graph.set_value, "half", "factor", "much")
    raises(bad, "property 'factor' wants a number from -1000000 to 1000000, got 2000000", graph.set_value, "half",
           "factor", 2e6)
    raises(bad, "no property 'fcator': did you mean 'factor'?", graph.set, "half", "fcator", "1")
    raises(bad, "property 'lanes' wants one of", graph.set, "interleave", "lanes", "3")
    raises(bad, "is not a number, boolean or string", graph.set_value, "half", "factor", GLib.Variant("d", 1.0))
    raises(Code.BAD_GRAPH, "no node is named 'x'", graph.set, "x", "factor", "1")
    same(props.factor, 2.5)


def test_numbers_beyond_those_of_json():
    class Large(Sino.Task):
        number = GObject.Property(type=GObject.TYPE_UINT64, minimum=0, maximum=2**64 - 1, nick="number", blurb="any")

    graph = graph_of("simulate", (Large(), "large"))
    for number in (2**63 - 1, 2**63, 2**64 - 1):
        graph.set_value("large", "number", GObject.Value(GObject.TYPE_UINT64, number))
        same(graph.get_task("large").props.number, number)
        raises(Code.BAD_PROPERTY, "'simulate': property 'width' wants an integer", graph.set_value, "simulate", "width",
               GObject.Value(GObject.TYPE_UINT64, number))
    for kind in (GObject.TYPE_UINT64, GObject.TYPE_ULONG):
        raises(Code.BAD_PROPERTY, "got '18446744073709551615'", graph.set_value, "simulate", "width",
               GObject.Value(kind, 2**64 - 1))


def test_launch_line():
    graph = Sino.Graph.new_from_launch(LINE)
    same(graph.list_nodes(), ["api-counting", "half", "api-collect"])
    same(graph.list_edges().unpack(), [("api-counting", "half", 0), ("half", "api-collect", 0)])
    same(result(graph), (scan() * numpy.float32(0.5)).astype(numpy.float32).tobytes())
    raises(Code.NOT_FOUND, "no node 'api-afine': did you mean 'api-affine'?", Sino.Graph.new_from_launch,
           "api-counting ! api-afine")
    raises(Code.BAD_GRAPH, "", Sino.Graph.new_from_launch, "api-counting ! ! api-collect")
    raises(Code.BAD_PROPERTY, "no property 'q'", Sino.Graph.new_from_launch, "api-affine q=1")


def test_graphs_of_ufo():
    """A line, JSON and a file of UFO's are read as the program reads them."""
    graph = Sino.Graph.new_from_launch("read path=a.tif ! fft dimensions=1 ! filter ! ifft dimensions=1 ! backproject axis-pos=3.5 ! "
                                       "write filename=b.tif")
    said = graph.to_json()
    check('"ramp-filter"' in said and '"back-project"' in said and '"fft"' not in said, said)
    theirs = json.dumps({"nodes": [{"plugin": p, "name": p, "properties": v} for p, v in (
        ("read", {"path": "a.tif"}), ("backproject", {"axis-pos": 3.5}), ("write", {"filename": "b.tif"}))],
        "edges": [{"from": {"name": a}, "to": {"name": b}} for a, b in (("read", "backproject"), ("backproject", "write"))]})
    said = Sino.Graph.new_from_json(theirs).to_json()
    check('"axis": "3.5"' in said, said)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "theirs.json")
        with open(path, "w") as file:
            file.write(theirs)
        same(Sino.Graph.new_from_file(path).to_json(), said)
    raises(Code.BAD_GRAPH, "UFO's 'dummy-data'", Sino.Graph.new_from_launch, "dummy-data ! backproject ! null")


def test_json_round_trip():
    graph = Sino.Graph.new_from_launch(LINE)
    text = graph.to_json()
    same(json.loads(text)["edges"][0], {"from": {"name": "api-counting"}, "to": {"name": "half", "input": 0}})
    again = Sino.Graph.new_from_json(text)
    same(again.to_json(), text)
    same(again.get_task("half").props.factor, 0.5)
    same(result(again), result(graph))


def test_json_file():
    graph = Sino.Graph.new_from_launch(LINE)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "graph.json")
        check(graph.save(path), "not saved")
        same(Sino.Graph.new_from_file(path).to_json(), graph.to_json())
        raises(Code.EXISTS, path, graph.save, path)
        missing = os.path.join(folder, "missing.json")
        raises(Code.BAD_FILE, missing, Sino.Graph.new_from_file, missing)
    raises(Code.BAD_GRAPH, "", Sino.Graph.new_from_json, "{")


def test_file_as_node():
    """A graph file as a node: connected once it has its path; the file is read then, and counts no more after that."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "part.json")
        Sino.Graph.new_from_launch("api-affine factor=0.5 name=half ! api-affine factor=3").save(path)
        graph = Sino.Graph.new_from_launch("api-counting name=scan")
        same(graph.add_node("graph", "part"), "part")
        graph.add_node("api-collect")
        raises(Code.BAD_PROPERTY, "'part' (graph): path wants a graph file, before the node is connected", graph.connect, "scan",
               "part", 0)  # fmt: skip
        graph.set_value("part", "path", path)
        graph.connect("scan", "part", 0)
        graph.connect("part", "api-collect", 0)
        raises(Code.BAD_GRAPH, "'part' (graph) has no input 1: its inputs are 0 (data)", graph.connect, "scan", "part", 1)
        os.unlink(path)
        plain = Sino.Graph.new_from_launch("api-counting ! api-affine factor=0.5 ! api-affine factor=3 ! api-collect")
        same(result(graph), result(plain))
        same([node["plugin"] for node in json.loads(graph.to_json())["nodes"]], ["api-counting", "graph", "api-collect"])


def test_reconstruction_in_fourier_space():
    """Both nodes, made as objects with properties, give the same slices; what they refuse is an error here, too."""
    def slices(node, **properties):
        sink = ArraySink()
        graph = graph_of("simulate", "interleave", node, sink) if node == "fourier-reconstruct" else graph_of("simulate", node, sink)
        for name, value in {"width": 48, "height": 5, "projections": 30}.items():
            graph.get_task("simulate").set_property(name, value)
        for name, value in properties.items():
            graph.get_task(node).set_property(name, value)
        Sino.Runner(device="native").run(graph, None)
        return sink.array

    both = {"accuracy": 2e-4, "axis": "23.5", "mask": True}
    one, other = slices("fourier-reconstruct", **both), slices("reconstruct", method="fourier", **both)
    same((one.shape, one.dtype, one.tobytes() == other.tobytes()), ((5, 48, 48), numpy.float32, True))
    check(numpy.abs(one).max() > 0.01 and one[0, 0, 0] == 0, one)
    raises(Code.BAD_PROPERTY, "roi-x=48 is outside the slice", lambda: slices("fourier-reconstruct", roi_x=48))
    raises(Code.BAD_PROPERTY, "method=fourier does not have interpolation=nearest",
           lambda: slices("reconstruct", method="fourier", interpolation="nearest"))


def test_accuracy_of_a_cone():
    """A choice by accuracy, set on the object, is in the JSON; on the CPU the slices of all but 'fast' are the same."""
    def slices(accuracy):
        sink = ArraySink()
        graph = graph_of("simulate", "cone-weight", "ramp-filter", "cone-back-project", sink)
        for name, value in {"width": 24, "height": 6, "projections": 20, "angles": "0:360", "source-origin": 100.0, "origin-detector": 50.0}.items():
            graph.get_task("simulate").set_property(name, value)
        if accuracy:
            graph.get_task("cone-back-project").set_property("accuracy", accuracy)
            same(json.loads(graph.to_json())["nodes"][3].get("properties", {}), {} if accuracy == "auto" else {"accuracy": accuracy})
        Sino.Runner(device="native").run(graph, None)
        return sink.array.tobytes()

    same({slices(accuracy) == slices(None) for accuracy in ("auto", "exact")}, {True})


def test_changes_after_the_snapshot():
    """Nodes added while a graph runs are no part of that run."""
    graph = Sino.Graph.new_from_launch("api-counting ! api-collect")

    def process(inputs, output):
        graph.add_node("api-affine", None)
        return True

    graph.add_task(Calls(Sino.Flow.SINK, process=process), "sink")
    graph.connect("api-counting", "sink", 0)
    before = len(graph.list_nodes())
    Sino.Runner(device="native").run(graph, None)
    check(len(graph.list_nodes()) > before, "nothing was added")


def test_each_run_looks_for_itself():
    """What a node saw of one scan is not taken for what another one is."""
    for node, changes in {
            "find-axis again=true": {"axis": (28.0, 34.5)},
            "dynamic-flats components=2": {"seed": (1, 2), "projections": (60, 90)},
            "correct-dose width=6": {"drift": (0.1, 0.6), "projections": (60, 90)},
    }.items():
        rest = ["flat-field", node] if "flats" not in node else [node, "flat-field"]
        line = " ! ".join(["simulate width=64 height=8 projections=60 photons=10000 darks=1 flats=9", *rest, "reconstruct", "api-collect"])
        for name, values in changes.items():
            graph, results = Sino.Graph.new_from_launch(line), []
            for value in values:
                fresh = Sino.Graph.new_from_launch(line)
                for each in graph, fresh:
                    each.set_value("simulate", name, value)
                results.append(result(graph))
                same((node, name, value, results[-1] == result(fresh)), (node, name, value, True))
            check(results[0] != results[1], f"{name} changes nothing")


def test_precision():
    """The properties of a node that the project brings, from Python: another value, and another slice."""
    line = "simulate width=65 height=19 projections=80 ! ramp-filter ! interleave ! back-project ! api-collect"
    graph = Sino.Graph.new_from_launch(line)
    back_project = graph.get_task("back-project")
    same(back_project.props.precision.value_nick, "single")

    def slices(precision, interpolation="linear"):
        back_project.set_property("precision", precision)
        graph.set_value("back-project", "interpolation", interpolation)
        return numpy.frombuffer(result(graph), numpy.float32).astype(float)

    single = slices("single")
    for precision in ("half-storage", "half", "int16", "auto"):
        error = numpy.sqrt(numpy.mean((slices(precision) - single)**2) / numpy.mean(single**2))
        check(1e-6 < error < 5e-4, f"{precision}: {error}")
    for interpolation in ("nearest", "oversample"):
        check(not numpy.array_equal(slices("single", interpolation), single), f"{interpolation} is linear")


def test_resume():
    """A run that came to its end and is asked for again has nothing to do; that of another graph is refused."""
    line = "simulate width=24 height=5 projections=30 ! reconstruct ! write path={}/s%i.tif"
    with tempfile.TemporaryDirectory() as folder:
        graph, runner = Sino.Graph.new_from_launch(line.format(folder)), Sino.Runner(device="native", resume=True)
        for blocks in 5, 0:
            runner.run(graph, None)
            check((runner.get_statistics().unpack()["tasks"][-1]["blocks-in"] > 0) == (blocks > 0), "other blocks")
            same(len(os.listdir(folder)), 7)  # slices, their checksums, the journal
        graph.set_value("simulate", "axis", "11")
        raises(Code.EXISTS, "had another graph", runner.run, graph, None)
        raises(Code.BAD_PROPERTY, "'api-counting': needs all work items in order", runner.run,
               Sino.Graph.new_from_launch(LINE), None)


if __name__ == "__main__":
    tap.main(globals())
