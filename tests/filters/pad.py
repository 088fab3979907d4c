#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Padded images against NumPy's, and slices that stay what they were in the middle."""
import numpy as np
from moving import CONE, SCAN, companions_follow, holds, images, in_sinograms, made, main, refused, same_volume, scan, seen

MODES = {'edge': 'edge', 'zero': 'constant', 'reflect': 'reflect'}


def test_projections():
    for mode, of_numpy in MODES.items():
        for dtype in np.uint8, np.float32:
            holds(f'pad left=5 right=9 top=3 bottom=2 mode={mode}',
                  lambda image: np.pad(image, ((3, 2), (5, 9)), of_numpy), dtype)
        holds(f'pad left=200 bottom=70 mode={mode}', lambda image: np.pad(image, ((0, 70), (200, 0)), of_numpy), np.uint16)


def test_one_pixel():
    holds('crop x=3 y=4 width=1 height=1 ! pad left=2 bottom=3 mode=reflect',
          lambda image: np.pad(image[4:5, 3:4], ((0, 3), (2, 0)), 'reflect'), np.float32)


def test_sinograms_and_slices():
    for mode, of_numpy in MODES.items():
        in_sinograms(f'pad left=4 right=90 mode={mode}', lambda image: np.pad(image, ((0, 0), (4, 90)), of_numpy))
    holds('pad left=4 top=3', lambda image: np.pad(image, ((3, 0), (4, 0)), 'edge'), np.float32, read='read path=scan.h5 axes=slices')


def test_not_a_number():
    data = images(np.float32, 3, 8, 9)
    data[1, 4, 0] = np.nan
    scan('nan.h5', data)
    np.testing.assert_array_equal(made('read path=nan.h5 ! pad left=3'), np.pad(data, ((0, 0), (0, 0), (3, 0)), 'edge'))


def test_companions():
    companions_follow('pad left=5 right=3 top=4 bottom=1')
    companions_follow('pad left=5 right=3 top=4 bottom=1 mode=reflect')
    companions_follow('pad left=5', between='! interleave lanes=8')


def test_volume():
    same_volume('pad left=12 right=4 mode=zero', seen, 1e-5, of_after=seen)
    # As much on both sides, for cone-weight weighs rays by how far the detector reaches on either.
    same_volume('pad left=8 right=8 top=2 bottom=2 mode=zero', seen, 1e-5, CONE, lambda volume: seen(volume[2:14]))


def test_errors():
    refused('interleave ! pad top=2', "the rows of sinograms are angles: put this node before 'interleave'")
    refused('pad left=-1', 'left')
    scan('flats.h5', images(np.uint16, 3, 8, 9), data_white=images(np.uint16, 3, 8, 9))
    refused('pad left=3 mode=zero', "put 'flat-field' before it, or set mode=edge", 'read path=flats.h5')


if __name__ == '__main__':
    main(globals())
