#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The bridge to Tiled: a server of Tiled in this process, whose array grows."""
import json
import logging
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import SkipTest
from urllib.parse import parse_qs, urlsplit

import bridge
import numpy
import sinograph
import tap
from bridge import COUNT, DARKS, FLATS, PROJECTIONS
from tap import check, same

try:
    from tiled.client import from_uri
    from tiled.server import SimpleTiledServer
except ImportError as error:
    tiled, REASON = None, str(error)
else:
    tiled = True


def without(*numbers):
    """Projections some of which are zero."""
    made = PROJECTIONS.copy()
    made[list(numbers)] = 0
    return made


ZEROS, ZEROS_AT_END = without(0, 7, 8), without(7, COUNT - 2, COUNT - 1)


@contextmanager
def served():
    """A client of a server that has darks and flats."""
    if not tiled:
        raise SkipTest(f"{REASON}: pip install 'tiled[server]'")
    logging.disable(logging.WARNING)
    with SimpleTiledServer() as server:
        client = from_uri(server.uri)
        run = client.create_container("scan", metadata={"start": {"uid": "1"}})
        run.write_array(DARKS, key="darks")
        run.write_array(FLATS, key="flats")
        address, _, key = server.uri.partition("/api/v1?api_key=")
        yield run, address, key


def begun(served, path, graph, *options):
    _, address, key = served
    return bridge.started("tiled-array.py", address, f"scan/{path}", graph, "--darks=scan/darks", "--flats=scan/flats",
                          "--every=0.05", *options, environment={"TILED_API_KEY": key} if key else {})


def grow(run, key, parts):
    """Writes an array in parts, while it is read."""
    array = None
    for part in parts:
        if array is None:
            array = run.write_array(part, key=key)
        else:
            array.patch(part, offset=(array.shape[0],), extend=True)
        time.sleep(0.1)


def all_tests(server):
    run = server[0]

    def test_grows():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "slices.h5"
            with begun(server, "grows", bridge.graph(end=f"write path={path}")) as one:
                one.says("scan/grows is not there yet")
                grow(run, "grows", numpy.split(PROJECTIONS, (1, 12, 20)))
                one.ends(0, "30 projections, lost none")
            graph = sinograph.Graph(f"read path={path} ! app-sink name=slices whole=true")
            graph.run("native")
            check(numpy.array_equal(graph["slices"].pull(), bridge.wanted()), "other slices")

    def test_zeros():
        grow(run, "zeros", [ZEROS])
        with begun(server, "zeros", bridge.graph()) as one:
            one.ends(0, f"slice 2: mean {bridge.wanted(ZEROS)[2].mean():.5f}")

    def test_early_end():
        grow(run, "short", [PROJECTIONS[:20]])
        with begun(server, "short", bridge.graph("short-scan=finish"), "--timeout=0.5") as one:
            one.says("slice 2: mean")
            one.ends(0, "no frame for 0.5 s: the scan has ended")
        with begun(server, "short", bridge.graph(), "--run=scan") as one:
            run.update_metadata({"start": {"uid": "1"}, "stop": {"exit_status": "abort"}})
            one.ends(1, "error: 'camera' .* after 20 of 30 frames")

    def test_errors():
        with bridge.existing() as path, begun(server, "short", bridge.graph(end=f"write path={path}")) as one:
            one.ends(1, "error: 'write': .* exists")
        with begun((run, server[1], "wrong"), "short", bridge.graph()) as one:
            one.ends(1, "error: scan/darks: the server answers 401 .*: set TILED_API_KEY")
        with begun(server, "", bridge.graph()) as one:
            one.ends(1, "error: scan/ is a container, an array is wanted")
        with begun(server, "short", bridge.graph(), "--flats=scan/missing") as one:
            one.ends(1, "error: scan/missing: there is no such array")

    def test_ctrl_c():
        grow(run, "begun", [PROJECTIONS[:20]])
        for path, said in ("never", "scan/never is not there yet"), ("begun", "the scan has begun"):
            with begun(server, path, bridge.graph("short-scan=finish")) as one:
                one.says(said)
                one.interrupt()
                one.ends(130, "interrupted")

    return test_grows, test_zeros, test_early_end, test_errors, test_ctrl_c


class Recorded(BaseHTTPRequestHandler):
    """Answers as Tiled 0.2.20 has given them, in what the bridge reads. The array grows each time it is looked at."""
    count, asked = 0, 0
    arrays = {"darks": DARKS, "flats": FLATS, "frames": PROJECTIONS, "late": PROJECTIONS, "zeros": ZEROS,
              "zeros-at-end": ZEROS_AT_END}

    def log_message(self, *_):
        pass

    def do_GET(self):
        place = urlsplit(self.path)
        _, _, _, kind, rest = place.path.split("/", 4)
        name = rest.rpartition("/")[2]
        values = Recorded.arrays.get(name)
        if kind == "metadata":
            body = self.about(name, values)
        else:
            body = self.values(name, values, parse_qs(place.query)["slice"][0])
        self.send_response(404 if body is None else 200)
        self.end_headers()
        self.wfile.write(body or b"{}")

    def values(self, name, values, parts):
        parts = [slice(*(int(one) if one else None for one in part.split(":"))) for part in parts.split(",")]
        if name == "late" and not Recorded.asked:
            values = numpy.where(numpy.arange(COUNT)[:, None, None] < 10, values, 0).astype(values.dtype)
        Recorded.asked += name == "late"
        return values[:, None][tuple(parts)].tobytes()

    def about(self, name, values):
        if name == "scan":
            stopped = {"stop": {"exit_status": "success"}} if Recorded.count >= COUNT else {}
            attributes = {"structure_family": "container", "metadata": {"start": {"uid": "1"}, **stopped}}
        elif values is None:
            return None
        else:
            count = len(values)
            if name == "frames":
                count = Recorded.count = min(COUNT, Recorded.count + 11)
            kind = {"endianness": "little", "kind": "u", "itemsize": 2, "dt_units": None}
            attributes = {"structure_family": "array", "metadata": {},
                          "structure": {"data_type": kind, "shape": [count, 1, *values.shape[1:]]}}
        return json.dumps({"data": {"attributes": attributes}}).encode()


@contextmanager
def recorded():
    """The address of a server that needs no Tiled, as the bridge does not."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Recorded)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def test_recorded_answers():
    with recorded() as address:
        longer = bridge.graph("short-scan=finish").replace("=30", "=40")
        with begun((None, address, ""), "frames", longer, "--run=scan") as one:
            one.says("slice 2: mean")
            one.ends(0, "30 projections, lost none")
        with begun((None, address, ""), "frames", bridge.graph()) as one:
            one.ends(0, f"slice 2: mean {bridge.wanted()[2].mean():.5f}")
        with begun((None, address, ""), "frames", "phantom ! app-sink") as one:
            one.ends(1, "error: the graph does not begin with app-source")
        with begun((None, address, ""), "frames", bridge.graph(), "--darks=scan/missing") as one:
            one.ends(1, "error: scan/missing: there is no such array")
    with begun((None, address, ""), "frames", bridge.graph()) as one:
        one.ends(1, f"error: {address}/api/v1: .*refused")


def test_zeros():
    """Frames of zeros are those that have not come yet, or a camera without light."""
    with recorded() as address:
        for path, wanted in ("late", PROJECTIONS), ("zeros", ZEROS):
            with begun((None, address, ""), path, bridge.graph()) as one:
                one.ends(0, f"slice 2: mean {bridge.wanted(wanted)[2].mean():.5f}")
        short = bridge.graph("short-scan=finish")
        with begun((None, address, ""), "zeros-at-end", short, "--timeout=2") as one:
            one.ends(0, "28 projections, lost none")
        Recorded.count = COUNT
        with begun((None, address, ""), "zeros-at-end", bridge.graph(), "--run=scan") as one:
            one.ends(0, f"slice 2: mean {bridge.wanted(ZEROS_AT_END)[2].mean():.5f}")


def test_tiled():
    with served() as server:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda test: test(), all_tests(server)))


tap.main(globals())
