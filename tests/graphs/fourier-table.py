#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""fourier-reconstruct over widths, numbers of projections and of slices, axes and angles, in one table.

usage: fourier-table.py [all]

Relative root mean square differences inside the circle, of the worst slice: to exact interpolation in float64 (first and
last slice) for each accuracy, and to all slices of direct back-projection, inside the radius that all rays see. Against
direct both have a window of sinc^2 besides the sinc^2 that linear interpolation is; the last column is that difference
with the axis half a bin off.

Tolerances: 1.2 times the accuracy, which is stated for usual objects; with few projections, on the half circle less than
half the width, five times, since streaks have as much of the highest frequencies as noise. Linear interpolation is sinc^2
on average only; what differs lies at edges, whose share of the slice falls with its width, so that 1 / sqrt (width) holds,
twice that with few projections.
"""
import sys

import exact
import fbp
import numpy as np
import tap
from fourier_scans import direct, fourier, of_arrays, padded_length, sinograms, text_file

ACCURACIES = 1e-3, 2e-4, 5e-5
# x, y (down), half axes in half widths, degrees; value. Each slice has a share of its own of each.
ELLIPSES = [(0, 0, .72, .9, 0, 1), (0, .02, .68, .85, 0, -.7), (.25, .05, .12, .3, 18, -.2), (-.22, 0, .15, .4, -20, -.2),
            (0, -.4, .2, .22, 0, .2), (-.1, .6, .05, .03, 40, .3), (.15, .62, .03, .06, 0, .3), (.5, .35, .04, .04, 0, .5)]
# Width, projections, slices, what is special.
FEW = [(63, 7, 1, ''), (63, 100, 33, ''), (128, 90, 17, 'random angles'), (129, 64, 3, 'axis left'),
       (129, 200, 2, '360 degrees'), (255, 31, 5, ''), (255, 300, 2, 'axis per projection')]
MORE = [(255, 400, 16, '360 degrees'), (511, 7, 2, ''), (511, 500, 31, 'random angles'),
        (511, 800, 4, 'axis per projection'), (512, 3000, 3, '360 degrees'), (640, 900, 2, 'axis left, 360 degrees'),
        (1000, 1100, 2, 'axis right'), (1000, 701, 9, 'random angles'), (1023, 512, 33, ''), (1023, 3000, 1, ''),
        (1024, 1024, 16, '')]


def projections(width, angles, axis, scale):
    """Of each ellipse: means of four rays per bin of the line integral; (ellipse, angle, column)."""
    rays = (np.arange(4 * width) + 0.5) / 4
    result = np.empty((len(ELLIPSES), len(angles), width))
    for lines, (x, y, a, b, turn, value) in zip(result, ELLIPSES):
        x, y, a, b = np.array([x, y, a, b]) * scale * width / 2
        seen = axis + x * np.cos(angles) - y * np.sin(angles)
        reach = np.hypot(a * np.cos(angles + np.deg2rad(turn)), b * np.sin(angles + np.deg2rad(turn)))
        for line, at, half in zip(lines, seen, reach):
            chord = 2 * a * b / half**2 * np.sqrt(np.maximum(half**2 - (rays - at)**2, 0))
            line[:] = value * chord.reshape(width, 4).mean(axis=1)
    return result


def options_of(axis, special):
    place = text_file(axis) if 'per projection' in special else repr(float(axis[0]))
    return f'axis={place}' + (' weights=spacing' if 'random' in special else '')


def scan_of(width, count, slices, special):
    """The file, and the axis of each projection."""
    random = np.random.default_rng([width, count, slices])
    degrees = np.arange(count) * (360 if '360' in special else 180) / count
    if 'random' in special:  # on the full circle, in no order
        degrees = random.uniform(0, 360, count)
    axis = np.full(count, width / 2 + width / 3 * (('right' in special) - ('left' in special)))
    if 'per projection' in special:
        axis += random.uniform(-4, 4, count)
    scale = 0.3 if 'axis left' in special or 'axis right' in special else 0.9
    ellipses = projections(width, np.deg2rad(degrees), axis, scale)
    shares = random.uniform(0.5, 1, (slices, len(ELLIPSES)))
    return of_arrays(np.einsum('se,eac->sac', shares, ellipses), degrees), axis


def exact_errors(scan, axis, special):
    rows, angles = sinograms(scan)
    width, inside = rows.shape[2], fbp.circle(rows.shape[2])
    ends = sorted({0, len(rows) - 1})
    weights = exact.spacing(angles) if 'random' in special else None
    truth = exact.reconstruct(rows[ends], angles, axis, weights, window='sinc', where=inside, length=padded_length(width))
    for accuracy in ACCURACIES:
        got = fourier(scan, f'{options_of(axis, special)} accuracy={accuracy}')
        yield max(fbp.relative_rmse(got[end], one, inside) for end, one in zip(ends, truth))


def direct_differences(scan, axis, special):
    other = direct(scan, 'window=sinc power=2', options_of(axis, special))
    width = other.shape[2]
    seen = fbp.circle(width, width / 2 - min(axis.min(), width - axis.max()) + 2)
    for off in 0, 0.5:
        got = fourier(scan, f'{options_of(axis + off, special)} power=4')
        assert got.shape == other.shape, (got.shape, other.shape)
        yield max(fbp.relative_rmse(a, b, seen) for a, b in zip(got, other))


def test_table():
    wrong = []
    heads = ['width', 'projections', 'slices', '', *(f'accuracy={a}' for a in ACCURACIES), 'direct', 'half a bin off']
    print(f'# | {" | ".join(heads)} |\n# {"|---" * len(heads)}|')
    for case in FEW + (MORE if sys.argv[1:] == ['all'] else []):
        width, count, slices, special = case
        scan, axis = scan_of(*case)
        errors = list(exact_errors(scan, axis, special))
        difference, off = direct_differences(scan, axis, special)
        cells = [*map(str, case), *(f'{value:.2g}' for value in [*errors, difference, off])]
        print(f'# | {" | ".join(cells)} |', flush=True)
        few = count / (2 if '360' in special or 'random' in special else 1) < width / 2
        if any(error > accuracy * (5 if few else 1.2) for error, accuracy in zip(errors, ACCURACIES)):
            wrong.append((case, 'exact'))
        if difference > (2 if few else 1) / np.sqrt(width) or off < 1.5 * difference:
            wrong.append((case, 'direct'))
    assert not wrong, wrong


tap.main(globals())
