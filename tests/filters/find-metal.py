#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The values that are found in slices of known materials, with noise, against those materials."""
import os
import re
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap
from program import sinograph_fails

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
N, SLICES = 128, 20


def slices_of(materials, noise=0.0, value=0.02):
    """Discs side by side in a circle of air: (share of the circle's area, times the value)."""
    place = np.arange(N) + .5 - N / 2
    x, y = np.meshgrid(place, place)
    image = np.zeros((N, N))
    begin, circle = 0, np.pi * (N / 2) ** 2
    order = np.argsort(np.arctan2(y, x).ravel())
    inside = order[(x * x + y * y).ravel()[order] < (N / 2) ** 2]
    for share, times in materials:
        end = begin + int(share * circle)
        image.ravel()[inside[begin:end]] = times * value
        begin = end
    return image + np.random.default_rng(3).normal(0, noise * value, (SLICES, N, N))


def found(volume, words=''):
    """Value of metal, and of the other materials."""
    path = PATH / 'volume.h5'
    with h5py.File(path, 'w') as file:
        file['exchange/data'] = volume.astype(np.float32)
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', f'read path={path} axes=slices ! find-metal {words} ! null'],
                          capture_output=True, text=True)
    tap.check(done.returncode == 0, done.stderr)
    metal, others = re.search(r'voxels above ([\d.e-]+) are metal.*have ([\d., e-]+)', done.stderr).groups()
    return float(metal), [float(word) for word in others.split(',')]


def near(got, wanted, share, what):
    tap.check(np.shape(got) == np.shape(wanted) and np.allclose(got, wanted, rtol=share, atol=0), f'{what}: {got}, not {wanted}')


def test_values():
    """A bin of the histogram is 1/128 of its value wide, so an object is known to 1 %; noise blurs the classes."""
    for noise in 0, .1, .2:
        for name, materials, others in (('body', [(.3, 1)], [1]), ('a little body', [(.02, 1)], [1]), ('body and bone', [(.3, 1), (.05, 2.3)], [1, 2.3]),
                                        ('iron', [(.3, 1), (.05, 2.3), (.01, 25)], [1, 2.3]), ('much iron', [(.2, 1), (.015, 25)], [1])):
            metal, got = found(slices_of(materials, noise))
            near(metal, 4 * .02, .02 + noise / 10, f'{name}, noise {noise}: metal')
            near(got, .02 * np.array(others), .02 + noise / 10, f'{name}, noise {noise}: materials')


def test_noise():
    """Noise that is half of the object's value: 8 times as much is above the object."""
    metal, _ = found(slices_of([(.5, 1)], .5))
    near(metal, .02 * (1 + 8 * .5), .03, 'metal')


def test_words():
    metal, others = found(slices_of([(.3, 1), (.1, 2), (.05, 3.2), (.005, 20)], .05), 'threshold=0.1 classes=4')
    near(metal, .1, 1e-3, 'metal')
    near(others, [.02, .04, .064], .02, 'materials')


def test_air():
    """Where nothing attenuates nothing is metal."""
    with h5py.File(PATH / 'air.h5', 'w') as file:
        file['exchange/data'] = np.zeros((3, N, N), np.float32)
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', f'read path={PATH}/air.h5 axes=slices ! find-metal ! segment-metal ! null'],
                          capture_output=True, text=True)
    tap.check(done.returncode == 0 and 'nothing is metal' in done.stderr, done.stderr)


def test_errors():
    for line, words in {'simulate width=32 ! find-metal ! null': 'wants slices, got', 'phantom width=32 ! find-metal threshold=0 ! null': 'threshold=0: give',
                        'phantom width=32 ! find-metal threshold=nan ! null': 'threshold=nan: give'}.items():
        said = sinograph_fails('launch', line)
        tap.check(words in said, f'{line}: {said}')


tap.main(globals())
