#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Means and sums of pixels in float64, and slices of binned scans against binned slices."""
import h5py
import numpy as np
from moving import CONE, COLUMNS, ROWS, SCAN, companions_follow, counts, holds, images, in_sinograms, made, main, refused, scan, slices
from program import at_most


def binned(image, rows, columns, of=np.mean):
    height, width = image.shape[0] // rows, image.shape[1] // columns
    return of(image[:height * rows, :width * columns].reshape(height, rows, width, columns), axis=(1, 3))


def test_projections():
    for dtype in np.uint8, np.uint16, np.float16, np.float32:
        holds('bin', lambda image: binned(image, 2, 2), dtype, 1e-6)
    holds('bin columns=3 rows=4', lambda image: binned(image, 4, 3), np.float32, 1e-6)
    holds('bin columns=1 rows=2', lambda image: binned(image, 2, 1), np.float32, 1e-6)
    holds('bin columns=5 rows=1 value=sum', lambda image: binned(image, 1, 5, np.sum), np.uint16)
    holds('bin columns=75 rows=22 value=sum', lambda image: binned(image, 22, 75, np.sum), np.float32, 2e-6)


def test_sinograms_and_slices():
    in_sinograms('bin columns=4', lambda image: binned(image, 1, 4), 1e-6)
    holds('bin columns=2 rows=3', lambda image: binned(image, 3, 2), np.float32, 1e-6, 'read path=scan.h5 axes=slices')


def test_not_a_number():
    """One of the pixels that is none makes the mean none, and no other."""
    data = images(np.float32, 1, 8, 9)
    data[0, 4, 5] = np.nan
    scan('nan.h5', data)
    np.testing.assert_array_equal(np.isnan(made('read path=nan.h5 ! bin')[0]), np.isnan(binned(data[0], 2, 2)))


def test_companions():
    """Darks and flats are binned before they are divided by, which is what a detector of such pixels would have counted."""
    for chunks in None, (2, 5, 20):
        for value, of in ('mean', np.mean), ('sum', np.sum):
            counts('counts.h5', chunks)
            got = made(f'read path=counts.h5 ! bin columns=3 rows=2 value={value} ! flat-field')
            with h5py.File('counts.h5') as file:
                data, white, dark = (file[f'exchange/{name}'][:].astype(float) for name in ('data', 'data_white', 'data_dark'))
            white, dark = (binned(frames.mean(0), 2, 3, of) for frames in (white, dark))
            want = [-np.log((binned(image, 2, 3, of) - dark) / (white - dark)) for image in data]
            np.testing.assert_allclose(got, want, atol=3e-6)


def test_volume():
    """Twice as large voxels: the slices of a binned scan are the binned slices, as far as both are sharp."""
    for line in SCAN, SCAN + ' pixel-size=0.25', CONE:
        line = line.replace('width=80', 'width=160').replace('axis=43.5', 'axis=83').replace('height=12', 'height=16')
        line = line.replace('projections=90', 'projections=240')
        fine, coarse = slices(line), slices(f'{line} ! bin')
        want = fine.reshape(8, 2, 80, 2, 80, 2).mean((1, 3, 5))
        # Attenuation is per pixel where nothing else is known; in a cone beam lengths stay columns of the whole detector.
        scale = 1 if 'pixel-size' in line or 'source' in line else 2
        shift = [np.corrcoef((scale * want)[:, 15:65, 15 + d:65 + d].ravel(), coarse[:, 15:65, 15:65].ravel())[0, 1] for d in (-1, 0, 1)]
        assert np.argmax(shift) == 1, shift
        y, x = np.mgrid[:80, :80] - 39.5
        inside = x**2 + y**2 < 30**2
        error = (coarse - scale * want)[2:6, inside]
        at_most(np.sqrt(np.mean(error**2)) / np.sqrt(np.mean((scale * want)[2:6, inside]**2)), 0.15, line)


def test_pixel_size():
    made('simulate width=64 height=4 projections=5 pixel-size=0.5 axis=30 ! bin columns=4 rows=2')
    with h5py.File('out.h5') as file:
        assert file['exchange/data'].shape == (5, 2, 16)
        assert file['exchange/rotation_axis'][()] == 7.5
        assert abs(file['exchange/pixel_size'][()] - 2) < 1e-12 if 'exchange/pixel_size' in file else True


def test_errors():
    refused('bin columns=76', 'cannot combine 76 columns and 76 rows into one pixel, the images have 75 and 22')
    refused('interleave ! bin rows=2', "the rows of sinograms are angles: put this node before 'interleave'")
    refused('ramp-filter ! bin', 'has filtered the rows already')
    refused('bin columns=0', 'columns')


if __name__ == '__main__':
    assert (ROWS, COLUMNS) == (22, 75)
    main(globals())
