#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The Tango device: a server of its own, without a database, and clients in this process."""
import importlib.util
import itertools
import json
import socket
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from unittest import SkipTest, mock

import bridge
import numpy
import sinograph
import tap
from tap import check, same

try:
    import tango
except ImportError as error:
    tango, REASON = None, str(error)

FOLDER = tempfile.TemporaryDirectory()
SCAN = f"{FOLDER.name}/scan.h5"
LINE = f"read path={SCAN} ! flat-field ! reconstruct axis=31.5 ! app-sink"
FRAMES = f"{FOLDER.name}/frames"
WAITING = f"read path={FRAMES} follow=true frames=9 angles=0:180 timeout=0 ! reconstruct axis=4 ! app-sink"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextmanager
def running(*options):
    """The server, and what makes a client of it."""
    if not tango:
        raise SkipTest(f"{REASON}: package python3-tango")
    port = free_port()
    with bridge.started("tango-device.py", "sinograph/reco/1", f"--port={port}", *options) as one:
        one.says("Ready to accept request")
        yield one, lambda: tango.DeviceProxy(f"tango://127.0.0.1:{port}/sinograph/reco/1#dbase=no")


def settled(client):
    """The state and the status after the run."""
    until = time.monotonic() + bridge.LONG
    while client.state() == tango.DevState.RUNNING and time.monotonic() < until:
        time.sleep(0.02)
    return str(client.state()), client.status()


def failure(function, *arguments):
    try:
        function(*arguments)
    except tango.DevFailed as error:
        return error.args[0].desc
    raise AssertionError("no error")


def test_run_and_events():
    sinograph.Graph("simulate object=shepp-logan-3d width=64 height=3 projections=60 axis=31.5 type=u16 flats=4 "
                    f"darks=4 ! write path={SCAN}").run("native")
    graph = sinograph.Graph(LINE + " name=slices whole=true")
    graph.run("native", message=lambda *_: None)
    want = graph["slices"].pull()
    with running() as (one, make):
        client = make()
        heard = {}

        def keep(event):
            if not event.err:
                heard.setdefault(event.attr_value.name.lower(), []).append(event.attr_value.value)

        for name in "state", "progress", "slice_number":
            client.subscribe_event(name, tango.EventType.CHANGE_EVENT, keep)
        same((str(client.state()), client.slice_number, client.read_attribute("slice").quality),
             ("STANDBY", -1, tango.AttrQuality.ATTR_INVALID))
        check("no graph" in failure(client.Start), "Start without a graph")
        client.graph = LINE
        client.Start()
        same(settled(client), ("STANDBY", "done"))
        same((client.slice_number, client.slice.dtype, client.progress), (2, numpy.dtype("f4"), 1.0))
        check(numpy.array_equal(client.slice, want[2]), "another slice")
        check("reconstruct" in client.statistics and json.loads(client.statistics), client.statistics)
        until = time.monotonic() + bridge.LONG
        while str(heard["state"][-1]) + str(heard["slice_number"][-1]) != "STANDBY2" and time.monotonic() < until:
            time.sleep(0.02)
        states = [str(state) for state, _ in itertools.groupby(heard["state"])]  # some come twice
        same((states, heard["slice_number"]), (["STANDBY", "RUNNING", "STANDBY"], [-1, 0, 1, 2]))
        check(heard["progress"][-1] == 1, heard)
        client.Start()  # again
        same(settled(client), ("STANDBY", "done"))


def test_errors():
    with running() as (one, make):
        client = make()
        check("no node" in failure(client.write_attribute, "graph", "read ! nonsense"), "a node that does not exist")
        with bridge.existing() as path:
            client.graph = f"phantom width=16 ! write name=out path={path}"
            client.Start()
            state, status = settled(client)
        check(state == "FAULT" and "'out'" in status and "exists" in status, status)
        client.graph = "phantom width=16 ! app-sink"
        client.Start()
        same(settled(client), ("STANDBY", "done"))


def looking(make, ended, counts):
    """A client that reads all ten times a second."""
    with tango.EnsureOmniThread():
        client, count = make(), 0
        while not ended.wait(0.1):
            state, progress, _ = (each.value for each in client.read_attributes(["State", "progress", "statistics"]))
            client.read_attribute("slice")
            count += state == tango.DevState.RUNNING and 0 <= progress <= 1
        counts.append(count)


def check_during_run(client):
    check("goes on" in failure(client.Start), "Start during a run")
    check("goes on" in failure(client.write_attribute, "graph", LINE), "graph during a run")
    client.SetLive(["app-sink", "max-buffers", "7"])
    check("axis" in failure(client.SetLive, ["reconstruct", "axis", "3"]), "a property that is not live")


def test_run_cannot_begin():
    """An error of Sinograph is one of Tango. In this process."""
    if not tango:
        raise SkipTest(f"{REASON}: package python3-tango")
    sys.path.insert(0, str(bridge.FOLDER))
    spec = importlib.util.spec_from_file_location("device", bridge.FOLDER / "tango-device.py")
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    program.given = mock.Mock()
    device = mock.Mock(**{"_is_running.return_value": False, "_graph.start.side_effect": sinograph.Error("no room")})
    same(failure(program.Reconstruction.Start, device), "no room")


def test_graphs_that_would_wait():
    """The device takes slices of one sink, and has no frames."""
    with running() as (one, make):
        client = make()
        client.graph = "phantom width=16 ! app-sink"
        two = "phantom width=16 name=p ! app-sink name=a p. ! app-sink name=b"
        check("nodes app-sink, a bridge takes one: a, b" in failure(client.write_attribute, "graph", two), "two sinks")
        check("app-source" in failure(client.write_attribute, "graph", "app-source ! app-sink"), "a source of frames")
        same(client.graph, "phantom width=16 ! app-sink")


def test_slices_cannot_be_taken():
    with running() as (one, make):
        client = make()
        for graph, said in (("phantom width=64 height=100 ! app-sink max-bytes=20000", "max-bytes"),
                            ("simulate width=66000 height=1 projections=2 ! app-sink", "slice")):
            client.graph = graph
            client.Start()
            state, status = settled(client)
            print(f"# {status!r}")
            check(state == "FAULT" and said in status, (state, status))
        client.graph = "phantom width=16 ! app-sink"
        client.Start()
        same(settled(client), ("STANDBY", "done"))


def test_five_clients_and_stop():
    """The run waits for the last frame, which does not come."""
    sinograph.Graph(f"simulate width=8 height=2 projections=8 ! write path={FRAMES}/%i.tif").run("native")
    with running(f"--graph={WAITING}") as (one, make):
        first, ended, counts = make(), threading.Event(), []
        first.Start()
        clients = [threading.Thread(target=looking, args=(make, ended, counts)) for _ in range(5)]
        for each in clients:
            each.start()
        try:
            time.sleep(1)
            check_during_run(first)
        finally:
            ended.set()
            for each in clients:
                each.join()
        print(f"# reads of each client: {counts}")
        check(len(counts) == 5 and min(counts) > 1, counts)
        same(str(first.state()), "RUNNING")
        first.Stop()
        same(settled(first), ("STANDBY", "stopped"))
        first.Start()
        one.interrupt()
        one.ends(0, "")


tap.main(globals())
