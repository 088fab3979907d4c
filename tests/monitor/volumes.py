#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What the page shows of volumes equals the values of the files, as other programs read them. Costs 3 s. usage: volumes.py SINOGRAPH"""
import os

import h5py
import numpy
import tap
import tifffile
from program import call
from served import Served, folder, near, steps_apart
from tap import check, same

RANDOM = numpy.random.default_rng(5)
VOLUME = RANDOM.normal(size=(14, 37, 50)).astype("f4") + numpy.arange(14, dtype="f4")[:, None, None]
VOLUME[3, 20, 30], VOLUME[3, 21, 30] = numpy.nan, numpy.inf


def slices_of(volume):
    """A slice along each axis."""
    return [(0, 3, volume[3]), (1, 20, volume[:, 20]), (2, 30, volume[:, :, 30])]


def means(plane, level):
    """Means of 2^level x 2^level values, without those that are not finite."""
    step = 1 << level
    rows, columns = (-(-n // step) for n in plane.shape)
    out = numpy.empty((rows, columns))
    for y in range(rows):
        for x in range(columns):
            part = plane[y * step:(y + 1) * step, x * step:(x + 1) * step].astype(float)
            out[y, x] = part[numpy.isfinite(part)].mean() if numpy.isfinite(part).any() else numpy.nan
    return out


def save(path, volume):
    with h5py.File(path, "w") as file:
        file["exchange/data"] = volume


def test_slices():
    """Slices along three axes, at levels and in parts."""
    with folder() as place:
        save(f"{place}/v.h5", VOLUME)
        with Served("view", "--no-browser", f"{place}/v.h5") as page:
            known = page.json("/state")["volumes"][0]
            same([known["kind"], known["extents"], known["element"], known["title"]], ["slices", [14, 37, 50], "f32", "v.h5"])
            for axis, index, plane in slices_of(VOLUME):
                values = numpy.where(numpy.isfinite(plane), plane, numpy.nan)
                where = f"/picture?volume=0&axis={axis}&index={index}"
                check(steps_apart(page.picture(where)[0], values) <= 1, f"axis {axis}")
                for level in 1, 2:
                    check(steps_apart(page.picture(f"{where}&level={level}")[0], means(values, level)) <= 1, f"{axis}, {level}")
                part = page.picture(f"{where}&level=1&box=4,2,17,11")[0]
                check(steps_apart(part, means(values[2:11, 4:17], 1)) <= 1, f"part along {axis}")
            same(page.picture("/picture?volume=0&axis=0&index=3&level=2&quick=1")[0].shape, (10, 13))


def test_statistics():
    """Histogram, value and profile equal NumPy's."""
    with folder() as place:
        save(f"{place}/v.h5", VOLUME)
        with Served("view", "--no-browser", f"{place}/v.h5") as page:
            for axis, index, plane in slices_of(VOLUME):
                good = plane[numpy.isfinite(plane)].astype(float)
                found = page.json(f"/histogram?volume=0&axis={axis}&index={index}")
                near(found["mean"], good.mean(), 1e-6)
                near(found["deviation"], good.std(), 1e-6)
                same([found["low"], found["high"]], [good.min(), good.max()])
                same([found["pixels"], found["not-finite"]], [plane.size, plane.size - good.size])
                same(found["counts"], numpy.histogram(good, 256, (good.min(), good.max()))[0].tolist())
                for name, value in found["percentiles"].items():
                    near(value, numpy.percentile(good, float(name), method="nearest"), 1e-6)
            same(page.json("/value?volume=0&at=5,6,7")["value"], float(VOLUME[5, 6, 7]))
            same(page.json("/value?volume=0&at=3,20,30"), {"value": None, "text": "nan"})
            same(page.json("/value?volume=0&at=3,21,30"), {"value": None, "text": "inf"})
            line = page.json("/profile?volume=0&axis=0&index=5&from=10,4&to=10,30")
            near(numpy.array(line["values"]), VOLUME[5, 4:31, 10], 1e-6)
            line = page.json("/profile?volume=0&axis=1&index=2&from=1.5,3&to=1.5,3.2")
            near(line["values"][0], (VOLUME[3, 2, 1] + VOLUME[3, 2, 2]) / 2, 1e-6)
            for axis, plane in (0, VOLUME[5]), (1, VOLUME[:, 5]):  # of a line that goes far beyond the slice, the part inside
                line = page.json(f"/profile?volume=0&axis={axis}&index=5&from=-1e6,3&to=1e6,3")
                near(line["values"], plane[3], 1e-4)
            same(page.ask("/profile?volume=0&axis=0&index=5&from=-9,3&to=-9,30")[0], 400)
            check(None in page.json("/profile?volume=0&axis=0&index=3&from=30,18&to=30,22")["values"], "NaN is left out")


def test_two():
    """A difference of volumes of the same size; others cannot be subtracted."""
    with folder() as place:
        save(f"{place}/a.h5", VOLUME)
        save(f"{place}/b.h5", VOLUME * 2)
        save(f"{place}/c.h5", VOLUME[1:])
        with Served("view", "--no-browser", f"{place}/a.h5", f"{place}/b.h5") as page:
            shown = page.picture("/picture?volume=0&minus=1&axis=0&index=5")[0]
            check(steps_apart(shown, -VOLUME[5]) <= 1, "difference")
            near(page.json("/value?volume=0&minus=1&at=5,6,7")["value"], float(-VOLUME[5, 6, 7]), 1e-6)
            near(page.json("/histogram?volume=0&minus=1&axis=0&index=5")["mean"], float(-VOLUME[5].mean()), 1e-5)
        with Served("view", "--no-browser", f"{place}/a.h5", f"{place}/c.h5") as page:
            status, _, body = page.ask("/picture?volume=0&minus=1&axis=0&index=5")
            same(status, 400)
            check(b"same size" in body, body)


def test_formats():
    """Files that other programs or this one have written, and their types."""
    counts = (RANDOM.random(size=(6, 20, 24)) * 200).astype("u1")
    with folder() as place:
        os.mkdir(f"{place}/folder")
        for number, image in enumerate(counts):
            tifffile.imwrite(f"{place}/folder/{number:03}.tif", image)
        save(f"{place}/v.h5", counts)
        save(f"{place}/halves.h5", counts.astype("f2"))
        numpy.save(f"{place}/v.npy", counts.astype("u2"))
        with h5py.File(f"{place}/chunks.h5", "w") as file:
            file.create_dataset("exchange/data", data=counts, chunks=(4, 7, 9), compression="gzip")
        for name in "ome.zarr", "v.mhd", "v.ome.tif":
            status, _, error = call("launch", f"read path={place}/v.h5 axes=slices ! write path={place}/{name}", "-q")
            same((name, status, error), (name, 0, ""))
        for name in "folder", "v.h5", "halves.h5", "v.npy", "chunks.h5", "ome.zarr", "v.mhd", "v.ome.tif":
            with Served("view", "--no-browser", f"{place}/{name}") as page:
                for axis, index, plane in slices_of(counts[:, :, :]) if counts.shape[2] > 30 else [
                        (0, 3, counts[3]), (1, 11, counts[:, 11]), (2, 13, counts[:, :, 13])]:
                    shown = page.picture(f"/picture?volume=0&axis={axis}&index={index}")[0]
                    check(steps_apart(shown, plane) <= 1, f"{name}, axis {axis}")


def test_limits():
    """A few values far outside do not take the steps of the others; planes without any value, or with one."""
    volume = RANDOM.normal(size=(3, 80, 90)).astype("f4")
    volume[0, 5, 5] = 1e30
    volume[1] = numpy.nan
    volume[2] = 7
    with folder() as place:
        save(f"{place}/v.h5", volume)
        with Served("view", "--no-browser", f"{place}/v.h5") as page:
            shown, headers = page.picture("/picture?volume=0&axis=0&index=0")
            check(float(headers["Sino-High"]) < 100, headers["Sino-High"])
            normal = volume[0] < 1e3
            near(shown[normal], volume[0][normal], 1e-3)
            check(numpy.isnan(page.picture("/picture?volume=0&axis=0&index=1")[0]).all(), "NaN")
            same(page.json("/histogram?volume=0&axis=0&index=1")["not-finite"], 80 * 90)
            check((page.picture("/picture?volume=0&axis=0&index=2")[0] == 7).all(), "one value")


def test_refused():
    """What is no volume, and what is asked wrongly."""
    with folder() as place:
        save(f"{place}/v.h5", VOLUME)
        for path, part in (f"{place}/nothing", "No such file"), (__file__, ""):
            status, _, error = call("view", "--no-browser", path)
            check(status in (1, 2) and part in error, error)
        same(call("view", "--no-browser")[0], 2)
        same(call("view", "--no-browser", "--axes=cubes", f"{place}/v.h5")[0], 2)
        with Served("view", "--no-browser", f"{place}/v.h5") as page:
            for query in ("volume=1&axis=0&index=1", "volume=0&axis=3&index=1", "volume=0&axis=0&index=14", "volume=0&axis=0",
                          "volume=0&axis=0&index=1&level=-1", "volume=0&axis=0&index=1&box=1,1,1,1", "volume=0&axis=0&index=1&box=1",
                          "volume=0&axis=0&index=1&quick=2", "volume=0&axis=0&index=1e3", "volume=0&axis=0&index=nan"):
                status, _, body = page.ask("/picture?" + query)
                check(status == 400 and b'"error"' in body, (query, status, body))
            same(page.ask("/value?volume=0&at=1,2")[0], 400)
            same(page.ask("/value?volume=0&at=1,2,50")[0], 400)
            same(page.ask("/other")[0], 404)


tap.main(globals())
