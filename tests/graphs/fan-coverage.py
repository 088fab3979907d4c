#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Cylinders whose attenuation is known, in fan and cone beams of all kinds of angles and detectors: each ray counts once, or an
error or a warning says what is missing. Costs 3 s, whole 60 to 180 s: 14 or 300 random scans."""
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import tap
import tifffile
from draw import THOROUGH
from program import at_least, at_most
from random_angles import angles_over

COLUMNS, VALUE = 160, 0.01
DISCS = (0, 0, 1, 1.0), (0.3, 0.2, 0.2, 0.8), (-0.35, 0.3, 0.16, -0.6), (-0.1, -0.5, 0.18, 0.7), (0.5, -0.35, 0.14, 1.2)  # x, y, radius, value
MISSING = ('the projections cover', 'does not measure the longer side from some directions', 'the axis of rotation is not on the detector', 'no projection was taken from')
WARNING = 'this is right if the object ends within'


def discs_of(radius):
    return [(radius * x, radius * y, radius * r, value * VALUE) for x, y, r, value in DISCS]


def projections(degrees, axis, source, detector, rows, discs):
    """Means of line integrals over each column, of cylinders along the axis; pixels are 1."""
    t = np.deg2rad(degrees)[:, None]
    u = (np.arange(COLUMNS * 4) + 0.5) / 4 - axis
    sx, sy = -source * np.sin(t), -source * np.cos(t)
    dx, dy = detector * np.sin(t) + u * np.cos(t) - sx, detector * np.cos(t) - u * np.sin(t) - sy
    flat = np.hypot(dx, dy)
    lines = np.zeros_like(flat)
    for x, y, r, value in discs:
        at = ((x - sx) * dy - (y - sy) * dx) / flat
        lines += 2 * value * np.sqrt(np.maximum(r * r - at * at, 0))
    v = np.arange(rows) + 0.5 - rows / 2
    lines = lines[:, None] * np.hypot(flat[:, None], v[:, None]) / flat[:, None]
    return lines.reshape(len(degrees), rows, COLUMNS, 4).mean(3).astype('f4')


def write_scan(degrees, *scan):
    np.save('scan.npy', projections(degrees, *scan))
    np.savetxt('angles.txt', degrees, fmt='%.9f')


def line(axis, source, detector, words=''):
    return (f'read path=scan.npy angles=angles.txt axis={axis} source-origin={source} origin-detector={detector} pixel-size=1 ! '
            f'reconstruct {words} ! write path=slices-%05i.tif overwrite=true')


def worst_error(discs, rows, voxel):
    """Of the means inside of each disc, away from its border, and of what lies around it, as shares of the body's value."""
    made = tifffile.imread(f'slices-{rows // 2:05}.tif').astype(float)
    y, x = (np.mgrid[:made.shape[0], :made.shape[1]] - (made.shape[0] - 1) / 2) * voxel
    found = []
    for i, (cx, cy, r, value) in enumerate(discs):
        if r < 8 * voxel:
            continue  # its inside is smaller than what blurs it
        inside = np.hypot(x - cx, y - cy) < r - 4 * voxel
        for ox, oy, other, _ in discs[1:] if i == 0 else []:
            inside &= np.hypot(x - ox, y - oy) > other + 4 * voxel
        found.append(abs(made[inside].mean() - value - (discs[0][3] if i else 0)) / discs[0][3])
    return max(found)


def random_angles(dice):
    """Of a part of a turn or of several, even, uneven or repeated, in any order."""
    arc = dice.choice([360, dice.uniform(181, 360), dice.uniform(215, 360), dice.uniform(360, 720)])
    n = int(dice.integers(450, 800) * max(1, arc / 360))
    degrees, kind = angles_over(arc, n, dice)
    return degrees, f'{n} angles over {arc:.5g} degrees, {kind}'


def test_random_scans():
    right = refused = warned = 0
    for number in range(300 if THOROUGH else 14):
        dice = np.random.default_rng(number)
        degrees, what = random_angles(dice)
        source, detector, rows = float(dice.integers(300, 900)), float(dice.integers(150, 300)), int(dice.choice([1, 5]))
        axis = COLUMNS / 2 + dice.choice([0, dice.uniform(-0.05, 0.05), dice.uniform(-0.3, 0.3)]) * COLUMNS
        sides = [side * source / np.hypot(source + detector, side) for side in sorted((axis, COLUMNS - axis))]
        discs = discs_of(0.92 * sides[dice.integers(2)])
        write_scan(degrees, axis, source, detector, rows, discs)
        what = f'{number}: {what}, axis {axis:.5g}, source {source:g}, detector {detector:g}, radius {discs[0][2]:.4g} of {sides[0]:.4g} and {sides[1]:.4g}'
        done = subprocess.run([os.environ['SINOGRAPH'], 'launch', line(axis, source, detector)], capture_output=True, text=True)
        if done.returncode != 0:
            tap.check(any(words in done.stderr for words in MISSING), f'{what}: {done.stderr}')
            refused += 1
            continue
        if discs[0][2] > sides[0] and WARNING in done.stderr:
            warned += 1
            continue
        at_most(worst_error(discs, rows, source / (source + detector)), 0.01, what)
        right += 1
    at_least(right, 5, 'right ones')
    print(f'# {right} right, {refused} refused, {warned} with a warning')


folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
try:
    tap.main(globals())
finally:
    os.chdir(Path(folder.name).parent)
