#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A Tango device that runs a graph of Sinograph, without a database or with one.

    ./tango-device.py sinograph/reco/1 --port 10000 \\
        --graph "read path=scan.h5 follow=true ! flat-field ! reconstruct axis=1021.5 ! app-sink"

Clients find it at tango://HOST:10000/sinograph/reco/1#dbase=no. All attributes but statistics push events of change.
"""
import argparse
import json
import sys
import threading
import time

import numpy
import scan
import sinograph
import tango
from tango.server import Device, attribute, command, run

LARGEST = 65536  # rows and columns of a slice
PATIENCE = 0.8  # seconds that Ctrl-C gives a run to end
given = None  # the options of the program


def fail(origin, error):
    """An error for the client: what Sinograph says, which names the node."""
    tango.Except.throw_exception("Sinograph", str(error), origin)


class Reconstruction(Device):
    """State: STANDBY, RUNNING, or FAULT, after a run that has failed. Status is the error then."""

    def init_device(self):
        super().init_device()
        self._line, self._graph, self._sink, self._run = "", None, None, None
        self._closing, self._stopping, self._fault = False, False, None
        self._fraction, self._slice, self._number = 0.0, None, -1
        for name in "state", "status", "graph", "progress", "slice", "slice_number":
            self.set_change_event(name, True, False)
        self._enter(tango.DevState.STANDBY, "ready")
        if given.graph:
            self.write_graph(given.graph)

    def delete_device(self):
        """Ends the run with the device: on Ctrl-C, too. Its threads must not push events to a device that is gone."""
        self._closing = self._stopping = True
        if self._run:
            self._run.cancel()
            self._attendant.join(PATIENCE)

    def _push(self, name, *value):
        if not self._closing:
            self.push_change_event(name, *value)

    def _enter(self, state, status):
        self.set_state(state)
        self.set_status(status)
        self._push("state")
        self._push("status")

    # --- what clients see ---

    @attribute(dtype=str, doc="as sinograph launch takes it; can be written while no run goes on")
    def graph(self):
        return self._line

    @graph.write
    def graph(self, line):
        self.write_graph(line)

    @attribute(dtype=float, min_value=0, max_value=1, doc="share of the run that is done")
    def progress(self):
        return self._fraction

    @attribute(dtype=str, doc="what the run has done so far, or the last one did, as JSON")
    def statistics(self):
        return json.dumps(self._run and self._run.statistics() or {})

    @attribute(dtype=((numpy.float32,),), max_dim_x=LARGEST, max_dim_y=LARGEST, doc="the last slice, of float32")
    def slice(self):
        last = self._slice
        if last is None:
            return numpy.zeros((1, 1), numpy.float32), time.time(), tango.AttrQuality.ATTR_INVALID
        return last

    @attribute(dtype=int, doc="of the last slice; -1: there is none")
    def slice_number(self):
        return self._number

    # Tango calls one of these at a time.

    def _is_running(self):
        return self.get_state() == tango.DevState.RUNNING

    @command
    def Start(self):
        if self._is_running():
            fail("Start", "the run goes on: Stop it, or wait until State is STANDBY")
        if self._graph is None:
            fail("Start", "there is no graph: write the attribute graph")
        try:
            self._run = self._graph.start(given.device, progress=self._advance, message=self._hear)
        except sinograph.Error as error:
            fail("Start", error)
        self._fraction, self._slice, self._number = 0.0, None, -1
        self._stopping, self._fault = False, None
        self._enter(tango.DevState.RUNNING, "running")
        self._push("progress", self._fraction)
        self._attendant = threading.Thread(target=self._attend, args=(self._run, self._sink), daemon=True)
        self._attendant.start()

    @command
    def Stop(self):
        if self._run:
            self._stopping = True
            self._run.cancel()

    @command(dtype_in=(str,), doc_in="node, property, value: changes a live property of the run")
    def SetLive(self, words):
        if not self._is_running():
            fail("SetLive", "no run goes on")
        if len(words) != 3:
            fail("SetLive", "node, property and value are wanted")
        try:
            self._run.set_live(words[0], **{words[1]: words[2]})
        except sinograph.Error as error:
            fail("SetLive", error)

    def write_graph(self, line):
        if self._is_running():
            fail("graph", "the run goes on: Stop it before you write the graph")
        try:
            graph = sinograph.Graph(line)
            sink = scan.only(graph, "app-sink")
            if scan.only(graph, "app-source"):
                raise sinograph.Error("the graph has app-source, and the device has no frames for it: begin with read "
                                      "follow=true or receive")
        except sinograph.Error as error:
            fail("graph", error)
        self._graph, self._sink, self._line = graph, sink, line
        self._push("graph", line)

    # --- in threads of the run ---

    def _attend(self, going, sink):
        """Waits for the end of a run, and says how it was."""
        with tango.EnsureOmniThread():
            taker = threading.Thread(target=self._take, args=(going, sink), daemon=True)
            taker.start()
            error = None
            try:
                going.wait()
            except Exception as failure:
                error = failure
            taker.join()
            if error is None or isinstance(error, sinograph.Cancelled):
                error = None if self._stopping else self._fault
            if error:
                self._enter(tango.DevState.FAULT, str(error))
            else:
                self._enter(tango.DevState.STANDBY, "stopped" if self._stopping else "done")

    def _take(self, going, sink):
        """Keeps the last slice. A run whose slices cannot be taken ends."""
        with tango.EnsureOmniThread():
            try:
                for block in sink.blocks() if sink else ():
                    for self._number, image in zip(block.rows, block.array):
                        self._slice = image.astype(numpy.float32)  # a copy: the block belongs to the run
                        self._push("slice", self._slice)
                        self._push("slice_number", self._number)
            except Exception as error:
                self._fault = error
                going.cancel()

    def _advance(self, fraction, slices, of_slices, seconds):
        self._fraction = fraction
        self._push("progress", fraction)

    def _hear(self, node, level, text):
        self.set_status(f"running\n{node}: {text}")
        self._push("status")


def main():
    global given
    made = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    made.add_argument("name", help="of the device, as sinograph/reco/1; with --database: the instance of the server")
    made.add_argument("--graph", help='as "read path=scan.h5 follow=true ! flat-field ! reconstruct ! app-sink"')
    made.add_argument("--device", help="native, cl:0, ... (default: a GPU of OpenCL, else native)")
    made.add_argument("--port", type=int, default=10000, help="without a database (default: 10000)")
    made.add_argument("--database", action="store_true", help="the device is known to the Tango database of TANGO_HOST")
    given = made.parse_args()
    server = ["sinograph", given.name] if given.database else [
        "sinograph", "1", "-nodb", "-dlist", given.name, "-ORBendPoint", f"giop:tcp::{given.port}"]
    run((Reconstruction,), args=server)


if __name__ == "__main__":
    sys.exit(main())
