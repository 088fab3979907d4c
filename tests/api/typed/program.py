# SPDX-License-Identifier: LGPL-3.0-or-later
"""A program that a checker of types finds nothing wrong with; python-types.py asks it."""
import asyncio
from typing import List, Optional

import gi

gi.require_version("Sino", "1.0")
import numpy
from gi.repository import Gio, GLib, Sino


class Half(Sino.Task):
    flow = Sino.Flow.POINT
    replicable = True

    def do_negotiate(self, inputs: List[Sino.Format]) -> Sino.Format:
        return inputs[0].with_element(Sino.Element.F32)

    def do_process(self, inputs: List[Sino.Buffer], output: Sino.Buffer) -> None:
        output.numpy()[:] = inputs[0].numpy() / 2


def told(fraction: float, slices: int, of_slices: int, seconds: float) -> None:
    print(fraction, slices, of_slices, seconds)


def said(node: str, level: Sino.MessageLevel, text: str) -> None:
    print(node, level == Sino.MessageLevel.WARNING, text)


def ended(runner: Sino.Runner, result: Gio.AsyncResult) -> None:
    good: bool = runner.run_finish(result)
    print(good)


async def main() -> None:
    source, sink = Sino.AppSource(rows=4, columns=4), Sino.AppSink(whole=True)
    graph = Sino.Graph.new()
    first: str = graph.add_task(source, None)
    graph.connect(first, graph.add_task(sink, "sink"), 0)
    graph.set("sink", whole=True)
    source.push(numpy.zeros((2, 4, 4), numpy.uint16))
    source.push(bytes(32), number=3, angle=1.5)
    source.props.max_bytes = 1e9
    runner = Sino.Runner(memory="1G", threads=2)
    run: Sino.Run = runner.run_async(graph, progress=told, message=said)
    await run
    async with runner.run_async(graph):
        pass
    with runner.run_async(graph, Gio.Cancellable()) as again:
        again.cancel()
    runner.run_async(graph, None, ended)
    for block in sink:
        shape: List[int] = block.get_shape()
        print(shape, block.numpy().mean(), block.get_format().get_axes())
    last: Optional[Sino.Buffer] = sink.pull()
    statistics: Optional[GLib.Variant] = runner.get_statistics()
    found: GLib.Variant = Sino.verify("volume.h5")
    Sino.verify("volume.h5", Gio.Cancellable())
    print(last, statistics, found, list(graph), [device.get_id() for device in Sino.Device.list()])


try:
    asyncio.run(main())
except GLib.Error as error:
    if error.matches(Sino.error_quark(), Sino.Error.BAD_FILE):
        print(error.message)
