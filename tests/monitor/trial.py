#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A slice by eye is the slice that the printed command makes. Costs 6 s. usage: trial.py SINOGRAPH"""
import os
import shlex
import subprocess

import h5py
import numpy
import tap
import tifffile
from program import PROGRAM, call
from served import Served, folder, near
from tap import check, same

CLOSE = 1e-3  # of the largest value, as docs/design/fourier.md says


def simulate(place, *words):
    status, _, error = call("launch", f"simulate {' '.join(words)} ! write path={place}/scan.h5", "-q")
    same((status, error), (0, ""))
    return f"{place}/scan.h5"


def slices_of(command, place):
    """What a printed command makes, all rows."""
    words = shlex.split(command)
    same(words[0], "sinograph")
    out = f"{place}/out{len(os.listdir(place))}"
    subprocess.run([PROGRAM, *words[1:], out, "-q", "--device=native"], check=True, timeout=60)
    return numpy.stack([tifffile.imread(f"{out}/slices/{name}") for name in sorted(os.listdir(f"{out}/slices"))
                        if name.endswith(".tif")])


def compare(page, place, row, query, wanted=CLOSE):
    shown, headers = page.picture(f"/trial?row={row}&{query}")
    same(headers["Sino-Full"], "1")
    made = slices_of(page.json(f"/trial/graph?row={row}&{query}")["command"], place)[row]
    inside = numpy.hypot(*(numpy.indices(made.shape) - made.shape[0] / 2 + .5)) < .45 * made.shape[0]
    near(shown[inside], made[inside], wanted)
    return shown


def test_parallel():
    """Axis, window, cutoff, rings, tilt, together, too; quick pictures are the same with fewer pixels."""
    with folder() as place:
        scan = simulate(place, "width=160 height=12 projections=200 axis=84.5 supersampling=2")
        with Served("view", "--no-browser", "--values=attenuation", scan) as page:
            known = page.json("/state")["scan"]
            same([known["geometry"], known["rows"], known["error"]], ["parallel", 12, ""])
            axis = next(one for one in known["parameters"] if one["name"] == "axis")
            same(axis["value"], 84.5)
            usual = compare(page, place, 5, "axis=84.5")
            other = compare(page, place, 5, "axis=80&window=hann&cutoff=0.8")
            check(numpy.abs(usual - other).max() > .1 * usual.max(), "another axis changes nothing")
            compare(page, place, 5, "axis=84.5&rings=true")
            # 'rotate' turns about the middle of the rows that are read, which is not the middle of all.
            compare(page, place, 2, "axis=84.5&tilt=4", .03)
            quick, headers = page.picture("/trial?row=5&axis=84.5&quick=1")
            near(quick.mean(), usual.mean(), 1e-2)


def test_joined():
    """Projections of a whole turn whose axis is at a side are joined."""
    with folder() as place:
        scan = simulate(place, "width=100 height=4 projections=360 axis=30 angles=0:360")
        with Served("view", "--no-browser", "--values=attenuation", scan) as page:
            shown = compare(page, place, 1, "axis=30")
            check(shown.shape[0] > 100, shown.shape)
            same(compare(page, place, 1, "axis=50").shape, (100, 100))


def test_cone():
    """Distances and axis of a cone beam."""
    with folder() as place:
        scan = simulate(place, "width=64 height=48 projections=90 angles=0:360 source-origin=300 origin-detector=200 pixel-size=1")
        with Served("view", "--no-browser", "--values=attenuation", "--source-origin=300", "--origin-detector=200",
                    "--pixel-size=1", "--angles=0:360", scan) as page:
            names = [one["name"] for one in page.json("/state")["scan"]["parameters"]]
            same(names, ["axis", "source-origin", "origin-detector"])
            first = compare(page, place, 20, "axis=32&source-origin=300&origin-detector=200")
            other = compare(page, place, 20, "axis=34&source-origin=250&origin-detector=200")
            check(numpy.abs(first[:60, :60] - other[:60, :60]).max() > .1 * first.max(), "nothing changes")
            same(page.picture("/trial?row=20&quick=1")[0].ndim, 2)


def test_found_axis():
    """The axis of a scan that has none is found in the background."""
    with folder() as place:
        scan = simulate(place, "width=160 height=24 projections=180 axis=77.25")
        with h5py.File(scan, "r+") as file:
            del file["exchange/rotation_axis"]
        with Served("view", "--no-browser", "--values=attenuation", scan) as page:
            check("--axis" not in page.json("/trial/graph")["command"] or not page.json("/state")["scan"]["searching"],
                  "the middle stands for the axis")
            for state in page.events():
                axis = next(one["value"] for one in state["scan"]["parameters"] if one["name"] == "axis")
                if axis != 80:
                    break
            check(abs(axis - 77.25) < .3, axis)


def test_several_axes():
    """A scan with an axis for each projection has no axis to change, and keeps its own."""
    with folder() as place:
        scan = simulate(place, "width=96 height=4 projections=120 axis=48")
        with h5py.File(scan, "r+") as file:
            del file["exchange/rotation_axis"]
            file["exchange/rotation_axis"] = 48 + 4 * numpy.sin(numpy.arange(120.0))
        with Served("view", "--no-browser", "--values=attenuation", scan) as page:
            check("axis" not in [one["name"] for one in page.json("/state")["scan"]["parameters"]], "an axis")
            compare(page, place, 2, "rings=false")
            check("--axis" not in page.json("/trial/graph?row=2")["command"], "an axis")


def test_run():
    """A run from the page makes the slices of its command, beside the scan."""
    with folder() as place:
        scan = simulate(place, "width=96 height=6 projections=120 axis=48")
        with Served("view", "--no-browser", "--values=attenuation", scan) as page:
            values = {"axis": 45.5, "rings": True}
            for name in "", "../x", "a/b", ".hidden":
                same(page.post("/trial/run", values=values, output=name)[0], 400)
            same(page.post("/trial/run", values={"axis": "x"}, output="mine")[0], 400)
            same(page.post("/trial/run", values=values, output="mine")[0], 200)
            for state in page.events():
                if state["run"]["state"] not in ("preparing", "running"):
                    break
            same((state["run"]["state"], state["run"]["progress"]["slices-done"]), ("done", 6))
            same(sorted(os.listdir(f"{place}/mine")), ["graph.json", "preview.png", "slices"])
            made = slices_of(page.json("/trial/graph?axis=45.5&rings=true")["command"], place)
            near(tifffile.imread(f"{place}/mine/slices/slice-00003.tif"), made[3], 1e-6)
            same(page.post("/trial/run", values=values, output="mine")[0], 409)


def test_refused():
    """Parameters that are unknown or wrong, and scans that lack something."""
    with folder() as place:
        scan = simulate(place, "width=64 height=4 projections=60")
        with Served("view", "--no-browser", "--values=attenuation", scan) as page:
            for query in "axis=x", "axis=nan", "window=round", "rings=maybe", "other=1", "row=4", "quick=2":
                status, _, body = page.ask("/trial?" + query)
                check(status == 400 and b'"error"' in body, (query, status, body))
            status, _, body = page.ask("/trial?phase=true")
            check(status == 422 and b"phase" in body, (status, body))
            status, _, body = page.ask("/trial?axis=1000")
            check(status == 422, (status, body))
        with h5py.File(f"{place}/counts.h5", "w") as file:
            file["exchange/data"] = numpy.full((60, 4, 64), 900, "u2")
            file["exchange/theta"] = numpy.arange(60) * 3.0
        with Served("view", "--no-browser", f"{place}/counts.h5") as page:
            check("--flats=" in page.json("/state")["scan"]["error"], page.json("/state")["scan"])
            same(page.ask("/trial?axis=3")[0], 404)


tap.main(globals())
