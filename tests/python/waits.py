#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Waits that nobody could end are errors, and leaving the context of a run early ends it. Others wait for ever."""
import threading
import time

import numpy
import sinograph
import tap
from sinograph import _waits
from tap import check, same

_waits.HOPE = 0.3
MANY = "phantom width=16 height=64 ! app-sink name=out max-buffers=1"  # 64 blocks, of which one may wait
FRAME = numpy.zeros((8, 8), "u2")


def fails(node, words, function, *arguments):
    try:
        function(*arguments)
    except sinograph.Error as error:
        same((error.node, error.code), (node, sinograph.Code.FAILED))
        check(words in error.message, error.message)
        return
    raise AssertionError("no error")


def thread(function, *arguments):
    made = threading.Thread(target=function, args=arguments)
    made.start()
    return made


def source(frames=3):
    graph = sinograph.Graph(f"app-source name=s frames={frames} max-buffers=1 ! app-sink name=out whole=true")
    graph["s"].push(FRAME)
    return graph


def test_live_properties_at_once():
    """A run takes them as soon as it was started."""
    for _ in range(50):
        with source().start("native") as run:
            run.set_live("out", max_bytes=2e8)
            run.cancel()


def test_full_sink():
    graph = sinograph.Graph(MANY)
    fails("out", "takes blocks of 'out'", graph.run, "native")
    same(graph["out"].pull().shape, (1, 16, 16))
    fails(None, "cancelled", graph["out"].pull)

    def leave():
        with graph.start("native"):
            pass
    fails("out", "takes blocks of 'out'", leave)
    run = graph.start("native")
    try:
        run.wait(4 * _waits.HOPE)
    except TimeoutError:
        pass  # after which the program can still take them
    else:
        raise AssertionError("it has ended")
    same(len(list(graph["out"])), 64)
    run.wait()


def test_break():
    graph = sinograph.Graph(MANY)
    with graph.start("native") as run:
        for count, _ in enumerate(graph["out"]):
            if count == 3:
                break
    check(run.done(), "the run goes on")
    try:
        run.wait()
    except sinograph.Cancelled:
        pass
    else:
        raise AssertionError("the run has gone through")


def test_break_and_a_thread_that_pushes():
    """The thread waits for the same run, so it cannot take the blocks either."""
    graph = sinograph.Graph("app-source name=s rows=64 columns=64 frames=100000 max-buffers=1 ! "
                            "app-sink name=out max-buffers=1")
    frame, said = numpy.zeros((64, 64), "u2"), []

    def push():
        try:
            while True:
                graph["s"].push(frame)
        except sinograph.Error as error:
            said.append(error.message)
    with graph.start("native") as run:
        pusher = thread(push)
        graph["out"].pull()
    pusher.join()
    check(run.done() and "cancelled" in said[0], said)


def test_thread_that_dies():
    """Who leaves has not left early if it was another thread that took the blocks."""
    graph = sinograph.Graph(MANY)

    def leave():
        with graph.start("native"):
            thread(graph["out"].pull).join()
    fails("out", "takes blocks of 'out'", leave)


def test_cancel_and_leave():
    graph = sinograph.Graph(MANY)
    with graph.start("native") as run:
        run.cancel()
    check(run.done(), "the run goes on")
    try:
        with graph.start("native") as run:
            thread(run.cancel).join()
    except sinograph.Cancelled:
        return
    raise AssertionError("a run that others have cancelled seems to have gone through")


def test_leaving_waits():
    """As long as the run needs nothing from the program, or a thread takes its blocks, however slowly."""
    graph = sinograph.Graph(MANY.replace("max-buffers=1", "max-bytes=0"))
    with graph.start("native"):
        graph["out"].pull()
    same(len(list(graph["out"])), 63)
    graph, taken = sinograph.Graph(MANY), []

    def take():
        for block in graph["out"]:
            taken.append(block)
            if len(taken) < 4:
                time.sleep(2 * _waits.HOPE)
    with graph.start("native"):
        taker = thread(take)
    taker.join()
    same(len(taken), 64)


def test_without_a_run():
    graph = sinograph.Graph(MANY)
    fails("out", "no run fills 'out'", graph["out"].pull)
    graph = source()
    for options in {"copy": True}, {"copy": False}, {"number": 1}:
        fails("s", "'s' is full", lambda: graph["s"].push(FRAME, **options))
    graph.set("s", max_buffers=9)
    graph["s"].push(numpy.stack([FRAME, FRAME]))
    graph.run("native")
    same(graph["out"].pull().shape, (3, 8, 8))


def test_run_that_a_thread_begins():
    for frames in 1, 3:
        graph = source(frames)
        runner = threading.Timer(3 * _waits.HOPE, graph.run, ["native"])
        runner.start()
        for _ in range(frames - 1):
            graph["s"].push(FRAME)  # full until the run takes some
        same(graph["out"].pull().shape, (frames, 8, 8))
        runner.join()


tap.main(globals())
