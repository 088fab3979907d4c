# SPDX-License-Identifier: LGPL-3.0-or-later
"""Scans and slices for the tests of fourier-reconstruct: simulated or made here, all kept in one temporary folder."""
import functools
import tempfile
from pathlib import Path

import fbp
import h5py
import numpy as np
from program import sinograph
from scipy import ndimage

KEPT = tempfile.TemporaryDirectory()
FOLDER = Path(KEPT.name)
NUMBERS = iter(range(10**9))
# The noise of a usual exposure: of 50000 photons the longest ray lets 5 % pass (an integral of 3).
NOISE = 'photons=50000 flats=40 darks=4'
DENSITY = 5.5


def new_file(suffix='.h5'):
    return FOLDER / f'{next(NUMBERS)}{suffix}'


def launch(line):
    """What a line writes to an HDF5 file, without its last node."""
    file = new_file()
    sinograph('launch', '--quiet', '--device=native', f'{line} ! write path={file}')
    return file


@functools.cache
def simulated(options, noise=False):
    """The file of a scan's attenuation."""
    return launch(f'simulate {options} density={DENSITY}' + (f' {NOISE} ! flat-field' if noise else ''))


def of_arrays(sinograms, degrees):
    """The file of a scan of sinograms (row, angle, column) and angles."""
    path = new_file()
    with h5py.File(path, 'w') as file:
        file['exchange/data'] = np.ascontiguousarray(np.swapaxes(sinograms, 0, 1), dtype=np.float32)
        file['exchange/theta'] = np.asarray(degrees, np.float64)
    return path


def text_file(numbers):
    path = new_file('.txt')
    path.write_text(''.join(f'{float(number)!r}\n' for number in numbers))
    return path


def stack(path):
    with h5py.File(path) as file:
        return next(d for d in file['exchange'].values() if d.ndim == 3)[:]


def sinograms(path):
    """Sinograms (row, angle, column) and angles in radians."""
    with h5py.File(path) as file:
        return np.swapaxes(file['exchange/data'][:], 0, 1), np.deg2rad(file['exchange/theta'][:].astype(np.float64))


def padded_length(width):
    """P of the node's page: twice the least 64 a b that holds the row, a and b being transforms that it has."""
    lengths = 1, 2, 3, 4, 5, 6, 8, 10, 12, 16
    return 2 * min(64 * a * b for a in lengths for b in lengths if 64 * a * b >= width)


@functools.cache
def fourier(path, options='', read=''):
    return stack(launch(f'read path={path} {read} ! interleave ! fourier-reconstruct {options}'))


@functools.cache
def direct(path, filter_options='', options='', read=''):
    """Ramp and linear interpolation, which is itself a window of sinc^2."""
    return stack(launch(f'read path={path} {read} ! ramp-filter {filter_options} ! interleave ! back-project {options}'))


@functools.cache
def phantom(options):
    return stack(launch(f'phantom {options} density={DENSITY}'))


def regions(truth):
    """Pixels next to an edge, those far from any, and both with what is between, all inside the circle."""
    inside = fbp.circle(truth.shape[0], 0.015 * truth.shape[0])
    steps = ndimage.maximum_filter(truth, 3) - ndimage.minimum_filter(truth, 3) > 1e-3 * truth.max()
    return {
        'edge': ndimage.binary_dilation(steps, iterations=2) & inside,
        'flat': inside & ~ndimage.binary_dilation(steps, iterations=8),
        'all': inside,
    }
