# SPDX-License-Identifier: LGPL-3.0-or-later
"""Objects for tests whose projections and slices are known from formulas."""
import numpy

DISCS = ((0.0, 0.0, 22.0, 0.01), (8.0, -5.0, 6.0, 0.02), (-9.0, 6.0, 4.0, -0.005))  # x, y, radius, attenuation


def lines(columns=64, angles=90, rows=3, axis=None, degrees=None):
    """Attenuation of the discs along the rays, float32 (angle, row, column): a chord for each ray."""
    degrees = numpy.arange(angles) * 180 / angles if degrees is None else numpy.asarray(degrees)
    axis = columns / 2 if axis is None else axis
    fine = (numpy.arange(columns * 8) + 0.5) / 8  # the mean over a column
    theta = numpy.deg2rad(degrees)[:, None]
    total = numpy.zeros((len(degrees), columns * 8))
    for x, y, radius, attenuation in DISCS:
        middle = axis + x * numpy.cos(theta) - y * numpy.sin(theta)
        total += 2 * attenuation * numpy.sqrt(numpy.maximum(radius**2 - (fine - middle)**2, 0))
    total = total.reshape(len(degrees), columns, 8).mean(axis=2)
    return numpy.repeat(total[:, None], rows, axis=1).astype(numpy.float32)


def check_discs(image):
    """The attenuation inside of each disc, away from its border and the other discs, is right to 1 %."""
    n = image.shape[-1]
    place = numpy.arange(n) + 0.5 - n / 2
    x, y = place[None], place[:, None]
    inside = [numpy.hypot(x - cx, y - cy) < radius - 2 for cx, cy, radius, _ in DISCS]
    near = [numpy.hypot(x - cx, y - cy) < radius + 2 for cx, cy, radius, _ in DISCS[1:]]
    for mask, wanted in ((inside[0] & ~near[0] & ~near[1], 0.01), (inside[1], 0.03), (inside[2], 0.005)):
        got = image[mask].mean()
        assert abs(got - wanted) < 0.01 * 0.03, (got, wanted)


def counts(attenuation, beam=20000, dark=100):
    """(projections, flats, darks) of uint16, without noise."""
    random = numpy.random.default_rng(3)
    gain = random.uniform(0.8, 1.2, attenuation.shape[1:])
    flats = numpy.repeat((dark + beam * gain)[None], 4, axis=0)
    return ((dark + beam * gain * numpy.exp(-attenuation)).round().astype(numpy.uint16),
            flats.round().astype(numpy.uint16), numpy.full_like(flats, dark, numpy.uint16))
