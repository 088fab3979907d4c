#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Reconstructs a camera's stream of ESRF's blissdata: frames in Redis, or those to which Lima's references lead.

    ./blissdata-stream.py redis://localhost:25002 pcolinux:image \\
        "app-source frames=1800 ! flat-field ! reconstruct axis=1021.5 ! write path=slices.h5" --darks next --flats next

This waits for the next three scans: of darks, flats and projections.
"""
import sys

import redis
import scan
import sinograph
from blissdata.exceptions import EndOfStream, NoScanAvailable, ScanLoadError
from blissdata.redis_engine.scan import ScanState
from blissdata.redis_engine.store import DataStore

MOMENT = 0.2  # seconds


def options():
    made = scan.parser(__doc__.partition("\n")[0], redis="address of the database, as redis://localhost:25002",
                       stream="of the frames, as pcolinux:image")
    for kind in "darks", "flats":
        made.add_argument(f"--{kind}", metavar="SCAN", help=f"scan of {kind}: its key, or next")
    made.add_argument("--scan", default="next", help="scan of projections: its key, last or next (default: next)")
    return made.parse_args()


class Database:
    """Scans, one after the other: next is the next one after those that were there at the start."""

    def __init__(self, address):
        self.store = DataStore(address)
        self.since = self.store.get_last_scan_timetag()

    def wait_for(self, key):
        """Gives None until the scan is there, and then the scan."""
        if key == "next":
            scan.tell("waits for the next scan")
        while key == "next":
            try:
                self.since, key = self.store.get_next_scan(since=self.since, timeout=MOMENT)
            except NoScanAvailable:
                yield None
        if key == "last":
            key = self.store.get_last_scan()[1]
        scan.tell(f"scan {key}")
        yield self.store.load_scan(key)

    def frames(self, key, name):
        """(number, image) of a scan, and None from time to time."""
        for one in self.wait_for(key):
            if one is None:
                yield None
        while name not in one.streams and one.state < ScanState.CLOSED:
            if not one.update(timeout=MOMENT):
                yield None
        if name not in one.streams:
            raise sinograph.Error(f"the scan {one.key} has no stream {name}, but {', '.join(one.streams) or 'none'}")
        cursor = one.streams[name].cursor()
        while True:
            try:
                view = cursor.read(timeout=MOMENT)
            except EndOfStream:
                return
            if view is None:
                yield None
                continue
            for number in range(view.index, view.index + len(view)):
                at = number - view.index
                try:
                    yield number, view.get_data(at, at + 1)[0]
                except IndexError:  # Redis or Lima have no room for it any more: a gap, as the graph will see
                    yield None


def frames(given):
    try:
        database = Database(given.redis)
        for kind, key in ("dark", given.darks), ("flat", given.flats), ("projection", given.scan):
            for frame in database.frames(key, given.stream) if key else ():
                yield frame and (kind, *frame)
    except (redis.RedisError, ScanLoadError, NoScanAvailable) as error:
        raise sinograph.Error(f"{given.redis}: {error or type(error).__name__}") from None


def main():
    given = options()
    scan.Scan(given.graph, given.device, given.timeout).run(frames(given), scan.say)


if __name__ == "__main__":
    sys.exit(scan.main(main))
