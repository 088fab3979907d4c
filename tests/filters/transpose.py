#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Exchanged rows and columns against NumPy, and what would leave the axis along the rows."""
import numpy as np
from moving import CONE, SCAN, companions_follow, holds, images, made, main, refused, scan, slices


def test_images():
    for dtype in np.uint8, np.uint16, np.float16, np.float32:
        holds('transpose', np.transpose, dtype)
    holds('transpose', np.transpose, np.float32, read='read path=scan.h5 axes=slices')
    holds('transpose ! crop y=40 height=3', lambda image: image.T[40:43], np.float32)


def test_not_a_number():
    data = images(np.float32, 3, 8, 9)
    data[1, 4, 0] = np.nan
    scan('nan.h5', data)
    np.testing.assert_array_equal(made('read path=nan.h5 ! transpose'), data.transpose(0, 2, 1))


def test_companions():
    companions_follow('transpose')


def test_volume():
    """A camera that stood on its side."""
    for line in SCAN, CONE:
        want = slices(line)
        if line == SCAN:
            data = made(line)
            scan('side.h5', data.transpose(0, 2, 1))
            got = made('read path=side.h5 ! transpose ! interleave ! ramp-filter ! back-project axis=43.5')
        else:
            got = slices(f'{line} ! transpose ! transpose')
        np.testing.assert_allclose(got, want, atol=1e-6 * np.abs(want).max())


def test_errors():
    refused('interleave ! transpose', "wants projections or slices, got ")
    refused('transpose', "the axis of rotation is parallel to the columns, at 43.5, and would become parallel to the rows", SCAN)
    refused('ramp-filter ! transpose', 'has filtered the rows already')


if __name__ == '__main__':
    main(globals())
