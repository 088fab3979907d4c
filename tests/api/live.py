#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Planes of a scan through introspection."""
import threading

import gi

gi.require_version("Sino", "1.0")
from gi.repository import Gio, GLib, Sino

import tap
from tap import check, same


def graph_of(node):
    return Sino.Graph.new_from_launch(f"simulate object=shepp-logan-3d width=24 height=9 projections=20 ! {node}")


def runner():
    return Sino.Runner(device="native", threads=2)


def test_planes():
    graph = graph_of("live name=live planes=\"z=4 x=0\"")
    live = graph.get_task("live")
    same(Sino.live_list_planes(live).unpack(), [(0, "z=4"), (1, "x=0")])
    same(Sino.live_add_plane(live, "z=2"), 2)
    Sino.live_move_plane(live, 1, "y=1")
    Sino.live_set_axis(live, 11.5)
    runner().run(graph)
    block, version, projections, plane = Sino.live_pull(live, 1, 0, -1, None)
    same((block.get_shape(), projections, plane), ([1, 9, 24], 20, "y=1"))
    check(version > 0, version)
    check(block.numpy().max() > 0, "the picture is empty")
    same(Sino.live_pull(live, 1, version, -1, None), (None, 0, 0, None))
    same(tuple(Sino.live_get_found_axis(live)), (False, 0, 0, 0, False))
    Sino.live_remove_plane(live, 1)
    tap.raises(Sino.Error.BAD_PROPERTY, "there is no plane 1: there are 0, 2", Sino.live_pull, live, 1, 0, 0, None)


def test_new_pictures():
    """The signal comes in the main context, and a busy one gets the newest pictures only."""
    context, seen = GLib.MainContext.default(), []
    graph = graph_of("live name=live planes=\"z=4 x=0\"")
    live = graph.get_task("live")
    live.connect("new-picture", lambda task, number, version: seen.append((task, number, version, threading.get_ident())))
    runner().run(graph)
    same(seen, [])  # the main loop was busy
    while context.iteration(False):
        pass
    newest = [(live, plane, Sino.live_pull(live, plane, 0, 0, None)[1], threading.get_ident()) for plane in range(2)]
    same(seen, newest)
    runner().run(graph)  # another run, and another copy of the node
    while context.iteration(False):
        pass
    same(len(seen), 4)


def test_cancelled_wait():
    live = graph_of("live name=live").get_task("live")
    cancellable = Gio.Cancellable()
    threading.Timer(.1, cancellable.cancel).start()
    same(Sino.live_pull(live, 0, 0, -1, cancellable), (None, 0, 0, None))


def test_two_runs():
    """A second run of the same node is refused while the first goes on, which it does not disturb."""
    graph = Sino.Graph.new_from_launch("app-source name=camera rows=4 columns=16 element=f32 frames=4 ! live name=live")
    camera, live = graph.get_task("camera"), graph.get_task("live")
    camera.set_geometry(Sino.Geometry.new([0, .8, 1.6, 2.4]))
    other = Sino.Graph.new_from_launch("simulate width=16 height=4 projections=4 ! null")
    other.add_task(live, "live")
    other.connect("simulate", "live", 0)
    frame = GLib.Bytes.new(bytes(4 * 16 * 4))
    run = runner().run_async(graph)
    camera.push(frame.get_data())
    same(Sino.live_pull(live, 0, 0, 10000000, None)[2], 1)
    tap.raises(Sino.Error.FAILED, "another run uses this node", runner().run, other)
    for _ in range(3):
        camera.push(frame.get_data())
    camera.end_of_stream()
    run.wait()
    same(Sino.live_pull(live, 0, 0, 0, None)[2], 4)


tap.main(globals())
