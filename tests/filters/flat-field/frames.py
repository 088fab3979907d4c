#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Which darks, flats and counts `flat-field` takes for wrong, where a guess would take right ones: the transmission is compared
with that of the right frames. Costs 4 s."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / 'graphs'))
import h5py
import numpy as np
import tap

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
SHAPE = (64, 96)
rng = np.random.default_rng(5)


def level(mean, n, noise=1.0, shape=SHAPE):
    return np.rint(mean + noise * rng.normal(size=(n, *shape))).astype('u2')


def corrected(darks, flats, projections, times=None, node='flat-field'):
    """Transmission, and what was said."""
    with h5py.File(PATH / 'scan.h5', 'w') as file:
        file['exchange/data'], file['exchange/data_dark'], file['exchange/data_white'] = projections, darks, flats
        if times is not None:
            file['exchange/position_white'] = np.array(times, float)
    line = f'read path={PATH}/scan.h5 angles=0:180 ! {node} absorption=false interpolate=false ! write path={PATH}/out.h5 overwrite=true'
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', line], capture_output=True, text=True)
    tap.check(done.returncode == 0, done.stderr)
    with h5py.File(PATH / 'out.h5') as file:
        return file['exchange/data'][:], done.stderr


def right(darks, flats, good_darks, good_flats, says, times=None):
    """The frames with these numbers are taken, and no others."""
    light = 0.5 * np.median(flats[good_flats]) + 0.5 * np.median(darks[good_darks])
    projections = level(light, 3)
    got, said = corrected(darks, flats, projections, times)
    dark = darks[good_darks].mean(0)
    wanted = (projections - dark) / (flats[good_flats].mean(0) - dark)
    off = np.abs(got / wanted - 1)[:, flats[good_flats].mean(0) > dark]
    tap.check(off.max() < 1e-4, f'other frames were taken: {off.max()}\n{said}')
    for text in says:
        tap.check(text in said, f'{said}\nwithout {text}')
    tap.check(says or not said, said)


ALL = slice(None)


def test_most_frames_are_wrong():
    dark, flat = level(100, 10), level(20000, 10, 100)
    shut, lit = level(100, 7), level(20000, 7, 100)
    mixed = np.concatenate((dark[:3], lit))
    right(mixed, flat, slice(3), ALL, ['7 of the 10 darks have light, like flats, and are left out: 3, 4'])
    mixed = np.concatenate((flat[:3], shut))
    right(dark, mixed, ALL, slice(3), ['7 of the 10 flats have no more light than darks, and are left out: 3, 4'])


def test_the_beam_was_lost():
    """After the projections the shutter did not open: of three frames, as of two."""
    for n in 2, 3:
        flats = np.concatenate((level(20000, 5, 100), level(100, n)))
        right(level(100, 10), flats, ALL, slice(5), [f'{n} of the {n + 5} flats have no more light'], [-0.5] * 5 + [2.5] * n)


def test_a_glitch_is_no_measure():
    flats = np.concatenate((level(1000, 10, 10), level(20000, 1), level(900, 2, 10)))
    right(level(100, 10), flats, ALL, [*range(10), 11, 12], ['1 of the 13 flats differ', 'left out: 10,'], [-0.5] * 11 + [2.5] * 2)


def test_weak_beams():
    darks = np.concatenate((level(100, 1), level(102, 1)))
    right(darks, level(115, 20), ALL, ALL, ['the darks 0 and 1', 'both are kept'])
    darks = level(100, 10)
    darks[3] = 0  # a frame that was lost
    right(darks, level(115, 20), [0, 1, 2, *range(4, 10)], ALL, ['1 of the 10 darks differ', 'left out: 3,'])


def test_a_struck_pixel():
    """It is in one of two darks, in the middle of a patch that is looked at."""
    darks = level(100, 2)
    darks[1, 2, 6] = 60000
    right(darks, level(1000, 10, 10), ALL, ALL, [])


def test_a_narrow_beam():
    """An eighth of the detector: a shut flat of two is seen."""
    flats = level(100, 2)
    flats[0, 24:32] += 5000
    darks = level(100, 10)
    projections = level(100, 3)
    projections[:, 24:32] += 2500
    got, said = corrected(darks, flats, projections)
    tap.check('1 of the 2 flats has no more light than darks, and is left out: 1' in said, said)
    tap.check(abs(got[:, 24:32].mean() - 0.5) < 0.01, got[:, 24:32].mean())


def kept(flats, says=()):
    """All counts are right: none is filled."""
    projections = np.repeat(np.rint(flats[:1] * 0.5).astype('u2'), 2, 0)
    got, said = corrected(np.zeros((2, *flats.shape[1:]), 'u2'), flats, projections)
    lit = flats[0] > 0
    wanted = (projections / np.where(lit, flats.mean(0), 1))[:, lit]
    tap.check(np.abs(got[:, lit] - wanted).max() < 1e-6, f'{np.abs(got[:, lit] - wanted).max()}\n{said}')
    tap.check('which many pixels reach' not in said and all(text in said for text in says), said)


def test_counts_without_noise():
    """Their greatest value is that of a camera, and many pixels have it: a smooth beam, a top hat, two levels, and a beam that falls."""
    row, column = np.mgrid[:512, :64]
    share = (column < 25) & (row >= 0)  # 39 %
    for end in 1023, 4095, 16383:
        for n in 1, 3:
            for smooth in np.rint(end * np.exp(-0.5 * ((row - 255.5) / 2000) ** 2)), np.where(share, end, 0), np.where(share, end, 1000):
                kept(np.repeat(smooth[None], n, 0).astype('u2'))
    smooth = 4095 * np.exp(-0.5 * ((row - 255.5) / 2000) ** 2 - 0.5 * ((column - 31.5) / 2000) ** 2)
    kept(np.rint(smooth * np.array([1, 0.99, 0.98])[:, None, None]).astype('u2'))
    kept(np.full((3, *SHAPE), 4095, 'u2'), ['most pixels of the flats are at 4095', 'used unchanged'])


def test_counts_with_noise():
    """The same beam, saturated: of one frame, too."""
    row, column = np.mgrid[:512, :64]
    beam = 4300 * np.exp(-0.5 * ((row - 255.5) / 400) ** 2)
    for n in 1, 3:
        flats = np.minimum(np.rint(beam + 20 * rng.normal(size=(n, 512, 64))), 4095).astype('u2')
        _, said = corrected(np.zeros((2, 512, 64), 'u2'), flats, flats[:1])
        tap.check(f'{(flats == 4095).sum()} values of the flats' in said and 'are at 4095, the highest count, which many pixels reach' in said, said)


if __name__ == '__main__':
    tap.main(globals())
