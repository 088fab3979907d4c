#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The bridge to EPICS PVA: a camera's PVs in this process, the bridge in its own."""
import socket
import threading
from contextlib import contextmanager
from unittest import SkipTest

import bridge
import numpy
import tap
from bridge import COUNT, DARKS, FLATS, PROJECTIONS
from tap import check, same

try:
    from p4p.client.thread import Context
    from p4p.nt import NTNDArray, NTScalar
    from p4p.server import Server
    from p4p.server.thread import SharedPV
except ImportError as error:
    p4p, REASON = None, str(error)
else:
    p4p = True


def value_of(image, number, kind):
    made = NTNDArray().wrap(image, attrib={"FrameType": kind} if kind is not None else {})
    made.uniqueId = number
    return made


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


class Camera:
    """PVs as a detector's server has them, and a client of the bridge's own."""

    def __init__(self):
        self.port = free_port()
        self.image = SharedPV(initial=value_of(PROJECTIONS[7], 12345, "Projection"))  # of the scan before
        self.theta = SharedPV(nt=NTScalar("ad"), initial=numpy.arange(COUNT + 4) * 3.)
        self.server = Server([{"CAM:Image": self.image, "CAM:Theta": self.theta}], isolate=True)
        self.slices, self.states, self.ended = {}, [], threading.Event()

    def environment(self):
        return {**self.server.conf(), "EPICS_PVAS_INTF_ADDR_LIST": "127.0.0.1", "EPICS_PVAS_SERVER_PORT": "0",
                "EPICS_PVAS_BROADCAST_PORT": self.port, "EPICS_PVAS_AUTO_BEACON_ADDR_LIST": "NO"}

    @contextmanager
    def listening(self):
        """Gathers the slices and states that the bridge serves."""
        conf = {"EPICS_PVA_ADDR_LIST": f"127.0.0.1:{self.port}", "EPICS_PVA_AUTO_ADDR_LIST": "NO"}
        with Context("pva", conf=conf, useenv=False, nt=False) as context:
            request = "field()record[queueSize=20,pipeline=true]"
            with context.monitor("sino:slice", self._keep, request), context.monitor("sino:state", self._hear):
                yield context

    def _keep(self, value):
        shape = [one.size for one in reversed(value.dimension)]
        self.slices[value.uniqueId] = value.value.reshape(shape)

    def _hear(self, value):
        self.states.append(value.value)
        if value.value != "waiting":
            self.ended.set()

    def post(self, image, number, kind=None):
        self.image.post(value_of(image, number, kind))

    def begin(self, kinds=("DarkField", "FlatField")):
        for frames, kind in zip((DARKS, FLATS), kinds):
            for number, frame in enumerate(frames):
                self.post(frame, number, kind)

    def scan(self, order, first=500, kind="Projection"):
        for number in order:
            self.post(PROJECTIONS[number], first + number, kind)


@contextmanager
def running(graph, *options, connected=True):
    if not p4p:
        raise SkipTest(f"{REASON}: pip install p4p")
    camera = Camera()
    with camera.server, bridge.started("pva.py", "CAM:Image", graph, *options, environment=camera.environment()) as one:
        if connected:
            one.says("CAM:Image: connected")
        yield camera, one


def test_slices_come_as_pvs():
    with running(bridge.graph(), "--kind-attribute=FrameType", "--out=sino:", "--stay") as (camera, one):
        with camera.listening():
            camera.begin()
            camera.scan(range(COUNT))
            check(camera.ended.wait(bridge.LONG), one.lines)
            one.says("30 projections, lost none, 0 repeated, 0 late, 0 frames left out")
            want = bridge.wanted()
            same((camera.states[-1], sorted(camera.slices)), ("done", [0, 1, 2]))
            for number, image in camera.slices.items():
                check(numpy.array_equal(image, want[number]), f"slice {number}")
            one.interrupt()
        one.ends(0, "")


def test_order_and_angles():
    """Frames out of order, one twice, kinds as numbers, angles from a PV, and frames that belong to no scan."""
    order = [1, 0, 2, 2, *range(4, COUNT), 3]
    kinds = "--kind-attribute=FrameType", "--kinds=dark,flat,projection", "--first=500"
    with running(bridge.graph("order=any"), *kinds, "--angles=CAM:Theta", "--out=sino:", "--stay") as (camera, one):
        with camera.listening():
            camera.begin((0, 1))
            camera.scan([5], first=100, kind=2)  # before the first
            camera.scan(order, kind=2)
            check(camera.ended.wait(bridge.LONG), one.lines)
            one.says("30 projections, lost none, 1 repeated, 0 late, 1 frames left out")
            want = bridge.wanted(angles=numpy.arange(COUNT) * 3.)
            check(numpy.array_equal(camera.slices[2], want[2]), "another slice")


def test_gap():
    order = [number for number in range(COUNT) if number not in (9, 10)]
    with running(bridge.graph("missing=skip"), "--kind-attribute=FrameType") as (camera, one):
        camera.begin()
        camera.scan(order)
        one.ends(0, r"28 projections, lost \[9, 10\]")
    with running(bridge.graph(), "--kind-attribute=FrameType") as (camera, one):
        camera.begin()
        camera.scan(order)
        one.ends(1, "error: 'camera' .*: frames 9 to 10 are lost")


def test_reconnect():
    """The server of the camera goes away during the scan; the frame that it then holds has come before."""
    with running(bridge.graph(), "--kind-attribute=FrameType") as (camera, one):
        camera.begin()
        camera.scan(range(20))
        one.says("the scan has begun")
        camera.image.close()
        one.says("CAM:Image is not connected", 2)
        camera.image.open(value_of(PROJECTIONS[19], 519, "Projection"))
        one.says("CAM:Image: connected", 2)
        camera.scan(range(20, COUNT))
        one.ends(0, "30 projections, lost none")


def test_early_end():
    for options, status, said in (("short-scan=finish", 0, "20 projections"),
                                  ("", 1, "error: 'camera' .* after 20 of 30 frames")):
        with running(bridge.graph(options), "--kind-attribute=FrameType", "--timeout=0.5") as (camera, one):
            camera.begin()
            camera.scan(range(20))
            one.ends(status, said)


def test_errors():
    with bridge.existing() as path:
        with running(bridge.graph(end=f"write path={path}"), "--kind-attribute=FrameType") as (camera, one):
            camera.begin()
            camera.scan(range(COUNT))
            one.ends(1, "error: 'write': .* exists")
    with running(bridge.graph(), "--kind-attribute=Missing") as (camera, one):
        camera.begin()
        one.ends(1, "CAM:Image: frames have no attribute Missing, but FrameType, ColorMode")
    with running(bridge.graph(), "--angles=CAM:None", connected=False) as (camera, one):
        one.ends(1, "error: CAM:None: no such PV answers")
    bad = ({"codec.name": "bslz4"}, r"compressed \(bslz4\)"), ({"dimension": [{"size": 3}] * 3}, "3 dimensions")
    for part, said in bad:
        with running(bridge.graph()) as (camera, one):
            value = value_of(PROJECTIONS[0], 0, None)
            for field, content in part.items():
                value[field] = content
            camera.image.post(value)
            one.ends(1, f"error: CAM:Image: .*{said}")


def test_ctrl_c():
    for frames in 0, 12:
        with running(bridge.graph(), "--kind-attribute=FrameType") as (camera, one):
            camera.begin()
            camera.scan(range(frames))
            if frames:
                one.says("the scan has begun")
            one.interrupt()
            one.ends(130, "interrupted")


tap.main(globals(), at_once=2)
