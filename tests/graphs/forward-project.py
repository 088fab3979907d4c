#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Projections of a phantom's voxels against exact ones of the phantom, and the same bytes with little memory."""
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap
from draw import drawn, in_turn
from program import at_most, in_little_memory, sinograph, sinograph_fails

SCANS = {
    'parallel': ('', 1),
    'fan': ('source-origin={0:g} origin-detector={1:g}', 1),
    'cone': ('source-origin={0:g} origin-detector={1:g}', None),
    'laminography': ('source-origin={0:g} origin-detector={1:g} axis-tilt=30 detector-roll=5', None),
    'parallel laminography': ('axis-tilt=30', None),
}


def output(line, folder, *options):
    sinograph('launch', '--quiet', '--device=native', *options, f'{line} ! write path={folder}/out.h5 overwrite=true')
    with h5py.File(f'{folder}/out.h5') as file:
        return file['exchange/data'][:]


def blurred(image, axis):
    """By what is lost on the way through voxels: a box (variance 1/12) as wide as a pixel, and a hat (1/6) between two of them."""
    return (np.roll(image, 1, axis) + 6 * image + np.roll(image, -1, axis)) / 8


def size(image):
    return np.sqrt(np.mean(image.astype(np.float64) ** 2))


def errors(words, rows, n):
    """Of projections, relative: RMS, and that of exact ones which were blurred as much."""
    words = words.format(4.0 * n, 2.0 * n)
    scan = f'width={n} projections=12 angles=4:364 {words}'
    slices = 5 if rows else n  # a fan beam is read between slices
    voxel = 1 if 'source-origin' not in words else 4 / 6
    rows = rows or n
    with tempfile.TemporaryDirectory() as folder:
        exact = output(f'simulate object=shepp-logan-3d height={rows} supersampling=4 {scan}', folder)
        got = output(f'phantom object=shepp-logan-3d width={n} height={slices} supersampling=4 ! '
                     f'forward-project height={rows} {scan}', folder)
    got = got / voxel  # the phantom's values are per voxel
    blur = blurred(exact, 2) if rows == 1 else blurred(blurred(exact, 1), 2)
    return size(got - exact) / size(exact), size(blur - exact) / size(exact), size(got - blur) / size(exact)


def test_exact():
    """Nothing is lost but what voxels cannot hold: edges are blurred by half a voxel."""
    for name, (words, rows) in drawn(SCANS.items(), 2):
        error, blur, rest = errors(words, rows, 96)
        print(f'# {name}: {error:.2e}, of blurred ones {blur:.2e}, between both {rest:.2e}', flush=True)
        at_most(error / blur, 1, name)


def test_wide_pixels():
    """Rays of a pixel are at most 64 a side: between more of them voxels would be missed. Costs 3 s."""
    in_turn(0, 3)
    line = 'phantom width=8 height=4 ! forward-project source-origin=1000 origin-detector=1000 voxel-size=0.5'
    said = sinograph_fails('launch', f'{line} pixel-size=100 ! null')
    assert 'is 100 voxels wide in the middle of the volume, and at most 64 are allowed: give a larger voxel-size' in said, said
    sinograph('launch', '--quiet', f'{line} pixel-size=64 ! null')


def test_same_scan():
    """The scan that slices were made of, against the same one described again."""
    # slices are turned by 7 degrees, so they are seen as if the angles were larger
    for words, turned, again in (('axis=41.3 angles=10:190', 'angle-offset=7', 'axis=41.3 angles=17:197'),
                                 (CONE := 'axis=50 angles=0:360 source-origin=400 origin-detector=200 axis-tilt=5', '', CONE)):
        slices = f'simulate object=shepp-logan-3d width=96 height=6 projections=30 {words} ! reconstruct {turned}'
        with tempfile.TemporaryDirectory() as folder:
            same = output(f'{slices} ! forward-project same-scan=true', folder)
            own = output(f'{slices} ! forward-project projections=30 {again}', folder)
        at_most(np.abs(same - own).max(), 1e-5 * np.abs(own).max(), f'{words}: difference')  # angles differ by rounding
    for line, words in {'simulate width=32 ! reconstruct ! flip ! forward-project same-scan=true': 'the scan of these is not known',
                        'phantom width=32 ! forward-project same-scan=true': 'the scan of these is not known',
                        'simulate width=32 ! reconstruct ! forward-project same-scan=true width=64': 'leave out width=64'}.items():
        said = sinograph_fails('launch', f'{line} ! null')
        assert words in said, said


def test_memory():
    """Slices that come in parts, for rows that do: the same bytes."""
    line = ('phantom object=shepp-logan-3d width=96 height=96 ! forward-project projections=40 angles=0:360 source-origin=400 '
            'origin-detector=200 axis-tilt=10')
    with tempfile.TemporaryDirectory() as folder:
        whole = output(line, folder)
        path = Path(folder) / 'little.h5'
        little = f'{line} ! write path={path} overwrite=true'
        in_little_memory(lambda limit: sinograph('launch', '--quiet', '--device=native', limit, little), 'native', little)
        with h5py.File(path) as file:
            assert np.array_equal(whole, file['exchange/data'][:]), 'bytes differ'
        one = output(line, folder, '--threads=1')
        assert np.array_equal(whole, one), 'bytes differ with one thread'


tap.main(globals())
