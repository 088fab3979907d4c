#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Shepp and Logan's head from exact projections: right in every region, and the same on every device."""
import functools

import fbp
import numpy as np
import tap
from draw import in_turn
from program import at_most, reconstruct
from scipy import ndimage

N = 1024
DENSITY = 2
# x, y (up), half axes, angle in degrees, value; in half widths. Toft (1996).
HEAD = [(0, 0, .69, .92, 0, 1), (0, -.0184, .6624, .874, 0, -.8), (.22, 0, .11, .31, -18, -.2),
        (-.22, 0, .16, .41, 18, -.2), (0, .35, .21, .25, 0, .1), (0, .1, .046, .046, 0, .1),
        (0, -.1, .046, .046, 0, .1), (-.08, -.605, .046, .023, 0, .1), (0, -.605, .023, .023, 0, .1),
        (.06, -.605, .023, .046, 0, .1)]
LINE = f'simulate width={N} projections={N} density={DENSITY} ! ramp-filter ! {{}} ! back-project ! write path=PATH'


@functools.cache
def slice_of(device, between='interleave'):
    return reconstruct(LINE.format(between), device)[0]


def regions():
    """Each set of ellipses that overlap somewhere: its pixels well inside, and their attenuation per pixel."""
    middle = (np.arange(N) + 0.5) * 2 / N - 1
    x, y = middle[None, :], -middle[:, None]
    members, value = np.zeros((N, N), int), np.zeros((N, N))
    for number, (x0, y0, a, b, angle, density) in enumerate(HEAD):
        c, s = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
        along, across = (x - x0) * c + (y - y0) * s, (y - y0) * c - (x - x0) * s
        inside = (along / a)**2 + (across / b)**2 <= 1
        members[inside] |= 1 << number
        value[inside] += density
    for pattern in np.unique(members):
        # The filter rings next to edges; four pixels off, its mean is flat.
        where = ndimage.binary_erosion(members == pattern, iterations=4)
        if pattern and where.sum() >= 50:
            yield where, value[where][0] * DENSITY * 2 / N


def test_regions():
    image, found = slice_of('native'), 0
    for where, value in regions():
        found += 1
        # Within 1 %, and where nothing attenuates within 1 % of what the brain does.
        scale = value if value > 1e-9 else 0.2 * DENSITY * 2 / N
        at_most(abs(image[where].mean() - value) / scale, 0.01, f'error of the mean {value:.6f} over {where.sum()} pixels')
    assert found >= 10, found


def test_opencl():
    at_most(fbp.relative_rmse(slice_of('cl:0'), slice_of('native'), fbp.circle(N)), 1e-5, 'native against OpenCL')


def test_half():
    in_turn(0, 2)
    packed = slice_of('native', 'half-pack ! interleave')
    at_most(fbp.relative_rmse(packed, slice_of('native'), fbp.circle(N)), 5e-4, 'half-packed against float')


def test_half_on_opencl():
    in_turn(1, 2)
    packed = slice_of('cl:0', 'half-pack ! interleave')
    at_most(fbp.relative_rmse(packed, slice_of('native'), fbp.circle(N)), 5e-4, 'half-packed against float')


tap.main(globals())
