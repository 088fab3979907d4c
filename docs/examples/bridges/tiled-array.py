#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Reconstructs an array that grows in bluesky's Tiled, read over HTTP. The array is (frame, row, column).

    ./tiled-array.py http://localhost:8000 scans/42/projections \\
        "app-source frames=1800 ! flat-field ! reconstruct axis=1021.5 ! write path=slices.h5" \\
        --darks scans/42/darks --flats scans/42/flats --run scans/42

The environment variable TILED_API_KEY is the key, if the server wants one. Needs no package of Tiled.
"""
import json
import os
import sys
import time
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import numpy
import scan
import sinograph

AT_ONCE = 32 << 20  # bytes of a request
PATIENCE = 30  # seconds for an answer


def options():
    made = scan.parser(__doc__.partition("\n")[0], server="as http://localhost:8000",
                       path="of the projections, as scans/42/projections; may come later")
    made.add_argument("--darks", metavar="PATH", help="of an array that is complete")
    made.add_argument("--flats", metavar="PATH", help="of an array that is complete")
    made.add_argument("--run", metavar="PATH",
                      help="of a container: the scan ends when its metadata have 'stop', as bluesky's")
    made.add_argument("--every", type=float, default=0.5, metavar="SECONDS", help="how often to look (default: 0.5)")
    return made.parse_args()


class Server:
    def __init__(self, address):
        self.address = address.rstrip("/") + "/api/v1"

    def get(self, kind, path, query=""):
        """What the server answers, or None where there is nothing yet."""
        headers = {"Accept": "application/json" if kind == "metadata" else "application/octet-stream"}
        if "TILED_API_KEY" in os.environ:
            headers["Authorization"] = f"Apikey {os.environ['TILED_API_KEY']}"
        request = Request(f"{self.address}/{kind}/{quote(path.strip('/'))}{query}", headers=headers)
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                return answer.read()
        except HTTPError as error:
            if error.code == 404:
                return None
            raise sinograph.Error(f"{path}: the server answers {error.code} {error.reason}" + (
                ": set TILED_API_KEY" if error.code in (401, 403) else "")) from None
        except OSError as error:
            raise sinograph.Error(f"{self.address}: {getattr(error, 'reason', error)}") from None

    def about(self, path):
        """The metadata of a node and its structure, or None."""
        answer = self.get("metadata", path)
        return json.loads(answer)["data"]["attributes"] if answer else None

    def structure(self, path):
        """Shape and type of an array of frames, or None."""
        about = self.about(path)
        if about is None:
            return None
        if about["structure_family"] != "array":
            raise sinograph.Error(f"{path} is a {about['structure_family']}, an array is wanted")
        shape, kind = about["structure"]["shape"], about["structure"]["data_type"]
        if len(shape) < 3 or any(length != 1 for length in shape[1:-2]):
            raise sinograph.Error(f"{path} has the shape {tuple(shape)}, (frame, row, column) is wanted")
        order = {"little": "<", "big": ">"}.get(kind["endianness"], "|")
        return shape, numpy.dtype(f"{order}{kind['kind']}{kind['itemsize']}")

    def frames(self, path, shape, kind, begin, end, rows=None):
        """Frames of an array, from begin up to end, or these rows of them, in requests that are not too large."""
        top, bottom = rows or (0, shape[-2])
        at_once = max(1, AT_ONCE // ((bottom - top) * shape[-1] * kind.itemsize))
        between = ":," * (len(shape) - 3)
        for first in range(begin, end, at_once):
            last = min(end, first + at_once)
            answer = self.get("array/full", path, f"?slice={first}:{last},{between}{top}:{bottom}")
            yield from numpy.frombuffer(answer, kind).reshape(-1, bottom - top, shape[-1])

    def filled(self, path, shape, kind, begin):
        """How many frames there are up to the last one from begin on whose middle row has values, or 0."""
        middle = shape[-2] // 2
        rows = self.frames(path, shape, kind, begin, shape[0], (middle, middle + 1))
        return max((number + 1 for number, row in enumerate(rows, begin) if row.any()), default=0)


def frames(server, given):
    """The frames of the scan."""
    for kind, path in ("dark", given.darks), ("flat", given.flats):
        if path:
            found = server.structure(path)
            if found is None:
                raise sinograph.Error(f"{path}: there is no such array")
            yield from ((kind, 0, frame) for frame in server.frames(path, *found, 0, found[0][0]))
    count, filled, waits = 0, 0, False
    while True:
        stopped = given.run and "stop" in ((server.about(given.run) or {}).get("metadata") or {})
        found = server.structure(given.path)
        if found is None and not waits:
            scan.tell(f"{given.path} is not there yet")
            waits = True
        before = count
        for frame in server.frames(given.path, *found, count, found[0][0]) if found else ():
            if count >= filled and not stopped and not frame.any():
                # Tiled shows an array before its values have come. If later ones have, this frame is read again and
                # taken as it is then.
                filled = server.filled(given.path, *found, count + 1)
                break
            yield "projection", count, frame
            count += 1
        if count > before:
            continue
        if stopped:
            return
        yield None
        time.sleep(given.every)


def main():
    given = options()
    one = scan.Scan(given.graph, given.device, given.timeout)
    one.run(frames(Server(given.server), given), scan.say)


if __name__ == "__main__":
    sys.exit(scan.main(main))
