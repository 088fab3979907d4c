#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Whole runs with remove-outliers and unsharp, against scipy in float64: cut in any way."""
import os
import subprocess
import tempfile
from unittest import SkipTest

import h5py
import numpy as np
import tap
from program import at_most, in_little_memory, sinograph, sinograph_fails

try:
    from scipy import ndimage
except ImportError:
    ndimage = None

N, ROWS, COLUMNS = 31, 37, 70
RNG = np.random.default_rng(3)
SMOOTH = RNG.integers(1000, 1200, (N, ROWS, COLUMNS))
DATA = np.where(RNG.random((N, ROWS, COLUMNS)) < 0.004, 9000, SMOOTH).astype(np.uint16)


def scan():
    with h5py.File('scan.h5', 'w') as file:
        file['exchange/data'], file['exchange/theta'] = DATA, np.arange(N) * 180. / N
        file['exchange/data_white'] = DATA[:1]


def needs_scipy():
    if ndimage is None:
        raise SkipTest('scipy is absent')


def made(line, *options):
    sinograph('launch', '--quiet', '--device=native', *options, f'{line} ! write path=out.h5 overwrite=true')
    with h5py.File('out.h5') as file:
        return file['exchange/data'][:]


def made_in_any_way(line):
    whole = made(line)
    little = in_little_memory(lambda memory: made(line, memory), 'native', f'{line} ! write path=no.h5')
    for other in little, made(line, '--threads=1'):
        np.testing.assert_array_equal(other, whole)
    return whole


def without_outliers(data, size, threshold, sign=1):
    """TomoPy's remove_outlier."""
    median = ndimage.median_filter(data, size, mode='nearest').astype(float)
    return np.where(sign * (data - median) > threshold, median, data).astype(data.dtype)


def test_remove_outliers():
    needs_scipy()
    for words, size in ('', (1, 3, 3)), (' size=5', (1, 5, 5)), (' size=7 direction=angle', (7, 1, 1)):
        result = made_in_any_way(f'read path=scan.h5 ! remove-outliers threshold=500{words}')
        np.testing.assert_array_equal(result, without_outliers(DATA, size, 500))
        tap.check(np.sum(result > 5000) < 0.1 * np.sum(DATA > 5000), 'few outliers are left')  # those of borders count several times


def test_of_sinograms():
    needs_scipy()
    for lanes in 1, 8, 16:
        result = made_in_any_way(f'read path=scan.h5 ! interleave lanes={lanes} ! remove-outliers threshold=500 size=3')
        np.testing.assert_array_equal(result, without_outliers(DATA.transpose(1, 0, 2), (1, 3, 3), 500))


def test_dark_ones():
    needs_scipy()
    inverse = 10000 - DATA
    with h5py.File('inverse.h5', 'w') as file:
        file['exchange/data'], file['exchange/theta'] = inverse, np.arange(N) * 180. / N
    np.testing.assert_array_equal(made('read path=inverse.h5 ! remove-outliers threshold=500 sign=dark'), without_outliers(inverse, (1, 3, 3), 500, -1))
    np.testing.assert_array_equal(made('read path=inverse.h5 ! remove-outliers threshold=500'), inverse)


def test_says_when_there_are_many():
    def said(threshold):
        line = f'read path=scan.h5 ! remove-outliers threshold={threshold} ! null'
        return subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', line], capture_output=True, text=True, check=True).stderr

    tap.same(said(500), '')
    tap.check('is threshold= too low?' in said(20), 'many')


def test_unsharp():
    needs_scipy()
    exact = SMOOTH / 1000.
    with h5py.File('floats.h5', 'w') as file:
        file['exchange/data'], file['exchange/theta'] = exact.astype(np.float32), np.arange(N) * 180. / N
    for sigma, amount in (1, 1), (0.7, 2.5), (3, 0.5):
        for middle, data in ('', exact), (' ! interleave lanes=8', exact.transpose(1, 0, 2)):
            smooth = ndimage.gaussian_filter(data, (0, sigma, sigma), mode='nearest')
            result = made_in_any_way(f'read path=floats.h5{middle} ! unsharp sigma={sigma} amount={amount}')
            at_most(np.abs(result - (data + amount * (data - smooth))).max(), 1e-6 * (1 + amount), f'error of sigma={sigma}{middle}')


def test_unsharp_of_slices():
    needs_scipy()
    line = 'simulate width=64 height=5 projections=90 ! reconstruct'
    data = made(line).astype(float)
    right = data + 1.5 * (data - ndimage.gaussian_filter(data, (0, 1, 1), mode='nearest'))
    at_most(np.abs(made_in_any_way(f'{line} ! unsharp amount=1.5') - right).max() / np.abs(right).max(), 2e-6, 'error of slices')


def test_errors():
    for words, said in (('remove-outliers', 'threshold= is missing'), ('remove-outliers threshold=-1', 'threshold'),
                        ('remove-outliers threshold=1 size=6', 'size=6 is even: give 5 or 7'),
                        ('remove-outliers threshold=1 size=17', '17'), ('remove-outliers threshold=1 sign=red', 'sign'),
                        ('remove-outliers threshold=1 ! flat-field', "'remove-outliers' has changed the counts already"),
                        ('unsharp ! flat-field', "'unsharp' has changed the counts already"), ('unsharp sigma=0', 'sigma'), ('unsharp sigma=60', 'sigma'), ('unsharp amount=-2', 'amount')):
        tap.check(said in sinograph_fails('check', '--device=native', f'read path=scan.h5 ! {words} ! write path=no.h5'), words)


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        scan()
        tap.main(globals())
