# SPDX-License-Identifier: LGPL-3.0-or-later
"""Tasks written in Python that the tests make graphs of."""
import gi

gi.require_version("Sino", "1.0")
import numpy
from gi.repository import GLib, GObject, Sino

TYPES = {Sino.Element.U8: numpy.uint8, Sino.Element.U16: numpy.uint16, Sino.Element.F16: numpy.float16,
         Sino.Element.F32: numpy.float32}
ELEMENTS = {numpy.dtype(kind): element for element, kind in TYPES.items()}
MAKERS = {"projections": Sino.Format.new_projections, "sinograms": Sino.Format.new_sinograms,
          "slices": Sino.Format.new_slices}


def values_of(block):
    return numpy.frombuffer(block.get_data(), TYPES[block.get_element()]).reshape(block.get_shape())


def region_of(block):
    """Where the block lies in an array of the whole stream."""
    shape, place = block.get_shape(), []
    for axis, extent in zip(block.get_format().get_axes(), shape):
        if axis in ("row", "z"):
            place.append(numpy.array(block.get_rows()))
        elif axis == "angle":
            place.append(numpy.arange(extent) + block.get_first_angle())
        else:
            place.append(numpy.arange(extent))
    return numpy.ix_(*place)


def error(message, code=Sino.Error.FAILED):
    return GLib.Error.new_literal(Sino.error_quark(), message, code)


class ArraySource(Sino.Task):
    """Puts out an array."""

    def __init__(self, array=None, kind="projections", once=False):
        super().__init__()
        self.set_flow(Sino.Flow.SOURCE_ONCE if once else Sino.Flow.SOURCE)
        self.array, self.kind, self.asked = array, kind, []

    def do_negotiate(self, inputs):
        assert inputs == []
        return MAKERS[self.kind](ELEMENTS[self.array.dtype], *self.array.shape, None)

    def do_process(self, inputs, output):
        assert inputs == [] and output.is_writable()
        self.asked.append((output.get_first_angle(), output.get_rows()))
        output.set_data(numpy.ascontiguousarray(self.array[region_of(output)]).tobytes())
        return True


class ArraySink(Sino.Task):
    """Takes a stream into an array."""

    def __init__(self):
        super().__init__()
        self.set_flow(Sino.Flow.SINK)
        self.array, self.taken, self.calls = None, None, []

    def do_negotiate(self, inputs):
        self.format = inputs[0]
        return inputs[0]

    def do_start(self):
        self.calls.append("start")
        self.array = numpy.zeros(self.format.get_shape(), TYPES[self.format.get_element()])
        self.taken = numpy.zeros(self.array.shape, int)
        return True

    def do_process(self, inputs, output):
        assert output is None and not inputs[0].is_writable()
        self.array[region_of(inputs[0])] = values_of(inputs[0])
        self.taken[region_of(inputs[0])] += 1
        return True

    def do_finish(self):
        self.calls.append("finish")
        return True


class Affine(Sino.Task):
    """factor * input + offset as f32."""
    __gtype_name__ = "ApiTestAffine"

    factor = GObject.Property(type=float, default=1.0, minimum=-1e6, maximum=1e6, nick="factor", blurb="multiplies")
    offset = GObject.Property(type=float, default=0.0, minimum=-1e6, maximum=1e6, nick="offset", blurb="is added")

    def do_negotiate(self, inputs):
        return inputs[0].with_element(Sino.Element.F32)

    def do_process(self, inputs, output):
        output.set_data((values_of(inputs[0]).astype(numpy.float32) * self.factor + self.offset)
                        .astype(numpy.float32).tobytes())
        return True


class Calls(Sino.Task):
    """Whose functions are given by the test."""

    def __init__(self, flow, negotiate=None, process=None, start=None, finish=None, inputs=None, optional=None):
        super().__init__()
        self.set_flow(flow)
        if inputs:
            self.set_inputs(inputs, optional)
        self.functions = {"negotiate": negotiate, "process": process, "start": start, "finish": finish}

    def call(self, name, *arguments):
        function = self.functions[name]
        return function(*arguments) if function else True

    def do_negotiate(self, inputs):
        return self.call("negotiate", inputs) if self.functions["negotiate"] else inputs[0]

    def do_process(self, inputs, output):
        return self.call("process", inputs, output)

    def do_start(self):
        return self.call("start")

    def do_finish(self):
        return self.call("finish")


def graph_of(*tasks):
    """A chain of objects and names of nodes, or of pairs (node, name)."""
    graph = Sino.Graph.new()
    before = None
    for task in tasks:
        task, name = task if isinstance(task, tuple) else (task, None)
        add = graph.add_node if isinstance(task, str) else graph.add_task
        node = add(task, name)
        if before:
            graph.connect(before, node, 0)
        before = node
    return graph


def run(*tasks):
    Sino.Runner(device="native").run(graph_of(*tasks), None)


def scan(angles=7, rows=10, columns=6, kind=numpy.uint16):
    """Values that tell where they come from: none is there twice."""
    return numpy.arange(angles * rows * columns).reshape(angles, rows, columns).astype(kind)
