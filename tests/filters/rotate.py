#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Turned images against scipy in float64, and the axis that is upright afterwards."""
import os
import re
import subprocess

import h5py
import numpy as np
import tap
from moving import CONE, COLUMNS, ROWS, companions_follow, holds, images, made, main, refused, same_volume, scan, seen
from program import at_most, sinograph
from scipy import ndimage


def turned(image, angle, order):
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    matrix = np.array([[c, -s], [s, c]])  # of (row, column)
    middle = (np.array(image.shape) - 1) / 2
    return ndimage.affine_transform(image, matrix, middle - matrix @ middle, order=order, mode='nearest')


def test_images():
    for dtype in np.uint8, np.uint16, np.float16, np.float32:
        holds('rotate angle=3.5', lambda image: turned(image, 3.5, 1), dtype, 1e-6)
    for angle in -0.3, 20, -45:
        holds(f'rotate angle={angle}', lambda image: turned(image, angle, 1), np.float32, 1e-6)
        holds(f'rotate angle={angle} interpolation=cubic', lambda image: turned(image, angle, 3), np.float32, 2e-6)
    for interpolation in 'linear', 'cubic':
        holds(f'rotate angle=0 interpolation={interpolation}', lambda image: image, np.float32, 1e-6)
    holds('rotate angle=5', lambda image: turned(image, 5, 1), np.float32, 1e-6, read='read path=scan.h5 axes=slices')


def test_large_images():
    """Images of several tiles, and angles for which a tile comes from many rows."""
    data = images(np.float32, 2, 300, 700)
    scan('large.h5', data)
    for angle, order, interpolation in (1, 1, 'linear'), (44, 3, 'cubic'):
        want = np.stack([turned(image.astype(float), angle, order) for image in data])
        got = made(f'read path=large.h5 ! rotate angle={angle} interpolation={interpolation}')
        np.testing.assert_allclose(got, want, rtol=0, atol=3e-6 * np.abs(want).max())


def test_not_a_number():
    data = images(np.float32, 3, ROWS, COLUMNS)
    data[1, 11, 30] = np.nan
    scan('nan.h5', data)
    for interpolation, reach in ('linear', 2), ('cubic', 15):
        got = made(f'read path=nan.h5 ! rotate angle=2 interpolation={interpolation}')
        bad = np.argwhere(np.isnan(got))
        assert len(bad) > 0 and (bad[:, 0] == 1).all()
        assert np.abs(bad[:, 1:] - [11, 30]).max() <= reach + 1, bad


def test_upright():
    """The angle that find-axis tells sets the axis upright."""
    def tilt(words):
        done = subprocess.run([os.environ['SINOGRAPH'], 'launch', f'read path=lean.h5 ! {words} find-axis ! null'], capture_output=True, text=True)
        tap.check(done.returncode == 0, done.stderr)
        return float(re.search(r'tilt (-?[\d.]+)', done.stderr)[1]), done.stderr
    sinograph('launch', '--quiet', 'simulate object=shepp-logan width=256 height=96 projections=300 detector-roll=1.5 middle-row=48 axis=130.5 ! write path=lean.h5')
    with h5py.File('lean.h5', 'a') as file:
        for name in 'rotation_axis', 'geometry':
            if f'exchange/{name}' in file:
                del file[f'exchange/{name}']
    before, said = tilt('')
    at_most(abs(abs(before) - 1.5), .1, 'the tilt')
    named = re.search(r"'rotate angle=(-?[\d.]+)'", said)
    tap.check(named is not None, said)
    after, _ = tilt(f'rotate angle={named[1]} !')
    at_most(abs(after), .1, 'what is left of the tilt')


def test_companions():
    companions_follow('rotate angle=0 interpolation=linear')
    middle = lambda volume: seen(volume)[4:8]  # rows beyond the detector are not known
    same_volume('rotate angle=2 interpolation=cubic', middle, .06, CONE, of_after=middle)


def test_errors():
    refused('rotate angle=60', 'angle')
    refused('rotate angle=1', "put this node before 'interleave'", 'read path=scan.h5 ! interleave')
    refused('rotate angle=1', "'ramp-filter' has filtered the rows already", 'simulate width=64 height=9 projections=12 ! ramp-filter')
    refused('rotate angle=1 geometry=moves', 'cannot have a rotated detector')


main(globals())
