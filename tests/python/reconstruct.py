#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""sinograph.reconstruct, against discs whose attenuation is known, and against back-projection in float64."""
import warnings

import fbp
import numpy
import scans
import sinograph
import tap
from tap import check, same

warnings.simplefilter("error", sinograph.Doubt)
LINES = scans.lines()


def fails(code, words, *arguments, **options):
    try:
        sinograph.reconstruct(*arguments, device="native", **options)
    except sinograph.Error as error:
        same(error.code, code)
        check(words in error.message, error.message)
        return error
    raise AssertionError("no error")


def test_discs():
    for method in "direct", "fourier":
        volume = sinograph.reconstruct(LINES, axis=32, device="native", method=method)
        same((volume.shape, volume.dtype, type(volume)), ((3, 64, 64), numpy.float32, numpy.ndarray))
        for image in volume:
            scans.check_discs(image)


def test_float64_reference():
    theta = numpy.arange(90) * numpy.pi / 90
    rows = fbp.ramp_filter(LINES[:, 0].astype(numpy.float64))
    place = numpy.arange(64) + 0.5 - 32
    truth = numpy.zeros((64, 64))
    for row, t in zip(rows, theta):
        seen = 32 + place[None] * numpy.cos(t) - place[:, None] * numpy.sin(t) - 0.5
        truth += numpy.interp(seen, numpy.arange(64), row, 0, 0) * numpy.pi / 90
    image = sinograph.reconstruct(LINES[:, 0], axis=32, device="native", method="direct")
    inner = numpy.hypot(place[None], place[:, None]) < 30
    check(numpy.abs(image - truth)[inner].max() < 1e-4 * truth.max(), numpy.abs(image - truth)[inner].max())


def test_other_angles_and_axes():
    degrees = numpy.arange(120) * 1.5 + 7
    turned = scans.lines(axis=28.25, degrees=degrees)
    scans.check_discs(sinograph.reconstruct(turned, degrees, 28.25, device="native")[1])
    moving = numpy.concatenate([scans.lines(axis=30, degrees=degrees[:60]), scans.lines(axis=34, degrees=degrees[60:])])
    axes = numpy.repeat([30.0, 34.0], 60)
    scans.check_discs(sinograph.reconstruct(moving, degrees, axes, device="native")[1])


def test_axis_is_found():
    whole = numpy.concatenate([scans.lines(axis=30.5, angles=181, degrees=numpy.arange(181))])
    said = []
    image = sinograph.reconstruct(whole, numpy.arange(181), device="native", message=lambda *news: said.append(news))[1]
    check(any("30." in text or "30" in text for _, _, text in said), said)
    scans.check_discs(image)


def test_sinograms():
    volume = sinograph.reconstruct(LINES, axis=32, device="native")
    other = sinograph.reconstruct(LINES.swapaxes(0, 1), axis=32, kind="sinograms", device="native")
    check(numpy.array_equal(volume, other), "other bytes")
    one = sinograph.reconstruct(LINES[:, 1], axis=32, device="native", method="direct")
    volume = sinograph.reconstruct(LINES, axis=32, device="native", method="direct")
    check(numpy.abs(one - volume[1]).max() < 1e-6, "other values")


def test_counts():
    projections, flats, darks = scans.counts(LINES)
    for given in (flats, darks), ((flats, flats), darks), (flats[0], darks[0]), (flats.astype(float), darks), (
            flats.astype(">u2"), darks):
        volume = sinograph.reconstruct(projections, axis=32, flats=given[0], darks=given[1], device="native")
        scans.check_discs(volume[2])


def test_cone():
    # A cone from so far away that its rays are parallel but for a millionth.
    geometry = sinograph.Geometry(numpy.arange(180) * 2, 32).cone(1e8, 100, 1.5)
    lines = scans.lines(degrees=numpy.arange(180) * 2)
    scans.check_discs(sinograph.reconstruct(lines, geometry=geometry, device="native")[1])


def test_pixel_size():
    geometry = sinograph.Geometry(numpy.arange(90) * 2, 32, pixel_size=0.5)
    scans.check_discs(sinograph.reconstruct(LINES, geometry=geometry, device="native")[0] / 2)


def test_progress():
    said = []
    sinograph.reconstruct(LINES, axis=32, device="native", progress=lambda *news: said.append(news))
    fraction, slices, of_slices, seconds = said[-1]
    same((fraction, slices, of_slices), (1.0, 3, 3))


def test_progress_may_raise():
    def stop(*_):
        raise KeyError("enough")
    try:
        sinograph.reconstruct(LINES, axis=32, device="native", progress=stop)
    except KeyError as error:
        same(error.args, ("enough",))
    else:
        raise AssertionError("no error")


def test_errors():
    Code = sinograph.Code
    projections, flats, darks = scans.counts(LINES)
    for kind in "u2", ">u2", "i2", "i4", "u4", "i8":
        fails(Code.BAD_FORMAT, "give flats", projections.astype(kind), axis=32)
    fails(Code.BAD_FORMAT, "cannot be reconstructed", LINES[0, 0])
    fails(Code.BAD_FORMAT, "cannot be reconstructed", LINES, kind="slices")
    same(fails(Code.BAD_PROPERTY, "wants", LINES, window="hanning").property, "window")
    error = fails(Code.BAD_PROPERTY, "no property 'windows'", LINES, windows="hann")
    same((error.node, error.property), ("reconstruct", "windows"))
    fails(Code.BAD_FORMAT, "", LINES, numpy.arange(7), axis=32)
    same(fails(Code.BAD_PROPERTY, "0 to 1024", LINES, axis=32, threads=-1).property, "threads")
    fails(Code.BAD_PROPERTY, "0 to 1024", LINES, axis=32, threads=100000)
    fails(Code.BAD_FORMAT, "cannot be reconstructed", LINES[:0])


def test_shapes_of_frames():
    projections, flats, darks = scans.counts(LINES)
    turned = numpy.ascontiguousarray(flats.transpose(1, 2, 0))  # as many bytes
    for bad in flats[:, :2], turned, flats[None], flats[:0], flats[0, 0], [flats, flats, flats], [flats, flats[:, :2]]:
        for kind in "projections", "sinograms":
            array = projections if kind == "projections" else projections.swapaxes(0, 1)
            for name, given in ("flats", {"flats": bad, "darks": darks}), ("darks", {"flats": flats, "darks": bad}):
                error = fails(sinograph.Code.BAD_FORMAT, "", array, kind=kind, axis=32, **given)
                check(isinstance(bad, list) or (error.property == name and str(bad.shape) in error.message), error)
    pair = sinograph.reconstruct(projections, axis=32, flats=(flats, flats), darks=darks, device="native")
    for like in [flats, flats], (list(flats), list(flats)):
        other = sinograph.reconstruct(projections, axis=32, flats=like, darks=list(darks), device="native")
        check(numpy.array_equal(other, pair), "a list is not what the tuple is")


def test_axes_of_a_geometry():
    degrees = numpy.arange(120) * 1.5
    moving = numpy.concatenate([scans.lines(axis=30, degrees=degrees[:60]), scans.lines(axis=34, degrees=degrees[60:])])
    axes = numpy.repeat([30.0, 34.0], 60)
    for own in None, 20:
        geometry = sinograph.Geometry(degrees, own)
        scans.check_discs(sinograph.reconstruct(moving, geometry=geometry, axis=axes, device="native")[1])
    cone = sinograph.Geometry(degrees, 32).cone(1e8, 100, 1.5)
    for bad, of in (([[1], [2, 3]], None), (axes[:7], geometry), ([], geometry), (axes * numpy.nan, geometry),
                    (axes[None], None), (axes, cone)):
        same(fails(sinograph.Code.BAD_PROPERTY, "axis", moving, axis=bad, geometry=of).property, "axis")


def test_no_geometry():
    degrees = numpy.arange(90) * 2.0
    wrong = [("axis", {"axis": value}) for value in ([1, 2], [], [numpy.nan] * 90, numpy.nan, "middle", 3j)]
    wrong += [("angles", {"angles": value}) for value in (degrees * 1j, degrees[None], [1, numpy.nan], [[1], [2, 3]])]
    wrong += [(name, {name: value}) for name in ("pixel_size", "energy", "distance")
              for value in (numpy.inf, numpy.nan, 0, "wide", 1j)]
    for name, options in wrong:
        try:
            sinograph.Geometry(**{"angles": degrees, **options})
        except sinograph.Error as error:
            same((error.code, error.property), (sinograph.Code.BAD_PROPERTY, name))
        else:
            raise AssertionError(f"{options} were taken")
    for bad in degrees, list(degrees), 0:
        same(fails(sinograph.Code.BAD_PROPERTY, "Geometry", LINES, geometry=bad).property, "geometry")
    same(fails(sinograph.Code.BAD_PROPERTY, "finite", LINES, degrees * numpy.nan, axis=32).property, "angles")


tap.main(globals())
