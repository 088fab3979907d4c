#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Slices of known values, segmented, against numpy."""
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap
from program import sinograph, sinograph_fails

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
N = 61
RANDOM = np.random.default_rng(5)
# Air, object, dense material and metal, each with values of its own.
KIND = RANDOM.choice(4, (7, N, N), p=[.4, .49, .1, .01])
VOLUME = (np.array([0, 1, 2.5, 20])[KIND] + RANDOM.normal(0, .02, KIND.shape)).astype(np.float32)
PLACE = np.arange(N) + .5 - N / 2
INSIDE = PLACE[:, None] ** 2 + PLACE[None, :] ** 2 < (N / 2) ** 2


def saved(name, volume):
    with h5py.File(PATH / name, 'w') as file:
        file['exchange/data'] = volume.astype(np.float32)
    return f'read path={PATH / name} axes=slices'


def out(line):
    sinograph('launch', '--quiet', '--device=native', f'{line} ! write path={PATH}/out.h5 overwrite=true')
    with h5py.File(PATH / 'out.h5') as file:
        return file['exchange/data'][:]


def close(got, wanted, what):
    """Class values are means of a histogram, whose bins are 1/128 wide."""
    tap.check(np.abs(got - wanted).max() < .02, f'{what}: off by {np.abs(got - wanted).max()}')


def test_metal():
    got = out(f'{saved("volume.h5", VOLUME)} ! find-metal ! segment-metal')
    wanted = np.where((KIND == 3) & INSIDE, VOLUME - 1, 0)
    close(got, wanted, 'metal')
    tap.check(np.array_equal(got != 0, wanted != 0), 'other voxels than metal')


def test_prior():
    got = out(f'{saved("volume.h5", VOLUME)} ! find-metal ! segment-metal keep=prior')
    close(got, np.where(INSIDE, np.choose(KIND, [0, 1, VOLUME, 1]), 0), 'prior')
    dense = (KIND == 2) & INSIDE
    tap.check(np.array_equal(got[dense], VOLUME[dense]), 'the densest material does not keep its values')
    got = out(f'{saved("volume.h5", VOLUME)} ! find-metal classes=2 ! segment-metal keep=prior')
    tap.check(len(np.unique(got)) == 3, f'{len(np.unique(got))} values of air, one material and what replaces metal')


def test_other_slices():
    """Metal where the input 'metal' has it."""
    here = saved('here.h5', np.where(KIND == 3, 1, VOLUME))
    got = out(f'{saved("volume.h5", VOLUME)} ! find-metal name=f [{here}, f.] ! segment-metal keep=prior')
    close(got, np.where(INSIDE, np.choose(KIND, [0, 1, VOLUME, 1]), 0), 'prior')


def test_errors():
    volume, other = saved('volume.h5', VOLUME), saved('other.h5', VOLUME[:3])
    for line, words in {f'{volume} ! segment-metal ! null': "put 'find-metal' before it",
                        f'{volume} ! find-metal ! calculate expression=2*x ! segment-metal ! null': "put 'find-metal' before it",
                        f'{volume} ! find-metal ! rescale type=f32 min=0 max=2 ! segment-metal ! null': "put 'find-metal' before it",
                        f'[{volume}, {volume}] ! segment-metal ! null': "put 'find-metal' before that input",
                        f'[{volume}, {other} ! find-metal] ! segment-metal ! null': "input 'metal' wants f32 slices",
                        'simulate width=32 ! segment-metal ! null': 'wants slices, got'}.items():
        said = sinograph_fails('launch', line)
        tap.check(words in said, f'{line}: {said}')


tap.main(globals())
