#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""How fast `live` is: whole scans, frames per second, from a frame to a picture, and planes that are moved.

usage: live.py [--threads N] [--rate FRAMES] [--seconds N]

Frames are u16 with darks and flats; they are pushed from memory, as fast as the run takes them or one at a time. With
--rate, so many frames of 1024 x 1024 come in each second, into three pictures, and none waits for room; a picture is
pulled 30 times in a second.
"""
import argparse
import statistics
import threading
import time

import numpy as np
import sinograph

PLANES = "z x=10 y=-20"


def frames_of(rows, columns):
    """A few frames, which come again and again: values do not matter."""
    random = np.random.default_rng(1)
    return random.integers(20000, 40000, (8, rows, columns), dtype=np.uint16)


class Scan:
    def __init__(self, rows, columns, views, side, threads, cone=False):
        self.frames, self.views, self.threads = frames_of(rows, columns), views, threads
        self.graph = sinograph.Graph(f"app-source name=camera rows={rows} columns={columns} frames={views} max-buffers=8 ! "
                                     "flat-field ! live name=live")
        self.graph.set("live", planes=PLANES, size=side, pixel=columns / side)
        self.camera, self.live = self.graph["camera"], self.graph["live"]
        self.camera.push_darks(np.full((1, rows, columns), 100, np.uint16))
        self.camera.push_flats(np.full((1, rows, columns), 60000, np.uint16))
        geometry = sinograph.Geometry(np.linspace(0, 360 if cone else 180, views, endpoint=False), axis=columns / 2)
        self.camera.set_geometry(geometry.cone(4 * columns, 2 * columns, rows / 2) if cone else geometry)
        self.run = self.graph.start("native", threads=threads)
        self.pushed = 0

    def push(self, some):
        for _ in range(some):
            self.camera.push(self.frames[self.pushed % 8], copy=False)
            self.pushed += 1

    def newest(self, number, projections, newer_than=0):
        while True:
            picture = self.live.pull(number, newer_than=newer_than, timeout=10)
            if picture.projections == projections:
                return picture
            newer_than = picture.version

    def close(self):
        self.push(self.views - self.pushed)
        self.camera.end()
        self.run.wait()


def whole(*problem):
    """Seconds from the second frame, when the run has begun, to the last pictures, and frames per second."""
    scan = Scan(*problem)
    views, threads = scan.views, scan.threads
    scan.push(1)
    scan.newest(0, 1)
    begin, busy = time.perf_counter(), time.process_time()
    scan.push(views - 1)
    for number in range(3):
        scan.newest(number, views)
    seconds, busy = time.perf_counter() - begin, time.process_time() - busy
    scan.close()
    return seconds, busy / threads


def one_by_one(*problem):
    """Milliseconds from a frame to three pictures that hold it; from a wish to the picture of a moved plane."""
    scan = Scan(*problem)
    views, threads = scan.views, scan.threads
    late, busy = [], time.process_time()
    for number in range(views - 2):
        begin = time.perf_counter()
        scan.push(1)
        for plane in range(3):
            scan.newest(plane, number + 1)
        late.append(1e3 * (time.perf_counter() - begin))
    print(f"  from a frame to three pictures: median {statistics.median(late):.1f} ms, 95 % below "
          f"{np.percentile(late, 95):.1f} ms, at least {min(late):.1f} ms; "
          f"{1e3 * (time.process_time() - busy) / (views - 2) / threads:.2f} ms of each processor")
    for name, plane in ("a slice", "z={}"), ("an upright plane", "x={}"), ("a tilted plane", "z={},angle=40,tilt=52"):
        late, busy = [], time.process_time()
        for place in range(11):
            version = scan.live.pull(0).version
            begin = time.perf_counter()
            words = plane.format(place + 2)
            scan.live.move(0, words)
            while True:
                picture = scan.live.pull(0, newer_than=version, timeout=10)
                if picture.plane == words:
                    break
                version = picture.version
            late.append(1e3 * (time.perf_counter() - begin))
        print(f"  {name} from {views - 2} projections: median {statistics.median(late):.1f} ms, at least {min(late):.1f} ms; "
              f"{1e3 * (time.process_time() - busy) / 11 / threads:.1f} ms of each processor")
    scan.close()


def steady(rate, seconds, threads, mode):
    """Frames in even steps of time, and how long after its last byte each is in a picture. Ring: of 500 projections."""
    views, side = int(rate * seconds), 1024
    graph = sinograph.Graph(f"app-source name=camera rows={side} columns={side} frames={views} max-buffers=64 "
                            f"block=false leaky-type=upstream missing=interpolate ! flat-field ! live name=live mode={mode}")
    graph.set("live", planes=PLANES)
    camera, live, frames = graph["camera"], graph["live"], frames_of(side, side)
    camera.push_darks(np.full((1, side, side), 100, np.uint16))
    camera.push_flats(np.full((1, side, side), 60000, np.uint16))
    turn = 180 / views if mode == "scan" else 180 / 500
    camera.set_geometry(sinograph.Geometry(turn * np.arange(views), axis=side / 2))
    run, came, late = graph.start("native", threads=threads), np.zeros(views), []

    def look():
        version = 0
        while (picture := live.pull(0, newer_than=version, timeout=20)) is not None:
            now, version = time.perf_counter(), picture.version
            time.sleep(1 / 30)  # as a screen
            if mode == "scan":  # a ring does not say which is its last
                late.append(1e3 * (now - came[picture.projections - 1]))
    looker = threading.Thread(target=look)
    looker.start()
    time.sleep(5)  # as a stage that begins to turn after the run has begun
    busy, begin = time.process_time(), time.perf_counter()
    for number in range(views):
        time.sleep(max(begin + number / rate - time.perf_counter(), 0))
        came[number] = time.perf_counter()
        camera.push(frames[number % 8], copy=False)
    busy, took, dropped = time.process_time() - busy, time.perf_counter() - begin, camera.dropped
    camera.end()
    try:
        run.wait()
    except sinograph.Error as error:
        print(f"  {error}")
    looker.join()
    print(f"  mode={mode}, {rate} frames/s for {took:.0f} s: {dropped} dropped; processors busy to "
          f"{100 * busy / took / threads:.0f} %" + (f"; from a frame to its picture median {statistics.median(late):.1f} ms, "
          f"95 % below {np.percentile(late, 95):.1f} ms" if late else ""), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rate", type=float, nargs="+", default=[])
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    threads = options.threads
    for rate in options.rate:
        if rate * options.seconds >= 1000:
            steady(rate, options.seconds, threads, "ring")
        steady(rate, min(options.seconds, 3000 / rate), threads, "scan")
    if options.rate:
        return
    for name, rows, columns, cone in (("Buurlage et al. 2019", 520, 768, False), ("frames of 1024 x 1024", 1024, 1024, False),
                                      ("a cone beam", 1024, 1024, True)):
        problem = rows, columns, 400, 1024, threads, cone
        print(f"{name}: 400 projections of {columns} x {rows}, three pictures of 1024 x 1024, {threads} threads")
        seconds = sorted(whole(*problem) for _ in range(5))
        middle, busy = seconds[2]
        print(f"  all projections in three pictures: median {middle:.3f} s, {400 / middle:.0f} frames/s; "
              f"least {seconds[0][0]:.3f} s; {busy:.3f} s of each processor")
        one_by_one(*problem)


main()
