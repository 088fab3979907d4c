#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Counts with scattered light against attenuation without it, in float64."""
import h5py
import numpy as np
import tap
import tifffile
from moving import made, main, refused
from program import at_least, at_most

COLUMNS, ROWS, N = 41, 9, 12
rng = np.random.default_rng(5)
TRUTH = rng.uniform(0, 2, (N, ROWS, COLUMNS))
FLAT, DARK = rng.uniform(20000, 40000, (ROWS, COLUMNS)), 200.0
SCATTER = 1500 + 800 * np.exp(-((np.mgrid[:ROWS, :COLUMNS] - np.array([4, 20])[:, None, None]) ** 2).sum(0) / 100)


def scan(scatter):
    counts = np.rint(FLAT * np.exp(-TRUTH) + DARK + scatter).astype('u2')
    counts[3, 2, 5], counts[:, 4, 7] = 65535, 0
    with h5py.File('scan.h5', 'w') as file:
        file['exchange/data'], file['exchange/theta'] = counts, np.arange(N) * 15.0
        file['exchange/data_white'] = np.rint(np.repeat(FLAT[None] + DARK, 3, 0)).astype('u2')
        file['exchange/data_white'][:, 4, 7] = 0
        file['exchange/data_dark'] = np.full((2, ROWS, COLUMNS), DARK, 'u2')


def check(words, line='read path=scan.h5', rows=slice(None)):
    got, plain = (made(f'{line} ! {node}flat-field')[:] for node in (f'subtract-scatter {words} ! ', ''))
    whole = np.zeros(TRUTH.shape, bool)
    whole[3, 2, 5], whole[:, 4, 7] = True, True
    keep = ~whole[:, rows]
    # half a count of rounding in the projection and in the flat
    np.testing.assert_allclose(got[keep], TRUTH[:, rows][keep], atol=1 / (FLAT.min() * np.exp(-2)))
    at_least(np.abs(plain - TRUTH[:, rows])[keep].max(), 0.1, 'error without it')
    np.testing.assert_array_equal(np.isnan(got), np.isnan(plain))
    np.testing.assert_array_equal(made(f'{line} ! subtract-scatter {words} ! flat-field', '--threads=1'), got)


def test_number():
    scan(1500)
    check('counts=1500')


def test_image():
    scan(SCATTER)
    tifffile.imwrite('stop.tif', SCATTER.astype('f4'))
    check('image=stop.tif')
    check('image=stop.tif', 'read path=scan.h5 rows=2:8', slice(2, 8))
    check('image=stop.tif of=detector', 'read path=scan.h5 ! flip direction=vertical', slice(None, None, -1))
    refused('flip ! subtract-scatter image=stop.tif', "may be for the detector, too: put this node before 'flip'", 'read path=scan.h5')


def test_refusals():
    scan(0)
    tifffile.imwrite('small.tif', np.zeros((3, 3), 'f4'))
    tifffile.imwrite('nan.tif', np.full((ROWS, COLUMNS), np.nan, 'f4'))
    for words, text in {'': 'as counts= or as image=', 'counts=1 image=small.tif': 'one of both', 'image=small.tif': 'has 3 rows and 3 columns',
                        'image=nan.tif': 'NaN or infinite'}.items():  # fmt: skip
        refused(f'subtract-scatter {words}', text)
    refused('flat-field ! subtract-scatter counts=1', "put this node before 'flat-field'")


main(globals())
