#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs in the background of a program in Python: awaited, as a context, cancelled, with what they tell."""
import asyncio
import threading
import time

from gi.repository import Gio
from pushed import *

import tap
from tap import check, raises, same

Code = Sino.Error
CANCELLED = Gio.IOErrorEnum.CANCELLED


def runner():
    return Sino.Runner(device="native")


class Slow(Sino.Task):
    flow = Sino.Flow.SINK

    def do_process(self, inputs, output):
        time.sleep(0.3)


def endless():
    """A graph that waits for frames, and its source."""
    source = Sino.AppSource(rows=N, columns=N, frames=100)
    return graph_of(source, "null"), source


def ends(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


# --- graphs ---

def test_graphs_by_name():
    graph = Sino.Graph.launch("simulate width=16 height=4 projections=8 ! reconstruct ! null")
    same(list(graph), ["simulate", "reconstruct", "null"])
    check("reconstruct" in graph and "x" not in graph, "names")
    graph["simulate"].props.width = 32
    same(graph["simulate"].props.width, 32)
    graph.set("reconstruct", axis=7.5, window="hann")
    graph.set("reconstruct", "mask", "true")
    graph.set("simulate", dead_pixels=0.1, flats=2)
    same((graph["reconstruct"].props.axis, graph["reconstruct"].props.mask), ("7.5", True))
    same((graph["simulate"].props.dead_pixels, graph["simulate"].props.flats), (0.1, 2))
    raises(Code.BAD_GRAPH, "no node", lambda: graph["x"])
    raises(Code.BAD_PROPERTY, "colour", lambda: graph.set("reconstruct", colour=1))
    raises(Code.BAD_PROPERTY, "window", lambda: graph.set("reconstruct", window="round"))
    raises(Code.NOT_FOUND, "no node 'smooth'", Sino.Graph.launch, "simulate ! smooth")


# --- asyncio ---

def test_a_run_is_awaited():
    async def main():
        ticks = 0
        run = runner().run_async(graph_of(ArraySource(scan()), Slow()))
        while not run.done():
            await asyncio.sleep(0.02)
            ticks += 1
        await run
        await run  # again
        check(ticks > 3, "the loop stood still")

    ends(main())


def test_errors_are_awaited():
    async def main():
        graph = Sino.Graph.launch("read path=/none.h5 ! null")
        try:
            await runner().run_async(graph)
        except GLib.Error as error:
            check(error.matches(Sino.error_quark(), Code.BAD_FILE), repr(error))
            check("'read'" in error.message, error.message)
        else:
            raise AssertionError("no error")

    ends(main())


def test_progress_and_messages_come_in_the_loop():
    reports, messages, main_thread = [], [], threading.get_ident()

    async def main():
        graph = Sino.Graph.launch("simulate width=64 height=4 projections=32 flats=1 type=u16 dead-pixels=0.01 ! "
                                  "flat-field name=ffc ! null")
        await runner().run_async(graph, progress=lambda *report: reports.append((threading.get_ident(), *report)),
                                 message=lambda *news: messages.append((threading.get_ident(), *news)))

    ends(main())
    check(reports and all(report[0] == main_thread for report in reports), reports)
    same(reports[-1][1], 1.0)
    same(len(reports[0]), 5)
    check(messages, "nothing was said")
    thread, node, level, text = messages[0]
    same((thread, node, type(level)), (main_thread, "ffc", Sino.MessageLevel))
    check("pixel" in text, text)


def test_cancelling_the_task_cancels_the_run():
    async def main():
        graph, source = endless()
        one = runner()
        task = asyncio.ensure_future(wait_for(one.run_async(graph)))
        await asyncio.sleep(0.2)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            pass
        else:
            raise AssertionError("it was not cancelled")
        raises(Code.FAILED, "cancelled", source.push, counts(1))  # the run has ended, not only the wait
        one.run(graph_of(ArraySource(scan()), ArraySink()))  # and the runner is free

    async def wait_for(run):
        await run

    ends(main())


def test_several_runs_at_once():
    async def main():
        sinks = [ArraySink() for _ in range(4)]
        await asyncio.gather(*(runner().run_async(graph_of(ArraySource(scan(angles=i + 2)), sink))
                               for i, sink in enumerate(sinks)))
        same([len(sink.array) for sink in sinks], [2, 3, 4, 5])

    ends(main())


def test_async_contexts():
    async def main():
        frames = counts(5)
        source, sink = Sino.AppSource(frames=5), Sino.AppSink()
        source.push_darks(frames[:1])
        async with runner().run_async(graph_of(source, sink)):
            source.push(frames)
            blocks = await asyncio.get_running_loop().run_in_executor(None, list, sink)
        check((numpy.concatenate([block.numpy() for block in blocks]) == frames).all(), "values differ")
        graph, source = endless()
        try:
            async with runner().run_async(graph):
                raise KeyError("left")
        except KeyError:
            raises(Code.FAILED, "cancelled", source.push, counts(1))
        else:
            raise AssertionError("the error was lost")

    ends(main())


# --- without asyncio ---

def test_contexts():
    frames = counts(6)
    source, sink = Sino.AppSource(frames=6), Sino.AppSink()
    source.push(frames)
    with runner().run_async(graph_of(source, sink)) as run:
        check((numpy.concatenate([block.numpy() for block in sink]) == frames).all(), "values differ")
    check(run.done(), "it goes on")


def test_a_context_that_is_left_by_an_exception():
    graph, source = endless()
    begun = time.monotonic()
    try:
        with runner().run_async(graph) as run:
            raise KeyError("left")
    except KeyError:
        check(run.done() and time.monotonic() - begun < 5, "it goes on")
    else:
        raise AssertionError("the exception was lost")
    raises(Code.FAILED, "cancelled", source.push, counts(1))


def test_a_context_raises_what_the_run_failed_of():
    """Not what a pull says of it, whose code knows less."""
    def left(graph, sink):
        with runner().run_async(graph):
            list(sink)

    sink = Sino.AppSink()
    graph = Sino.Graph.launch("read path=/none.h5")
    graph.connect("read", graph.add_task(sink, None), 0)
    error = raises(Code.BAD_FILE, "'read'", left, graph, sink)
    check(isinstance(error.__cause__, GLib.Error) and "no more blocks come" in error.__cause__.message, "no cause")


def test_leaving_early():
    source, sink = Sino.AppSource(frames=60, max_bytes=0), Sino.AppSink(max_bytes=4 * LARGE.nbytes)
    for _ in range(60):
        source.push_owned(LARGE)
    with runner().run_async(graph_of(source, sink)) as run:
        for block in sink:
            run.cancel()
            break
    raises(CANCELLED, "the run was cancelled", run.wait)


def test_waiting():
    graph, source = endless()
    run = runner().run_async(graph)
    try:
        run.wait(0.1)
    except TimeoutError as error:
        check("did not end within" in str(error), error)
    else:
        raise AssertionError("it ended")
    source.push(numpy.zeros((100, N, N), numpy.uint16))
    run.wait()
    run.wait()


def test_a_cancellable_of_the_program():
    cancellable = Gio.Cancellable()
    run = runner().run_async(endless()[0], cancellable)
    cancellable.cancel()
    raises(CANCELLED, "the run was cancelled", run.wait)


def test_one_run_of_a_runner():
    one = runner()
    with one.run_async(endless()[0]) as run:
        second = one.run_async(graph_of(ArraySource(scan()), ArraySink()))
        raises(Code.FAILED, "this runner is running already", second.wait)
        run.cancel()


def test_progress_of_a_run_that_is_waited_for():
    reports = []
    runner().run(graph_of(ArraySource(scan()), Slow()), progress=lambda *report: reports.append(report))
    same(reports[-1][0], 1.0)
    reports.clear()
    run = runner().run_async(graph_of(ArraySource(scan()), Slow()), progress=lambda *report: reports.append(report))
    run.wait()
    same(reports[-1][0], 1.0)


def test_the_call_with_a_callback():
    """As in C: the result comes through the thread's main context."""
    one, results = runner(), []
    same(one.run_async(graph_of(ArraySource(scan()), ArraySink()), None, lambda *all: results.append(all), 7, 8), None)
    while not results:
        GLib.MainContext.default().iteration(True)
    same((results[0][0], results[0][2:]), (one, (7, 8)))
    same(one.run_finish(results[0][1]), True)


tap.main(globals())
