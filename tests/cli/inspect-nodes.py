#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""'inspect' of nodes, for people and as JSON. usage: inspect-nodes.py SINOGRAPH"""
import json
import os
import re

import tap
from program import call, fails, matches
from tap import same


def inspect(node):
    status, out, error = call("inspect", node, "--json")
    same((status, error), (0, ""))
    return json.loads(out)


def fits(node):
    """'u16 projections': 'f32 projections' of what a node takes and gives."""
    def words(format):
        return f"{format['element']} {format['kind']}" if format else None

    return {words(fit.get("takes")): words(fit.get("gives")) for fit in inspect(node)["formats"]}


def test_list():
    status, out, error = call("inspect", "--json")
    same((status, error), (0, ""))
    nodes = {node["name"]: node for node in json.loads(out)}
    same(list(nodes), re.findall(r"^  ([a-z0-9-]+) ", call("inspect")[1], flags=re.M))
    for name in "test-filter", "back-project", "graph":
        same(nodes[name], inspect(name))


def test_where_it_comes_from():
    node = inspect("test-filter")
    same((node["type"], os.path.basename(node["module"])), ("SinoTestFilter", "test-nodes.so"))
    same(node["summary"], "Copies blocks, or fails on purpose")
    same("page" in node, False)
    same("module" in inspect("graph"), False)  # it is the library's own
    pages = {**os.environ, "SINOGRAPH_PAGES": os.environ["SINO_PAGES"]}
    page = json.loads(call("inspect", "back-project", "--json", env=pages)[1])["page"]
    assert os.path.exists(page) and page.endswith("/filters/back-project.md"), page
    matches(rf"\n  Page +{re.escape(page)}\n", call("inspect", "back-project", env=pages)[1])


def test_devices():
    same(inspect("back-project")["devices"], ["native", "opencl"])
    same(inspect("find-axis")["devices"], ["native"])
    # What stands for others runs on what these do.
    reconstruct = inspect("reconstruct")
    same((reconstruct["composite"], "devices" in reconstruct), (True, False))


def test_ports():
    node = inspect("test-join")
    same(node["inputs"], [{"name": "left", "optional": False}, {"name": "right", "optional": False},
                          {"name": "more", "optional": True}])
    same((node["output"], inspect("test-sink")["output"]), (True, False))
    same(inspect("simulate")["inputs"], [])
    assert "graph file" in inspect("graph")["inputs-unknown"]


def test_formats():
    """What nodes say is what they do in a graph: tests/unit/signatures.cpp."""
    same(fits("back-project"), {"f16 sinograms": "f32 slices", "f32 sinograms": "f32 slices"})
    same(fits("half-pack"), {f"f32 {kind}": f"f16 {kind}" for kind in ("projections", "sinograms", "slices", "data")})
    same(fits("interleave")["u16 projections"], "u16 sinograms")
    same(fits("flat-field")["u16 projections"], "f32 projections")  # with darks and flats
    same(fits("cone-back-project"), {"f32 projections": "f32 slices"})  # of a cone, filtered
    same(fits("reconstruct"), {"f32 projections": "f32 slices", "f32 sinograms": "f32 slices"})
    same(fits("phantom"), {None: "f32 slices"})
    same(set(fits("null").values()), {None})
    same(inspect("null")["formats"][0]["takes"]["axes"], ["angle", "row", "column"])
    same(fits("try-axes"), {"f32 sinograms": "f32 slices"})  # whose axis= has to be set first
    same({fit["gives"]["element"] for fit in inspect("rescale")["formats"]}, {"u8", "u16", "f32"})
    node = inspect("test-stall")
    same((node["formats"], node["formats-unknown"]), ([], "the node does not describe its formats"))
    assert "graph file" in inspect("graph")["formats-unknown"]


def test_properties():
    properties = {p["name"]: p for p in inspect("test-filter")["properties"]}
    same(properties["count"], {"name": "count", "type": "integer", "default": 3, "minimum": 1, "maximum": 32,
                               "blurb": "A bounded integer", "live": False})
    same(properties["any"], {"name": "any", "type": "integer", "default": 0, "blurb": "An integer without bounds",
                             "live": False})
    same(properties["window"], {"name": "window", "type": "choice", "default": "none", "choices": ["none", "hann", "hamming"],
                                "blurb": "A choice", "live": False})
    same((properties["on"]["default"], properties["note"]["default"], properties["fraction"]["default"]), (True, 'a "note"', 0.5))
    for node in json.loads(call("inspect", "--json")[1]):
        for known in node["properties"]:
            assert known["blurb"] and known["type"] in ("number", "integer", "boolean", "choice", "string"), known


def test_text():
    module = inspect("test-join")["module"]
    same(call("inspect", "test-join")[1], f"""test-join: Adds two streams, and a third if there is one

  Type     SinoTestJoin
  Module   {module}
  Runs on  native

Inputs:
  0  left
  1  right
  2  more (optional)

Takes and gives, with suitable properties:
  u8, u16, f16, f32 projections (angle, row, column) -> the same elements, projections (angle, row, column)
  u8, u16, f16, f32 sinograms (row, angle, column) -> the same elements, sinograms (row, angle, column)
  u8, u16, f16, f32 slices (z, y, x) -> the same elements, slices (z, y, x)

No properties.
""")
    out = call("inspect", "test-filter")[1]
    matches(r"\n  count +A bounded integer\n +integer: 1 to 32\. Default: 3\n", out)
    matches(r"\n  window +A choice\n +choice: none, hann, hamming\. Default: \"none\"\n", out)
    matches(r"\nNo output\.\n\nTakes, with suitable properties:\n  u8, u16, f16, f32 projections \(angle, row, column\)\n",
            call("inspect", "null")[1])
    matches(r"\nTakes and gives: not known: the node does not describe its formats\n", call("inspect", "test-stall")[1])
    matches(r"\nNo inputs\.\n\nGives, with suitable properties:\n  f32 slices \(z, y, x\)\n", call("inspect", "phantom")[1])
    for name in re.findall(r"^  ([a-z0-9-]+) ", call("inspect")[1], flags=re.M):
        status, out, error = call("inspect", name)
        same((name, status, error), (name, 0, ""))
        body = out.partition("\nformats to ")[0].partition("\nProperties:\n")[2]  # the lines of formats are long
        assert all(len(line) <= 100 for line in body.splitlines()), out


def test_wrong():
    fails(2, "no node 'test-jon': did you mean 'test-join'?", "inspect", "test-jon", "--json")
    fails(2, "--json and --markdown are for nodes", "inspect", "/", "--json")


tap.main(globals())
