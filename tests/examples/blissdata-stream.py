#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The bridge to blissdata: scans that blissdata itself writes to a server of fakeredis in this process."""
import socket
import tempfile
import threading
import time
from contextlib import contextmanager
from unittest import SkipTest, mock

import bridge
import numpy
import tap
from bridge import COUNT, DARKS, FLATS, PROJECTIONS

try:
    import h5py
    import redis
    import redis_om
    from blissdata.redis_engine.store import DataStore
    from blissdata.streams.default import Stream
    from blissdata.streams.lima import LimaStream
    from fakeredis import TcpFakeServer
except ImportError as error:
    blissdata, REASON = None, str(error)
else:
    blissdata = True

SHAPE = PROJECTIONS.shape[1:]
IDENTITY = {"name": "tomo", "number": 1, "data_policy": "none", "session": "test", "proposal": "p", "collection": "c",
            "dataset": "d"}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextmanager
def served():
    """A database that blissdata has set up, without the search, which the bridge does not use."""
    if not blissdata:
        raise SkipTest(f"{REASON}: pip install blissdata 'fakeredis[json,lua]'")
    port = free_port()
    server = TcpFakeServer(("127.0.0.1", port), server_type="redis")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"redis://127.0.0.1:{port}"
    modules = mock.patch.object(redis.Redis, "module_list", lambda self: [{b"name": b"ReJSON"}, {b"name": b"search"}])
    with modules, mock.patch("blissdata.redis_engine.store.Migrator"):
        store = DataStore(address, init_db=True)
    yield store, address
    server.shutdown()
    server.server_close()


def begun(address, graph, *options):
    return bridge.started("blissdata-stream.py", address, "camera:image", graph, *options)


@contextmanager
def written(store, definition=None):
    """A scan and its stream. Its end seals the stream."""
    one = store.create_scan(IDENTITY)
    stream = one.create_stream(definition or Stream.make_definition("camera:image", numpy.uint16, SHAPE))
    one.prepare()
    one.start()
    yield one, stream
    stream.seal()
    one.stop()
    one.close()


def send(stream, frames):
    for frame in frames:
        stream.send(frame)
    stream.join()


def keys(store):
    """Scans of darks and flats."""
    made = []
    for frames in DARKS, FLATS:
        with written(store) as (one, stream):
            send(stream, frames)
        made.append(one.key)
    return [f"--darks={made[0]}", f"--flats={made[1]}"]


def test_live():
    with served() as (store, address), begun(address, bridge.graph(), "--darks=next", "--flats=next") as one:
        one.says("waits for the next scan")
        keys(store)
        with written(store) as (_, stream):
            send(stream, PROJECTIONS[:12])
            time.sleep(0.5)
            send(stream, PROJECTIONS[12:])
            one.ends(0, f"slice 2: mean {bridge.wanted()[2].mean():.5f}")


def test_references_of_lima():
    """Frames in files that are complete one after the other."""
    with served() as (store, address), tempfile.TemporaryDirectory() as folder:
        saving = {"file_path": f"{folder}/%04d.h5", "data_path": "entry/data", "file_format": "hdf5", "file_offset": 0,
                  "frames_per_file": 10}
        definition = LimaStream.make_definition("camera:image", numpy.uint16, SHAPE, "no/server", 0, COUNT, 0, saving)
        options = keys(store)
        options.append("--scan=last")
        with written(store, definition) as (_, stream), begun(address, bridge.graph(), *options) as one:
            for number in range(3):
                with h5py.File(saving["file_path"] % number, "w") as file:
                    file["entry/data"] = PROJECTIONS[10 * number:10 * number + 10]
                stream.send({"last_index": 10 * number + 9, "last_index_saved": 10 * number + 9})
                stream.join()
                time.sleep(0.3)
            stream.seal()
            one.says(f"slice 2: mean {bridge.wanted()[2].mean():.5f}")
            one.ends(0, "30 projections, lost none")


def test_gap_early_end_and_errors():
    with served() as (store, address):
        options = keys(store)
        with written(store) as (scan, stream):
            for frame in PROJECTIONS[:25]:
                send(stream, [frame])
            store._redis.xtrim(stream.key, maxlen=20, approximate=False)  # as Redis does when its memory is short
        key = f"--scan={scan.key}"
        with begun(address, bridge.graph("missing=skip short-scan=finish"), *options, key) as one:
            one.ends(0, r"20 projections, lost \[0, 1, 2, 3, 4\]")
        with begun(address, bridge.graph("missing=interpolate"), *options, key) as one:
            one.ends(1, "error: 'camera' .* after 25 of 30 frames")
        with begun(address, bridge.graph(), *options, key.replace("--scan", "--flats")) as one:
            one.says("waits for the next scan")
            one.interrupt()
            one.ends(130, "interrupted")
        with bridge.started("blissdata-stream.py", address, "other", bridge.graph(), key) as one:
            one.ends(1, "error: the scan .* has no stream other, but camera:image")
        with begun(address, bridge.graph(), "--scan=esrf:scan:none") as one:
            one.ends(1, "error: redis://.* deleted from Redis, or key is wrong")
    with begun(address, bridge.graph()) as one:
        one.ends(1, f"error: {address}: ")


tap.main(globals())
