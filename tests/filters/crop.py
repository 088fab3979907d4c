#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Rectangles against slices of NumPy, and the geometry that goes with them."""
import h5py
import numpy as np
from moving import CONE, SCAN, companions_follow, holds, images, in_sinograms, made, main, refused, same_volume, scan, seen, slices, whole
from program import sinograph


def test_projections():
    for dtype in np.uint8, np.uint16, np.float16, np.float32:
        holds('crop x=7 y=3 width=50 height=11', lambda image: image[3:14, 7:57], dtype)
    holds('crop x=74', lambda image: image[:, 74:], np.float32)
    holds('crop y=21', lambda image: image[21:], np.float32)
    holds('crop', lambda image: image, np.float32)


def test_sinograms():
    in_sinograms('crop x=7 width=50 y=2 height=4', lambda image: image[2:6, 7:57])


def test_slices():
    holds('crop x=7 y=3 width=50 height=11', lambda image: image[3:14, 7:57], np.float32, read='read path=scan.h5 axes=slices')


def test_not_a_number():
    data = images(np.float32, 3, 8, 9)
    data[1, 4, 5], data[2, 4, 4] = np.nan, np.inf
    scan('nan.h5', data)
    np.testing.assert_array_equal(made('read path=nan.h5 ! crop x=3 y=2 width=4 height=5'), data[:, 2:7, 3:7])


def test_companions():
    companions_follow('crop x=11 y=3 width=40 height=9')
    companions_follow('crop x=11 y=3 width=40 height=6', between='! interleave lanes=8')


def test_only_rows_that_are_needed():
    """A scan of whole chunks counts those that it read."""
    with h5py.File('rows.h5', 'w') as file:
        file.create_dataset('exchange/data', data=images(np.uint16, 10, 64, 30), chunks=(1, 8, 30), compression='gzip')
    said = sinograph('launch', '--stats', '--device=native', 'read path=rows.h5 ! crop y=17 height=6 ! write path=out.h5 overwrite=true')
    assert 'chunks=10' in said.replace(' ', '') or '"chunks": 10' in said, said


def test_volume():
    same_volume('pad left=9 right=15 mode=zero ! crop x=9 width=80', whole, 0)
    same_volume('crop y=4 height=3', lambda volume: volume[4:7], 0)
    same_volume('pad left=9 right=15 mode=zero ! crop x=3 width=96', seen, 1e-5, of_after=seen)
    same_volume('pad left=9 right=15 top=2 mode=zero ! crop x=9 y=2 width=80', whole, 1e-5, CONE)
    # Angles of sinograms: those of the others count for nothing.
    half = slices(f'{SCAN} ! interleave ! crop y=10 height=30').reshape(12, 80, 80)
    want = slices(SCAN.replace('projections=90', 'projections=30 angles=20:80'))
    np.testing.assert_allclose(half, want, atol=1e-5 * np.abs(want).max())


def test_errors():
    refused('crop x=75', 'x=75 is outside: the images have 75 columns, 0 to 74')
    refused('crop y=22', 'y=22 is outside: the images have 22 rows, 0 to 21')
    refused('crop x=5 width=71', 'x=5 + width=71 is more than the 75 columns of the images: at most 70 are left')
    refused('interleave ! crop y=13', 'y=13 is outside: the images have 13 angles, 0 to 12')
    refused('crop x=-1', 'x')


if __name__ == '__main__':
    main(globals())
