#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Mirrored images against NumPy, and slices that stay what they were."""
import numpy as np
from moving import CONE, SCAN, companions_follow, holds, images, in_sinograms, made, main, refused, same_volume, scan, slices, whole


def test_images():
    for dtype in np.uint8, np.uint16, np.float16, np.float32:
        holds('flip', lambda image: image[:, ::-1], dtype)
        holds('flip direction=vertical', lambda image: image[::-1], dtype)
    holds('flip direction=vertical', lambda image: image[::-1], np.float32, read='read path=scan.h5 axes=slices')
    in_sinograms('flip', lambda image: image[:, ::-1])


def test_not_a_number():
    data = images(np.float32, 3, 8, 9)
    data[1, 4, 5] = np.nan
    scan('nan.h5', data)
    np.testing.assert_array_equal(made('read path=nan.h5 ! flip'), data[:, :, ::-1])


def test_companions():
    companions_follow('flip')
    companions_follow('flip direction=vertical')
    companions_follow('flip', between='! interleave lanes=8')


def test_volume():
    same_volume('flip', whole, 1e-5)
    same_volume('flip direction=vertical', lambda volume: volume[::-1], 0)
    same_volume('interleave ! flip', whole, 1e-5)
    same_volume('flip', whole, 1e-5, CONE)
    same_volume('flip direction=vertical', whole, 1e-5, CONE)


def test_mirrored_before():
    """A scan that was stored as a mirror image."""
    middle = SCAN.replace('axis=43.5', 'axis=40')
    want = slices(middle)
    np.testing.assert_array_equal(slices(f'{middle} ! flip geometry=stays ! flip geometry=stays'), want)
    # What is seen on the other side of the axis at all angles lies on its other side.
    np.testing.assert_allclose(slices(f'{middle} ! flip geometry=stays'), want[:, ::-1, ::-1], atol=1e-5 * np.abs(want).max())


def test_errors():
    refused('interleave ! flip direction=vertical', "the rows of sinograms are angles: put this node before 'interleave'")


if __name__ == '__main__':
    main(globals())
