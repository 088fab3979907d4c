#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs on the page: what it shows, pausing, cancelling, live planes. Costs 5 s, of which 2 are waits. usage: runs.py SINOGRAPH"""
import json
import os
import time

import numpy
import tap
import tifffile
from program import call
from served import Served, folder, near
from tap import check, same

LONG = "simulate width=384 height=96 projections=900 ! reconstruct method=direct"


def test_a_run():
    """Numbers and pictures are those of the run, and the last state tells how it ended."""
    with folder() as place:
        with Served("launch", "--monitor", "--threads=1", f"{LONG} ! write path={place}/%03i.tif") as page:
            seen, version = [], 0
            for state in page.events():
                run = state["run"]
                seen.append(run)
                for picture in run.get("pictures", ()):
                    if picture["version"] > version and run["state"] == "running":
                        version = picture["version"]
                        shown, headers = page.picture(f"/run/picture?name={picture['name']}")
                        number = int(picture["title"].split()[1])
            same(page.wait(), 0)
            same(seen[-1]["state"], "done")
            running = [run for run in seen if run["state"] == "running"]
            same(running[-1]["nodes"][-1]["inputs"], ["reconstruct/back-project"])
            check(all(0 <= node["busy"] <= 1 for run in running for node in run["nodes"]), "busy")
            fractions = [run["progress"]["fraction"] for run in running]
            same(fractions, sorted(fractions))
            memory = seen[-1]["memory"]
            check(0 < memory["peak"] <= memory["planned"] <= memory["limit"], memory)
            same(seen[-1]["progress"]["slices-done"], 96)
            check(seen[-1]["bottleneck"] in [node["name"] for node in running[-1]["nodes"]], seen[-1]["bottleneck"])
            check(version > 0, "no picture came")
            made = tifffile.imread(f"{place}/{number:03}.tif")
            if headers["Sino-Version"] == str(version):
                near(shown, made, 1e-4)


def test_pause_and_cancel():
    """A paused run does nothing, goes on, and ends with 130 when the page cancels it; no file is left."""
    with folder() as place:
        with Served("launch", "--monitor", "--threads=1", f"{LONG} ! write path={place}/%03i.tif") as page:
            events = page.events()
            next(state for state in events if state["run"].get("progress", {}).get("slices-done", 0) > 0)
            same(page.post("/run/pause"), (200, {}))
            counts = [-1, 0]
            end = time.monotonic() + 20
            while counts[-1] != counts[-2] and time.monotonic() < end:  # what was read goes through
                time.sleep(.5)
                paused = page.json("/state")["run"]
                counts.append(next(node["blocks-out"] for node in paused["nodes"] if node["name"] == "simulate"))
            same(counts[-1], counts[-2])
            same((paused["state"], paused["can-pause"]), ("paused", True))
            same(page.post("/run/resume"), (200, {}))
            next(state for state in events
                 if any(node["name"] == "simulate" and node["blocks-out"] > counts[-1] for node in state["run"]["nodes"])
                 or state["run"]["state"] == "done")
            same(page.post("/run/cancel"), (200, {}))
            *_, last = events
            same((last["run"]["state"], page.wait()), ("cancelled", 130))
            check("interrupted" in page.error(), page.error())
            check(not [name for name in os.listdir(place) if not name.endswith((".tif", ".journal"))], os.listdir(place))


def test_a_run_that_fails():
    """The page tells why."""
    with folder() as place:
        os.mkdir(f"{place}/in")
        for number in range(40):
            tifffile.imwrite(f"{place}/in/{number:02}.tif", numpy.ones((300, 300), "f4"))
        with Served("launch", "--monitor", "--threads=1",
                    f"read path={place}/in angles=0:180 ! minus-log ! reconstruct method=direct ! write path={place}/v.h5") as page:
            os.truncate(f"{place}/in/39.tif", 500)
            *_, last = page.events()
            status = page.wait()
            check((last["run"]["state"], status) in (("failed", 1), ("done", 0)), (last["run"]["state"], status))
            check(status == 0 or "39.tif" in last["run"]["message"], last["run"]["message"])
    status, _, error = call("launch", "--monitor", "read path=/nothing ! null")
    check(status in (1, 2) and "/nothing" in error, error)


def test_live_planes():
    """Planes of a node 'live' move, come and go, and their pictures are pictures."""
    with folder() as place:
        line = f"simulate width=96 height=32 projections=30000 photons=0 ! live planes=z=16 axis=48 mode=ring window=40 path={place}/p-%i.tif"
        status, _, error = call("check", line)
        if status != 0:
            line = "simulate width=96 height=32 projections=30000 ! live planes=z=16"
        with Served("launch", "--monitor", "--threads=1", "--memory=2G", line) as page:
            same(page.post("/run/plane", node="live", number=-1, plane="x=0")[0], 200) if started(page) else None
            for state in page.events():
                names = [picture["name"] for picture in state["run"].get("pictures", ())]
                if "live/1" in names:
                    break
            same([one["plane"] for one in state["run"]["live"][0]["planes"]], ["z=16", "x=0"])
            shown, _ = page.picture("/run/picture?name=live/0")
            same(shown.shape, (96, 96))
            same(page.post("/run/plane", node="live", number=1, plane="z=3")[0], 200)
            same(page.post("/run/plane", node="live", number=1, plane="")[0], 200)
            for wrong in ({"node": "live", "number": 0, "plane": "q=3"}, {"node": "other", "number": 0, "plane": "z=3"},
                          {"node": "live"}, {"node": "live", "number": "x", "plane": "z=3"}):
                check(page.post("/run/plane", **wrong)[0] in (400, 404), wrong)
            same(page.post("/run/live", node="live", property="axis", value="47.5")[0], 200)
            same(page.post("/run/live", node="live", property="planes", value="z=1")[0], 400)
            same(page.ask("/run/picture?name=live/9")[0], 404)
            same(page.post("/run/cancel")[0], 200)
            same(page.wait(), 130)


def started(page):
    for state in page.events():
        if state["run"]["state"] == "running":
            return True


def test_events_of_the_program():
    """With --progress=json the address is an event; with --quiet it is all that is printed."""
    status, out, error = call("launch", "--monitor", "--progress=json", "simulate width=8 height=2 projections=4 ! null")
    same((status, error), (0, ""))
    first = json.loads(out.splitlines()[0])
    check(first["event"] == "page" and "?token=" in first["url"] and first["ssh"].startswith("ssh "), first)
    status, out, error = call("launch", "--monitor", "-q", "simulate width=8 height=2 projections=4 ! null")
    same((status, error, out.count("\n")), (0, "", 2))
    check(out.startswith("page: http://localhost:"), out)


tap.main(globals())
