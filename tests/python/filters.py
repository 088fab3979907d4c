#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Nodes as functions of arrays, against SciPy and NumPy."""
import inspect

import numpy
import scipy.ndimage
import sinograph
import tap
from sinograph import filters
from tap import check, same

RANDOM = numpy.random.default_rng(5)
IMAGES = RANDOM.uniform(size=(4, 20, 30)).astype(numpy.float32)


def near(got, want, most=1e-6):
    same(got.shape, want.shape)
    difference = numpy.abs(got.astype(numpy.float64) - want).max()
    check(difference <= most, difference)


def test_median():
    for kind in "f4", "u2", "u1":
        images = (IMAGES * 200).astype(kind)
        for size in 3, 5:
            got = filters.median(images, size=size, device="native")
            same(got.dtype, images.dtype)
            want = scipy.ndimage.median_filter(images, (1, size, size), mode="nearest")
            near(got, want, 0)
            near(filters.median(images[2], size=size, device="native"), want[2], 0)
    along = filters.median(IMAGES, direction="angle", device="native")
    near(along, scipy.ndimage.median_filter(IMAGES, (3, 1, 1), mode="nearest"), 0)


def test_shapes():
    near(filters.crop(IMAGES, x=3, y=2, width=10, height=5, device="native"), IMAGES[:, 2:7, 3:13], 0)
    near(filters.flip(IMAGES, kind="slices", device="native"), IMAGES[:, :, ::-1], 0)
    near(filters.bin(IMAGES, device="native"), IMAGES.reshape(4, 10, 2, 15, 2).mean(axis=(2, 4)))
    near(filters.interleave(IMAGES, device="native"), IMAGES.swapaxes(0, 1), 0)
    near(filters.average(IMAGES, angles=numpy.arange(4) * 0.01, device="native"), IMAGES.mean(axis=0, keepdims=True))


def test_two_inputs():
    other = RANDOM.uniform(size=IMAGES.shape).astype(numpy.float32)
    near(filters.calculate(IMAGES, other, expression="x - 2 * y", device="native"), IMAGES - 2.0 * other)
    near(filters.calculate(IMAGES, expression="x * x", kind="slices", device="native"), IMAGES.astype(float)**2)
    near(filters.concatenate(IMAGES, other, kind="slices", device="native"), numpy.concatenate([IMAGES, other]), 0)


def test_flat_field():
    flats, darks = numpy.full((3, 20, 30), 1100, numpy.uint16), numpy.full((2, 20, 30), 100, numpy.uint16)
    counts = (100 + 1000 * numpy.exp(-IMAGES)).round().astype(numpy.uint16)
    want = -numpy.log((counts - 100.0) / 1000)
    near(filters.flat_field(counts, flats=flats, darks=darks, device="native"), want, 1e-5)
    near(filters.flat_field(counts, flats=(flats, flats), darks=darks, absorption=False, device="native"),
         (counts - 100.0) / 1000, 1e-6)


def test_slices_and_back():
    disc = (numpy.hypot(*(numpy.indices((64, 64)) - 31.5)) < 20).astype(numpy.float32) * 0.01
    sums = filters.forward_project(disc[None], device="native")
    same(sums.shape[1:], (1, 64))
    near(sums[0, 0], disc.sum(axis=0), 0.02)  # at 0 degrees columns of pixels are columns of the detector


def test_names():
    names = dir(filters)
    for name in "median", "flat_field", "remove_stripes", "unsharp", "reconstruct", "ramp_filter", "retrieve_phase":
        check(name in names, name)
    check("read" not in names and "write" not in names and "phantom" not in names, names)
    for name in names:
        function = getattr(filters, name)
        parameters = inspect.signature(function).parameters
        node = sinograph.describe(name.replace("_", "-"))
        check(node["summary"] in function.__doc__ and "data" in parameters, name)
        for facts in node["properties"]:
            own = parameters[facts["name"].replace("-", "_")]
            same(own.default, facts.get("default"))
            check(facts["blurb"] in function.__doc__, name)
    check("odd number" in filters.median.__doc__ and "(angle, row, column)" in filters.median.__doc__, "no shapes")
    try:
        filters.no_such_node
    except AttributeError as error:
        same(str(error), "there is no node 'no-such-node'")
    else:
        raise AssertionError("no error")


def test_errors():
    def fails(code, words, function, *arguments, **properties):
        try:
            function(*arguments, device="native", **properties)
        except sinograph.Error as error:
            same(error.code, code)
            check(words in error.message, error.message)
            return error
        raise AssertionError("no error")

    Code = sinograph.Code
    error = fails(Code.BAD_PROPERTY, "3 to 15", filters.median, IMAGES, size=17)
    same((error.node, error.property), ("median", "size"))
    error = fails(Code.BAD_PROPERTY, "even", filters.median, IMAGES, size=4)
    same(error.node, "median")
    fails(Code.BAD_FORMAT, "does not hold", filters.median, IMAGES[0, 0])
    fails(Code.BAD_FORMAT, "not kind='slices'", filters.flat_field, IMAGES, kind="slices")
    for function in filters.reconstruct, filters.back_project, filters.ramp_filter:
        for kind in "u2", ">u2", "i2", "i4":
            error = fails(Code.BAD_FORMAT, "wants f", function, (IMAGES * 200).astype(kind), kind="sinograms")
            same(error.node, function.__name__.replace("_", "-"))
    near(filters.median((IMAGES * 200).astype("i4"), size=3, device="native"),
         scipy.ndimage.median_filter((IMAGES * 200).astype("i4"), (1, 3, 3), mode="nearest"), 0)
    try:
        filters.median(IMAGES, sise=3)
    except TypeError as error:
        check("sise" in str(error), error)
    else:
        raise AssertionError("no error")


tap.main(globals())
