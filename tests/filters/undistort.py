#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Discorpy's backward model against its formula in float64."""
from pathlib import Path

import numpy as np
from moving import COLUMNS, N, ROWS, companions_follow, holds, images, made, main, refused, scan
from scipy import ndimage

CENTRE, FACTORS = (36.3, 10.2), (1.01, -8e-4, 2e-5)


def lens(path='lens.txt', centre=CENTRE, factors=FACTORS):
    """As discorpy.losa.loadersaver.save_metadata_txt writes it."""
    lines = [f'xcenter = {centre[0]}', f'ycenter = {centre[1]}'] + [f'factor{i} = {factor}' for i, factor in enumerate(factors)]
    Path(path).write_text('\n'.join(lines) + '\n')


def undistorted(image, order=1, centre=CENTRE, factors=FACTORS):
    """discorpy.post.postprocessing.unwarp_image_backward."""
    height, width = image.shape
    x, y = np.meshgrid(np.arange(width) - centre[0], np.arange(height) - centre[1])
    factor = sum(f * np.sqrt(x**2 + y**2)**i for i, f in enumerate(factors))
    places = np.clip(centre[1] + factor * y, 0, height - 1), np.clip(centre[0] + factor * x, 0, width - 1)
    return ndimage.map_coordinates(image, places, order=order, mode='nearest')


def test_images():
    lens()
    for dtype in np.uint8, np.uint16, np.float16, np.float32:
        holds('undistort file=lens.txt', undistorted, dtype, 1e-6)
    holds('undistort file=lens.txt interpolation=cubic', lambda image: undistorted(image, 3), np.float32, 2e-6)
    lens('none.txt', factors=(1,))
    holds('undistort file=none.txt', lambda image: image, np.float32, 1e-6)


def test_part_of_the_detector():
    """Rows and columns that were left out are counted."""
    lens()
    data = images(np.float32, N, ROWS, COLUMNS)
    scan('part.h5', data)
    want = np.stack([undistorted(image[4:20, 9:], centre=(CENTRE[0] - 9, CENTRE[1] - 4)) for image in data.astype(float)])
    for line in 'read path=part.h5 rows=4:20 ! crop x=9', 'read path=part.h5 ! crop x=9 y=4 height=16':
        np.testing.assert_allclose(made(f'{line} ! undistort file=lens.txt'), want, rtol=0, atol=1e-6 * np.abs(want).max())


def test_not_a_number():
    lens()
    data = images(np.float32, 3, ROWS, COLUMNS)
    data[1, 11, 30] = np.nan
    scan('nan.h5', data)
    bad = np.argwhere(np.isnan(made('read path=nan.h5 ! undistort file=lens.txt')))
    assert len(bad) > 0 and (bad[:, 0] == 1).all() and np.abs(bad[:, 1:] - [11, 30]).max() <= 2, bad


def test_companions():
    lens('none.txt', factors=(1,))
    companions_follow('undistort file=none.txt')


def test_errors():
    lens()
    Path('words.txt').write_text('xcenter is 3\n')
    Path('part.txt').write_text('xcenter = 3\nycenter = 4\n')
    Path('gap.txt').write_text('xcenter = 3\nycenter = 4\nfactor0 = 1\nfactor2 = 1e-6\n')
    refused('undistort', 'file= is missing')
    refused('undistort file=absent.txt', 'absent.txt')
    refused('undistort file=words.txt', "'xcenter is 3' is not a line like 'factor0 = 1.0006'")
    refused('undistort file=part.txt', "has no 'factor0'")
    refused('undistort file=gap.txt', "has no 'factor1'")
    refused('undistort file=lens.txt', "put this node before 'interleave'", 'read path=scan.h5 ! interleave')
    refused('undistort file=lens.txt', "put this node before 'bin' and 'flip'", 'read path=scan.h5 ! bin')
    refused('undistort file=lens.txt', "'ramp-filter' has filtered the rows already", 'read path=scan.h5 ! ramp-filter')


main(globals())
