#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Graph files as nodes: ports, messages, what runs and what is told of it. usage: graph-node.py SINOGRAPH"""
import json
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

import h5py
import tap
from draw import drawn
from program import call, fails, matches, need_opencl
from tap import same


def graph(*nodes, edges=()):
    """The JSON of nodes "plugin" or ("plugin", "name", properties), and of edges (from, to, input)."""
    described = [(node, node, {}) if isinstance(node, str) else node for node in nodes]
    return {"sinograph": 1,
            "nodes": [{"plugin": p, "name": n, "properties": properties} for p, n, properties in described],
            "edges": [{"from": {"name": a}, "to": {"name": b, "input": i}} for a, b, i in edges]}  # fmt: skip


@contextmanager
def files(**contents):
    """A folder with these graph files, as the working folder."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, content in contents.items():
                Path(f"{name}.json").write_text(content if isinstance(content, str) else json.dumps(content))
            yield
        finally:
            os.chdir(before)


PREPARE = graph(("ramp-filter", "ramp", {"window": "hann"}), "interleave", edges=[("ramp", "interleave", 0)])
SCAN = "simulate width=40 height=5 projections=30"


def values(path="out.h5"):
    with h5py.File(path) as file:
        return file["exchange/data"][:].tobytes(), json.loads(file["exchange/data"].attrs["provenance"])


def test_verified():
    """Slices are held against those of the same nodes, with what precision they are, also within a file."""
    need_opencl()
    for inner in drawn(("reconstruct precision=half", "reconstruct precision=half-storage", "reconstruct",
                        "reconstruct precision=half method=fourier"), 2):
        node = ("reconstruct", "r", dict(word.split("=") for word in inner.split()[1:]))
        with files(inner=graph(node)):
            for path in "graph path=inner.json", inner:
                status, _, error = call("launch", "--device=cl", "--verify=3", f"{SCAN} ! {path} ! write path=out.h5 overwrite=true")
                same((inner, status), (inner, 0))
                matches("3 slices were computed again on native, and differ by at most", error)


def test_same_bytes_as_written_out():
    with files(prepare=PREPARE, twice=graph(("graph", "a", {"path": "half.json"}), ("graph", "b", {"path": "half.json"}),
                                            edges=[("a", "b", 0)]), half=graph("test-filter")):  # fmt: skip
        for line, out in ((f"{SCAN} ! ramp-filter window=hann ! interleave ! back-project ! write path=plain.h5", "plain"),
                          (f"{SCAN} ! graph path=prepare.json ! back-project ! write path=node.h5", "node"),
                          (f"{SCAN} ! graph path=twice.json ! graph path=prepare.json name=p ! back-project ! "
                           "write path=nested.h5", "nested")):  # fmt: skip
            same(call("launch", "-q", line), (0, "", ""))
            same(values(f"{out}.h5")[0], values("plain.h5")[0])
        # The user's graph, and what became of it.
        told = values("node.h5")[1]
        same([node["name"] for node in told["graph"]["nodes"]], ["simulate", "graph", "back-project"])
        same(told["graph"]["nodes"][1]["properties"], {"path": "prepare.json"})
        same(list(told["expanded"]), ["graph"])
        same(told["expanded"]["graph"]["nodes"], [{"plugin": "ramp-filter", "name": "ramp", "properties": {"window": "hann"}},
                                                  {"plugin": "interleave", "name": "interleave"}])
        same(len(told["expanded"]["graph"]["edges"]), 1)
        assert "expanded" not in values("plain.h5")[1]
        same(list(values("nested.h5")[1]["expanded"]), ["graph", "graph/a", "graph/b", "p"])
        same(told["variants"].keys(), values("plain.h5")[1]["variants"].keys())
        # What comes after a branch does not count for the other.
        same(call("launch", "-q", f"{SCAN} name=s ! write path=scan.h5  s. ! graph path=prepare.json ! null"), (0, "", ""))
        assert "expanded" not in values("scan.h5")[1]


def test_what_is_told():
    with files(prepare=PREPARE):
        line = f"{SCAN} ! graph path=prepare.json name=prep ! back-project ! null"
        status, out, error = call("plan", line)
        same((status, error), (0, ""))
        matches(r"\n'prep' \(graph\): 2 nodes of prepare.json\npass 1", out)
        matches(r"\n  'prep/ramp' \(ramp-filter\) ", out)
        matches(r"\n  'prep/interleave' ", out)
        matches(r"'prep/ramp' \(ramp-filter\)", call("plan", "--dot", line)[1])
        status, out, error = call("check", line)
        same((status, error), (0, ""))
        matches(r"^'simulate': .*\n'prep' \(graph\): f32 sinograms \(row 5, angle 30, column 40\)\n'back-project'", out)
        status, out, error = call("launch", line, "--stats", "--trace", "trace.json")
        same((status, error.count("error")), (0, 0))
        matches(r"\nprep/ramp +[1-9]", out)
        assert "prep/interleave" in Path("trace.json").read_text()
        # A graph that holds the node can be kept and read again; the file it names stays a file.
        same(call("check", "-q", line, "--save", "kept.json"), (0, "", ""))
        same(json.loads(Path("kept.json").read_text())["nodes"][1]["properties"], {"path": "prepare.json"})
        same(call("run", "-q", "kept.json"), (0, "", ""))


def test_ports():
    join = graph("test-filter", "test-join", edges=[("test-filter", "test-join", 1)])
    both = graph(("test-filter", "a", {}), ("test-filter", "b", {}), "test-join",
                 edges=[("a", "test-join", 0), ("b", "test-join", 1)])  # fmt: skip
    source = graph("test-source", "test-filter", edges=[("test-source", "test-filter", 0)])
    # What sets two ports of a graph apart is also what a port of a graph within it is called.
    more = graph(("test-filter", "a", {}), ("test-filter", "b", {}), ("graph", "inner", {"path": "both.json"}),
                 ("test-join", "j", {}), ("test-join", "k", {}),
                 edges=[("a", "j", 0), ("b", "j", 1), ("j", "k", 0), ("inner", "k", 1)])  # fmt: skip
    with files(join=join, both=both, source=source, more=more):
        def runs(line):
            same(call("launch", "-q", line), (0, "", ""))

        runs("[test-source, test-source] ! graph path=join.json ! test-sink")
        runs("test-source ! g.left  test-source ! g.data  graph path=join.json name=g ! test-sink")
        runs("test-source ! g.b/data  test-source ! g.a/data  graph path=both.json name=g ! test-sink")
        runs("graph path=source.json ! test-sink")
        fails(2, "input 1 (left) of 'graph' is not connected", "check", "test-source ! graph path=join.json ! test-sink")
        fails(2, "column 29: 'g' (graph) has no input 2: its inputs are 0 (a/data), 1 (b/data)\n"
                 "  test-source ! test-filter ! g.2  graph path=both.json name=g ! test-sink\n"
                 "                              ^~~",
              "check", "test-source ! test-filter ! g.2  graph path=both.json name=g ! test-sink")  # fmt: skip
        status, _, error = call("check", "test-source ! g.9  graph path=more.json name=g ! test-sink")
        matches(r"its inputs are 0 \(a/data\), 1 \(b/data\), 2 \(inner/a/data\), 3 \(inner/b/data\)\n", error)
        line = "test-source ! graph path=source.json ! test-sink"
        fails(2, f"column 15: 'graph' has no inputs: 'test-source' cannot feed it\n  {line}\n                ^~~~~", "check", line)


def test_messages():
    def refused(message, path="x.json", status=2):
        graph_file = Path("top.json")
        graph_file.write_text(json.dumps(graph("test-source", ("graph", "g", {"path": path}), "test-sink",
                                               edges=[("test-source", "g", 0), ("g", "test-sink", 0)])))  # fmt: skip
        fails(status, f"'top.json': $.edges[0]: 'g' (graph): {message}", "check", "top.json")

    nested = graph(("graph", "inner", {"path": "y.json"}))
    with files(x=nested, y=graph(("graph", "again", {"path": "./x.json"}))):
        refused("path wants a graph file, before the node is connected", "")
        refused("'x.json': 'inner' (graph): 'y.json': 'again' (graph): the graph file contains itself: x.json > y.json > ./x.json")
        refused("cannot open graph 'z.json': No such file or directory", "z.json")
    with files(x=nested, y="{"):
        refused("'x.json': 'inner' (graph): 'y.json': line 1, column 2: the file ends where a key or '}' is expected")
    with files(x='{"nodes": []}'):
        refused("'x.json': no output is open: as a node, a graph must have one unconnected output, and no sinks")
    with files(x=graph("test-filter", "test-sink", edges=[("test-filter", "test-sink", 0)])):
        refused("'x.json': no output is open: as a node, a graph must have one unconnected output, and no sinks")
    with files(x=graph("test-filter", ("test-filter", "b", {}))):
        refused("'x.json': 2 outputs are open ('test-filter', 'b' (test-filter)): as a node, a graph must have one unconnected output")
    with files(x=graph(("test-filter", "f", {"count": 99}))):
        refused("'x.json': $.nodes[0].properties.count: 'f' (test-filter): property 'count' wants an integer from 1 to 32, got 99")
    with files(x=graph("test-filter", "test-join", "test-sink",
                       edges=[("test-filter", "test-join", 0), ("test-filter", "test-join", 1), ("test-filter", "test-sink", 0)])):  # fmt: skip
        fails(2, "'graph': 'test-sink' has no output: a node that stands for others must not hold sinks",
              "check", "test-source ! graph path=x.json ! test-sink")  # fmt: skip
    # Files in files in files: 17 of them.
    chain = {f"x{i}": graph(("graph", "g", {"path": f"x{i + 1}.json"})) for i in range(16)}
    with files(**chain, x16=graph("test-filter")):
        status, _, error = call("check", "test-source ! graph path=x0.json ! test-sink")
        same(status, 2)
        matches("'g' \\(graph\\): graph files within files, more than 16 levels: x0.json > x1.json > .* > x16.json\n", error)
        same(call("check", "-q", "test-source ! graph path=x1.json ! test-sink"), (0, "", ""))
    # 8 nodes of 8 nodes ...: more than any machine would hold.
    bomb = {f"x{i}": graph(*[("graph", f"g{n}", {"path": f"x{i + 1}.json"}) for n in range(8)],
                           edges=[(f"g{n}", f"g{n + 1}", 0) for n in range(7)]) for i in range(10)}  # fmt: skip
    with files(**bomb, x10=graph("test-filter")):
        status, _, error = call("check", "test-source ! graph path=x0.json ! test-sink")
        same(status, 2)
        matches("with the files that it contains it has more than 4096 nodes\n", error)


def test_inspect():
    matches("\nInputs depend on the properties: path wants a graph file", call("inspect", "graph")[1])
    same(json.loads(call("inspect", "graph", "--json")[1])["output"], True)


tap.main(globals())
