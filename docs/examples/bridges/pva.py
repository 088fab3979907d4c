#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Reconstructs the frames of an EPICS PVA camera (NTNDArray), and serves the slices as NTNDArray.

    ./pva.py 13BMDPG1:Pva1:Image "app-source frames=1800 order=any ! flat-field ! reconstruct axis=1021.5 ! app-sink" \\
             --kind-attribute FrameType --angles 13BMDPG1:TomoScan:StreamTheta --out sinograph:

PVs of --out: PREFIXslice (uniqueId is the number of the slice) and PREFIXstate (text, errors too).
"""
import queue
import sys
import threading
import time

import numpy
import scan
import sinograph
from p4p.client.thread import Context, Disconnected
from p4p.nt import NTNDArray, NTScalar
from p4p.server import Server
from p4p.server.thread import SharedPV


def options():
    made = scan.parser(__doc__.partition("\n")[0], pv="of the frames, as 13BMDPG1:Pva1:Image")
    made.add_argument("--first", type=int, metavar="ID", help="uniqueId of projection 0 (default: the first to come)")
    made.add_argument("--kind-attribute", metavar="NAME",
                      help="attribute that tells darks, flats and projections apart: a text that begins with dark, "
                      "flat or proj, or a number (default: all are projections)")
    made.add_argument("--kinds", default="projection,flat,dark",
                      help="what the numbers 0, 1, ... mean (default: %(default)s)")
    made.add_argument("--angles", metavar="PV", help="an array of degrees: one for each projection, from projection 0")
    made.add_argument("--queue", type=int, default=500, metavar="FRAMES",
                      help="frames that may wait here for the run, and as many in the library of PVA, and in the "
                      "camera's server (default: 500)")
    made.add_argument("--out", metavar="PREFIX", help="serve slices and state as PVs")
    made.add_argument("--stay", action="store_true", help="serve the last slice until Ctrl-C")
    return made.parse_args()


def image_of(pv, value):
    """The pixels (row, column). Fields are read by name: servers differ in their order."""
    if value.codec.name:
        raise sinograph.Error(f"{pv}: frames are compressed ({value.codec.name}), and the bridge takes plain ones: set "
                              "Compressor to None in the codec plugin, or take the PV of a plugin before it")
    shape = [dimension.size for dimension in reversed(value.dimension)]  # fastest first there
    if len(shape) != 2:
        raise sinograph.Error(f"{pv}: a frame has {len(shape)} dimensions {shape}, and the bridge takes gray images: "
                              "set the camera's ColorMode to Mono")
    return value.value.reshape(shape)


def kind_of(pv, value, name, kinds):
    """What an attribute of the frame says that it is."""
    if not name:
        return "projection"
    found = [one.value for one in value.attribute if one.name == name]
    if not found:
        names = ", ".join(one.name for one in value.attribute)
        raise sinograph.Error(f"{pv}: frames have no attribute {name}, but {names or 'none'}")
    said = found[0]
    if not isinstance(said, str):
        said = kinds[said] if 0 <= said < len(kinds) else str(said)
    for kind in "dark", "flat", "projection":
        if said.lower().startswith(kind[:4]):
            return kind
    raise sinograph.Error(f"{pv}: the attribute {name} is {said}, which is no dark, flat or projection: see --kinds")


def frames(came, given):
    """The frames of the scan, from what came in the queue."""
    first, last, fresh = given.first, None, True
    while True:
        try:
            value = came.get(timeout=0.2)
        except queue.Empty:
            yield None
            continue
        if isinstance(value, Disconnected):
            scan.tell(f"{given.pv} is not connected")
            fresh = True
            continue
        if isinstance(value, Exception):
            raise sinograph.Error(f"{given.pv}: {value}")
        if fresh:  # a monitor first gives what is there already: a frame of the scan before, or one that has come
            scan.tell(f"{given.pv}: connected")
            fresh = False
            if last in (None, value.uniqueId):
                continue
        last = value.uniqueId
        kind = kind_of(given.pv, value, given.kind_attribute, given.kinds.split(","))
        if first is None and kind == "projection":
            first = value.uniqueId
        yield kind, value.uniqueId - (first or 0), image_of(given.pv, value)


class Output:
    """PVs of the slices and the state. Without a prefix there are none."""

    def __init__(self, prefix):
        self.slice = SharedPV(initial=self._value(numpy.zeros((1, 1), "f4"), 0))
        self.state = SharedPV(nt=NTScalar("s"), initial="waiting")
        self.server = Server([{f"{prefix}slice": self.slice, f"{prefix}state": self.state}]) if prefix else None

    def _value(self, image, number):
        made = NTNDArray().wrap(image if image.dtype != numpy.float16 else image.astype("f4"))  # PVA has none of it
        made.uniqueId = number
        return made

    def show(self, number, image):
        self.slice.post(self._value(image, number))


def receive(given, context, output):
    """Runs one scan."""
    try:
        angles = numpy.asarray(context.get(given.angles).value, float) if given.angles else None
    except TimeoutError:
        raise sinograph.Error(f"{given.angles}: no such PV answers") from None
    one = scan.Scan(given.graph, given.device, given.timeout, angles)
    came, ended, told = queue.Queue(given.queue), threading.Event(), threading.Event()

    def take(value):  # in a thread of p4p, which must not wait: see the page
        if came.full() and not told.is_set():
            told.set()
            scan.tell(f"{given.pv}: {given.queue} frames wait for the run, which is slower than the camera: frames "
                      "will be lost")
        while not ended.is_set():
            try:
                return came.put(value, timeout=0.1)
            except queue.Full:
                pass

    request = f"field()record[queueSize={given.queue},pipeline=true]"
    with context.monitor(given.pv, take, request, notify_disconnect=True):
        try:
            one.run(frames(came, given), output.show)
        finally:
            ended.set()


def main():
    given = options()
    output = Output(given.out)
    with Context("pva", nt=False) as context:
        status = scan.main(lambda: receive(given, context, output), output.state.post)
        try:
            while given.stay and status != 130:
                time.sleep(1)
        except KeyboardInterrupt:
            pass
    return status


if __name__ == "__main__":
    sys.exit(main())
