# SPDX-License-Identifier: LGPL-3.0-or-later
"""Senders and receivers of frames, in the protocols of detectors, and runs that work with them."""
import json
import struct
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "api"))

import h5py
import numpy
import zmq
from gi.repository import Gio, GLib
from pushed import finish
from nodes import Sino

from tap import check, main, raises, same  # noqa: F401

Code = Sino.Error
HERE = "tcp://127.0.0.1:*"
END = [b'{"end": true}']
ROWS, COLUMNS = 12, 20
FOLDER = tempfile.TemporaryDirectory()


def counts(number, dtype=numpy.uint16, shape=(ROWS, COLUMNS), seed=1):
    return numpy.random.default_rng(seed).integers(0, 60000, (number, *shape)).astype(dtype)


def header(**members):
    return json.dumps(members).encode()


def array(number, frame, **more):
    return [header(htype="array-1.0", shape=frame.shape, type=frame.dtype.name, frame=number, **more), frame.tobytes()]


def concert(number, frame):
    return [header(**{"frame-number": str(number), "timestamp": "12.5", "dtype": frame.dtype.name, "shape": frame.shape}), frame.tobytes()]


def recastx(number, frame, kind=2):
    return [header(frame=number, shape=frame.shape, image_attributes={"scan_index": kind}), frame.tobytes()]


def sls(number, frame, complete=1):
    return [header(jsonversion=4, bitmode=8 * frame.itemsize, shape=frame.shape[::-1], frameIndex=number, data=1, completeImage=complete),
            frame.tobytes()]


def odin(number, frame):
    return [header(frame_num=number, dtype=frame.dtype.name, compression="none", shape=[str(n) for n in frame.shape[::-1]]), frame.tobytes()]


def cbor(value):
    """RFC 8949, as far as these tests need it. A tag is a tuple of its number and what it is for."""
    def head(major, number):
        size = next(i for i, most in enumerate((24, 1 << 8, 1 << 16, 1 << 32, 1 << 64)) if number < most)
        return bytes([major << 5 | (number if size == 0 else 23 + size)]) + (number.to_bytes(1 << size - 1, "big") if size else b"")

    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    if isinstance(value, dict):
        return head(5, len(value)) + b"".join(cbor(key) + cbor(item) for key, item in value.items())
    return head(6, value[0]) + cbor(value[1])


def eiger(number, frame, channels=1):
    """Dectris' messages begin with the tag of CBOR."""
    pixels = 40, [list(frame.shape), (69, frame.tobytes())]
    return [cbor((55799, {"type": "image", "series_id": 1, "image_id": number, "data": {f"threshold_{i + 1}": pixels for i in range(channels)}}))]


def untagged(number, frame):
    return [eiger(number, frame)[0][3:]]


class Sender:
    """Sends messages from a thread, to whoever connects or is at the address."""

    def __init__(self, messages, address=None, kind=zmq.PUSH, room=10):
        self.context = zmq.Context()
        self.socket = self.context.socket(kind)
        self.socket.sndhwm = room
        if address:
            self.socket.connect(address)
        else:
            self.socket.bind(HERE)
        self.address = address or self.socket.last_endpoint.decode()
        self.sent, self.over = 0, False
        self.thread = threading.Thread(target=self.send, args=(messages, ), daemon=True)
        self.thread.start()

    def send(self, messages):
        if self.socket.type == zmq.XPUB:
            self.socket.recv()  # who listens
        for message in messages:
            while not self.socket.poll(20, zmq.POLLOUT):
                if self.over:
                    return
            self.socket.send_multipart(message)
            self.sent += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Messages that nobody wants are dropped."""
        self.over = True
        self.thread.join()
        self.socket.close(linger=0)
        self.context.term()


class Run:
    """A run in the background."""

    def __init__(self, line, memory=""):
        self.graph = Sino.Graph.new_from_launch(line)
        self.runner = Sino.Runner(device="native", memory=memory)
        self.said, self.results, self.cancellable = [], [], Gio.Cancellable()
        self.runner.connect("message", lambda *words: self.said.append(words[-1]))
        self.runner.run_async(self.graph, self.cancellable, lambda _, result: self.results.append(result))

    def end(self):
        finish(self.runner, self.results)
        return self

    def cancel(self):
        self.cancellable.cancel()
        raises(Gio.IOErrorEnum.CANCELLED, "cancelled", self.end)


def path(name):
    return f"{FOLDER.name}/{name}"


def receive(sender, words, chain="", name="received.h5"):
    """What is received, and what the run said."""
    words += "" if "timeout=" in words else " timeout=20"
    run = Run(f"receive address={sender.address} {words} ! {chain} write path={path(name)} overwrite=true").end()
    with h5py.File(path(name)) as file:
        return file["/exchange/data"][:], run.said


def received(messages, words, chain=""):
    with Sender(messages) as sender:
        return receive(sender, words, chain)


def refused(code, message, messages, words):
    with Sender(messages) as sender:
        return raises(code, message, receive, sender, words)
