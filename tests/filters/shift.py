#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Shifted images against scipy in float64, and the geometry that goes with them."""
from pathlib import Path

import h5py
import numpy as np
from moving import COLUMNS, CONE, N, NOISE, ROWS, companions_follow, counts, holds, images, made, main, refused, same_there, same_volume, scan, seen
from program import at_most, in_little_memory, sinograph
from scipy import ndimage


def shifted(image, dx, dy, order):
    return ndimage.shift(image, (dy, dx), order=order, mode='nearest')


def test_images():
    for dtype in np.uint8, np.uint16, np.float16, np.float32:
        holds('shift dx=2.25 dy=-1.5', lambda image: shifted(image, 2.25, -1.5, 1), dtype, 1e-6)
    holds('shift dx=2.25 dy=-1.5 interpolation=cubic', lambda image: shifted(image, 2.25, -1.5, 3), np.float32, 2e-6)
    holds('shift dx=-0.7 interpolation=cubic', lambda image: shifted(image, -.7, 0, 3), np.float32, 2e-6)
    holds('shift dx=100 dy=-50', lambda image: np.full_like(image, image[-1, 0]), np.float32)
    holds('shift dx=3 dy=2', lambda image: np.pad(image, ((2, 0), (3, 0)), 'edge')[:-2, :-3], np.float32)
    holds('shift dx=1.5 dy=.5', lambda image: shifted(image, 1.5, .5, 1), np.float32, 1e-6, read='read path=scan.h5 axes=slices')


def test_each_by_its_own():
    ways = NOISE.uniform(-4, 4, (N, 2))
    np.savetxt('both.txt', ways)
    np.savetxt('one.txt', ways[:, 0])
    data = images(np.float32, N, ROWS, COLUMNS)
    scan('each.h5', data)
    for order, interpolation in (1, 'linear'), (3, 'cubic'):
        for name, down in ('both', ways[:, 1]), ('one', np.zeros(N)):
            want = np.stack([shifted(image.astype(float), dx, dy, order) for image, dx, dy in zip(data, ways[:, 0], down)])
            line = f'read path=each.h5 ! shift file={name}.txt interpolation={interpolation}'
            got = made(line)
            np.testing.assert_allclose(got, want, rtol=0, atol=2e-6 * np.abs(want).max())
            few = in_little_memory(lambda memory: made(line, memory, '--threads=1'), 'native', f'{line} ! write path=no.h5')
            np.testing.assert_array_equal(few, got)
            if name == 'one':
                rows = made(f'read path=each.h5 ! interleave lanes=4 ! shift file=one.txt interpolation={interpolation}')
                np.testing.assert_allclose(rows, want.transpose(1, 0, 2), rtol=0, atol=2e-6 * np.abs(want).max())


def test_opencl():
    """After other nodes that move pixels; what each of them does there is in moving/opencl.cpp."""
    np.savetxt('both.txt', NOISE.uniform(-4, 4, (N, 2)))
    scan('before.h5', images(np.uint16, N, ROWS, COLUMNS))
    same_there('read path=before.h5 ! crop x=3 {0} ! rotate angle=3 interpolation=cubic {0} ! pad left=4 top=1 {0} ! shift file=both.txt interpolation=cubic {0} ! bin {0}', 2e-6)


def test_drift():
    """Moves that are taken back give the slices of a sample that stood still."""
    sinograph('launch', '--quiet', 'simulate object=shepp-logan width=96 height=3 projections=120 axis=48 ! write path=still.h5')
    drift = 3 * np.sin(np.arange(120) / 20)
    with h5py.File('still.h5') as still, h5py.File('drift.h5', 'w') as file:
        for name in still['exchange']:
            still.copy(f'exchange/{name}', file.require_group('exchange'))
        file['exchange/data'][...] = np.stack([ndimage.shift(image, (0, dx), order=3, mode='nearest') for image, dx in zip(file['exchange/data'][:].astype(float), drift)])
    np.savetxt('back.txt', -drift)
    line = 'read path={} ! {} reconstruct method=direct axis=48'
    want = made(line.format('still.h5', ''))
    off = lambda got: np.sqrt(np.mean((got - want)**2)) / want.std()
    assert off(made(line.format('drift.h5', ''))) > .3
    at_most(off(made(line.format('drift.h5', 'shift file=back.txt interpolation=cubic !'))), .1, 'what is left of the drift')


def test_not_a_number():
    data = images(np.float32, 3, ROWS, COLUMNS)
    data[1, 11, 30] = np.nan
    scan('nan.h5', data)
    got = made('read path=nan.h5 ! shift dx=2 dy=1')
    assert np.argwhere(np.isnan(got)).tolist() == [[1, 12, 32]]


def test_companions():
    companions_follow('shift dx=2 dy=-1')
    companions_follow('shift dx=3')
    middle = lambda volume: seen(volume)[4:8]  # rows beyond the detector are not known
    same_volume('shift dx=-2', seen, .02, of_after=seen)
    same_volume('shift dx=-2.5 interpolation=cubic', seen, .17, of_after=seen)  # edges as sharp as a pixel
    same_volume('shift dx=-2 dy=1 interpolation=cubic', middle, .02, CONE, of_after=middle)
    counts('counts.h5')
    Path('few.txt').write_text(' '.join(['1'] * N))
    refused('shift file=few.txt', 'darks and flats cannot follow', 'read path=counts.h5')


def test_errors():
    Path('few.txt').write_text('1 2 3')
    Path('words.txt').write_text('left\n' * N)
    refused('shift file=few.txt', f'has 3 numbers for {N} projections')
    refused('shift file=words.txt', "'left'")
    refused('shift file=absent.txt', 'absent.txt')
    refused('shift file=few.txt dx=1', 'leave dx= and dy= out')
    refused('shift dy=1', 'shifts by rows want projections or slices', 'read path=scan.h5 ! interleave')
    refused('shift file=few.txt', 'is for projections or sinograms', 'read path=scan.h5 axes=slices')


main(globals())
