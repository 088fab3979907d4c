#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Sources that give arrays, and descriptions of nodes, through introspection."""
import gi

gi.require_version("Sino", "1.0")
import numpy
import tap
from gi.repository import GLib, Sino
from tap import check, raises, same

VALUES = numpy.arange(2 * 3 * 4, dtype=numpy.uint16).reshape(2, 3, 4)


def source(format, values):
    made = Sino.AppArray.new()
    made.set(format, GLib.Bytes.new(values.tobytes()))
    return made


def through(made, *nodes):
    """What a graph of these nodes gives for a source."""
    graph = Sino.Graph.new()
    last = graph.add_task(made, "array")
    for node in (*nodes, "app-sink"):
        graph.connect(last, graph.add_node(node, node), 0)
        last = node
    graph.set("app-sink", whole=True)
    for _ in range(2):  # the array is there for the next run, too
        with Sino.Runner(device="native").run_async(graph):
            values = graph["app-sink"].pull().numpy()
    return values


def test_kinds():
    for make in Sino.Format.new_projections, Sino.Format.new_sinograms:
        same(through(source(make(Sino.Element.U16, 2, 3, 4, None), VALUES)).tolist(), VALUES.tolist())
    slices = Sino.Format.new_slices(Sino.Element.U16, 2, 3, 4, None)
    same(through(source(slices, VALUES), "flip").tolist(), VALUES[:, :, ::-1].tolist())
    projections = Sino.Format.new_projections(Sino.Element.U16, 2, 3, 4, None)
    same(through(source(projections, VALUES), "interleave").tolist(), VALUES.swapaxes(0, 1).tolist())


def test_darks_and_flats():
    made = source(Sino.Format.new_projections(Sino.Element.U16, 2, 3, 4, Sino.Geometry.new([0, 90])), 100 + VALUES)
    made.add_darks(GLib.Bytes.new(numpy.full((2, 3, 4), 100, numpy.uint16).tobytes()), 0)
    made.add_flats(GLib.Bytes.new(numpy.full((3, 3, 4), 1100, numpy.uint16).tobytes()), 2)
    got = through(made, "flat-field")[1]
    check(numpy.abs(got + numpy.log(VALUES[1] / 1000)).max() < 1e-5, got)


def test_next_array():
    """It begins without the darks and flats of the one before, and its geometry has to be of its projections."""
    two = Sino.Format.new_projections(Sino.Element.U16, 2, 3, 4, Sino.Geometry.new([0, 90]))
    made = source(two, 100 + VALUES)
    for level in 1100, 2100:
        made.set(two, GLib.Bytes.new((100 + VALUES).tobytes()))
        made.add_darks(GLib.Bytes.new(numpy.full((1, 3, 4), 100, numpy.uint16).tobytes()), 0)
        made.add_flats(GLib.Bytes.new(numpy.full((1, 3, 4), level, numpy.uint16).tobytes()), 0)
        got = through(made, "flat-field")[1]
        check(numpy.abs(got + numpy.log(VALUES[1] / (level - 100))).max() < 1e-5, (level, got))
    wrong = Sino.Format.new_projections(Sino.Element.U16, 2, 3, 4, Sino.Geometry.new([0, 1, 2]))
    raises(Sino.Error.BAD_FORMAT, "3 angles, but there are 2 projections", made.set, wrong, GLib.Bytes.new(VALUES.tobytes()))


def test_errors():
    format = Sino.Format.new_slices(Sino.Element.U16, 2, 3, 4, None)
    made = Sino.AppArray.new()
    raises(Sino.Error.BAD_FORMAT, "48", made.set, format, GLib.Bytes.new(b"1234"))
    raises(Sino.Error.BAD_PROPERTY, "there is no array", made.add_darks, GLib.Bytes.new(b"12"), 0)
    graph = Sino.Graph.new()
    graph.connect(graph.add_task(made, "values"), graph.add_node("null", None), 0)
    raises(Sino.Error.BAD_PROPERTY, "'values'", Sino.Runner(device="native").run, graph)
    made.set(format, GLib.Bytes.new(VALUES.tobytes()))
    raises(Sino.Error.BAD_FORMAT, "belong to projections", made.add_flats, GLib.Bytes.new(b"12"), 0)
    made.set(Sino.Format.new_projections(Sino.Element.U16, 2, 3, 4, None), GLib.Bytes.new(VALUES.tobytes()))
    raises(Sino.Error.BAD_FORMAT, "whole number of frames", made.add_flats, GLib.Bytes.new(b"12"), 0)


def test_description():
    said = Sino.Registry.describe("median").unpack()
    same((said["name"], said["output"], said["inputs"]), ("median", True, [{"name": "data", "optional": False}]))
    size = next(facts for facts in said["properties"] if facts["name"] == "size")
    same((size["type"], size["default"], size["minimum"], size["maximum"]), ("integer", 3, 3, 15))
    raises(Sino.Error.NOT_FOUND, "medain", Sino.Registry.describe, "medain")


tap.main(globals())
