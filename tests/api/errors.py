#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What goes wrong inside tasks written in Python becomes an error of the run that names the node."""
from nodes import *

import tap
from tap import check, raises, same

Code = Sino.Error


def fails(code, message, *tasks):
    for _ in range(2):  # the objects can be used again
        raises(code, message, run, *tasks)


def thrower(exception):
    def function(*_):
        raise exception

    return function


def test_errors_keep_message_and_code():
    good = lambda inputs, output: output.set_data(inputs[0].get_data())
    bad = thrower(error("the lamp is off", Code.DEVICE))
    for name in ("negotiate", "start", "process", "finish"):
        task = Calls(Sino.Flow.POINT, **{"process": good, name: bad})
        fails(Code.DEVICE, "'ffc' (nodes+Calls): the lamp is off", ArraySource(scan()), (task, "ffc"), ArraySink())


def test_other_domains_keep_the_message():
    bad = thrower(GLib.Error.new_literal(GLib.quark_from_string("my-domain"), "no such thing", 7))
    fails(Code.FAILED, "'nodes+Calls': no such thing", ArraySource(scan()), Calls(Sino.Flow.SINK, process=bad))


def test_errors_in_the_middle_of_a_run():
    data, seen = scan(angles=3000, rows=60, columns=50), []

    def process(inputs, output):
        seen.append(inputs[0].get_rows())
        if len(seen) == 2:
            raise error("enough")
        return True

    # The first sink would take all: it must be stopped.
    other = ArraySink()
    graph = graph_of((ArraySource(data), "scan"), (other, "other"))
    graph.add_task(Calls(Sino.Flow.SINK, process=process), "second")
    graph.connect("scan", "second", 0)
    raises(Code.FAILED, "'second' (nodes+Calls): enough", Sino.Runner(device="native").run, graph, None)
    same(len(seen), 2)
    same(other.calls, ["start"])  # finish is for runs that went well


def test_failures_without_a_reason():
    """Exceptions have one: python-tasks.py."""
    for name in ("start", "process", "finish"):
        task = Calls(Sino.Flow.SINK, **{name: lambda *_: False})
        fails(Code.FAILED, f"'nodes+Calls': '{name}' failed without saying why: it must return true",
              ArraySource(scan()), task)
    fails(Code.FAILED, "'nodes+Calls': 'negotiate' gave no format and did not say why",
          ArraySource(scan()), Calls(Sino.Flow.POINT, negotiate=lambda inputs: None), ArraySink())


def test_nothing_implemented():
    class Empty(Sino.Task):
        def __init__(self, flow):
            super().__init__()
            self.set_flow(flow)

    fails(Code.FAILED, "does not implement 'process'", ArraySource(scan()), Empty(Sino.Flow.POINT), ArraySink())
    fails(Code.FAILED, "is a source that does not implement 'negotiate'", Empty(Sino.Flow.SOURCE), ArraySink())


def test_formats_that_do_not_fit_the_flow():
    bad = Code.BAD_FORMAT
    source = lambda: ArraySource(scan())
    wider = lambda inputs: inputs[0].with_extent("row", 11)
    fails(bad, "a point filter must keep axes, rows and angles: it takes u16 projections (angle 7, row 10, column 6) and gives u16 "
               "projections (angle 7, row 11, column 6)", source(), Calls(Sino.Flow.POINT, negotiate=wider), ArraySink())
    fails(bad, "wants sinograms or slices (put 'interleave' before it)", source(), Calls(Sino.Flow.ROWS), ArraySink())
    fails(bad, "a filter of whole projections wants projections", source(), "interleave",
          Calls(Sino.Flow.PROJECTION), ArraySink())
    fails(bad, "as many rows as the input", source(), Calls(Sino.Flow.ACCUMULATE, negotiate=wider), ArraySink())
    fails(bad, "a source that can be read only once must give projections", ArraySource(scan(), "slices", once=True), ArraySink())
    fails(bad, "a stream with a 'z' axis is needed", source(),
          Calls(Sino.Flow.POINT, negotiate=lambda inputs: inputs[0].with_extent("z", 1)), ArraySink())


def test_absurd_extents():
    for shape in (2**40, 2**40, 2**40), (2**62, 1, 1), (1, 2**62, 1), (1, 1, 2**62), (2**62, 2**62, 2**62), (1, 1, 2**55):
        source = Calls(Sino.Flow.SOURCE, process=lambda *_: True,
                       negotiate=lambda inputs: Sino.Format.new_projections(Sino.Element.U16, *shape, None))
        raises(Code.BAD_FORMAT, "'huge' (nodes+Calls): gives u16 projections (angle {}, row {}, column {}): a stream must stay below 64.0 "
                                "PiB, check its extents".format(*shape), Sino.Runner().check,
               graph_of((source, "huge"), ArraySink()))


def test_inputs_with_other_rows():
    graph = graph_of(ArraySource(scan()), (Calls(Sino.Flow.POINT, inputs=["data", "mask"]), "join"), ArraySink())
    graph.add_task(ArraySource(scan(rows=9)), "mask")
    graph.connect("mask", "join", 1)
    raises(Code.BAD_FORMAT, "'join' (nodes+Calls), fed by 'nodes+ArraySource', 'mask': input 'mask' is u16 projections (angle 7, "
           "row 9, column 6), which has other rows than 'data'", Sino.Runner().check, graph)


def test_flows_with_one_input():
    for flow, what, end in ((Sino.Flow.PROJECTION, "a filter of whole projections", [ArraySink()]),
                            (Sino.Flow.ACCUMULATE, "a task that accumulates", [ArraySink()]),
                            (Sino.Flow.SINK, "a sink", [])):
        for inputs, optional in ((["data", "mask"], None), (["data"], ["mask"])):
            task = Calls(flow, process=lambda *_: True, inputs=inputs, optional=optional)
            raises(Code.BAD_FORMAT, f"'two' (nodes+Calls), fed by 'scan', 'scan': {what} has one input, but 2 were named ('data', 'mask'): "
                   "join the streams before it, in a task whose flow is point or rows", Sino.Runner().check,
                   connected(graph_of((ArraySource(scan()), "scan"), (task, "two"), *end)))


def connected(graph):
    """With both inputs of the node 'two'."""
    graph.connect("scan", "two", 1)
    return graph


def test_inputs_cannot_be_written():
    def process(inputs, output):
        return inputs[0].set_data(inputs[0].get_data())

    fails(Code.FAILED, "'nodes+Calls': this block is shared with other tasks: it can only be read",
          ArraySource(scan()), Calls(Sino.Flow.SINK, process=process))


def counts(*filters):
    """A scan that brings flats along, and flat-field after some filters."""
    graph = graph_of("simulate", *filters, "flat-field", ArraySink())
    for name, word in {"width": "16", "height": "4", "projections": "8", "flats": "2", "type": "u16"}.items():
        graph.set("simulate", name, word)
    return graph


def test_values_that_were_changed_are_known():
    Sino.Runner(device="native").run(counts(), None)
    raises(Code.BAD_FORMAT, "'flat-field', fed by 'ApiTestAffine': 'ApiTestAffine' has changed the counts already", Sino.Runner().check,
           counts(Affine()))


def test_flats_of_other_pixels_are_dropped():
    cut = Calls(Sino.Flow.POINT, negotiate=lambda inputs: inputs[0].with_range("column", 2, 10, 1))
    raises(Code.BAD_FORMAT, "'flat-field', fed by 'nodes+Calls': no flats", Sino.Runner().check, counts(cut))


def test_one_object_in_two_runs():
    """The second run is refused, the first goes on."""
    outcome = []

    def process(inputs, output):
        if not outcome:
            outcome.append(None)
            outcome[0] = raises(Code.FAILED, "'nodes+Calls': this object is part of another active run",
                                run, ArraySource(scan()), task)
        return True

    task = Calls(Sino.Flow.SINK, process=process)
    run(ArraySource(scan()), task)
    check(outcome[0], "the second run was not tried")
    run(ArraySource(scan()), task)  # free again


if __name__ == "__main__":
    tap.main(globals())
