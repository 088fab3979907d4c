#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Slices of one row with one axis each: their values, their names, how sharp they are, and their sheet."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'graphs'))
import h5py
import numpy as np
import tap
import tifffile
from program import at_most, in_little_memory, picture, sinograph_fails, tooth
from scipy.ndimage import convolve1d

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
WIDTH = 96
SCAN = f'simulate width={WIDTH} height=7 projections=120 axis=50.3'
AXES = np.arange(46, 55, 0.5)


def launch(line, *words):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', *words, line], capture_output=True, text=True)
    tap.check(done.returncode == 0, f'{line}\n{done.stderr}')
    return done.stderr


def slices(node, *words, scan=SCAN):
    said = launch(f'{scan} ! {node} ! write path={PATH}/out.h5 overwrite=true', *words)
    with h5py.File(PATH / 'out.h5') as file:
        return said, {name: file['exchange'][name][:] for name in file['exchange']}


def sharpness(image):
    """Root mean square of the smoothed gradient over its mean, in a disc."""
    image = image.astype(np.float64)
    smooth, slope = np.array([1, 4, 6, 4, 1]) / 16, np.array([1, 0, -1]) / 2
    for axis in 0, 1:
        image = convolve1d(image, smooth, axis)
    gradient = np.hypot(convolve1d(image, slope, 0), convolve1d(image, slope, 1))
    n, m = image.shape
    y, x = np.mgrid[:n, :m]
    inside = (np.minimum(y, n - 1 - y) >= 3) & (np.minimum(x, m - 1 - x) >= 3)
    inside &= np.hypot(y - (n - 1) / 2, x - (m - 1) / 2) <= 0.475 * min(n, m)
    return np.sqrt(np.mean(gradient[inside] ** 2)) / np.mean(gradient[inside])


def top(values):
    i = int(np.argmax(values))
    a, b, _ = np.polyfit(np.arange(-2, 3), values[i - 2:i + 3], 2)
    return i - b / (2 * a)


def test_slices():
    """Each is the slice with that axis; several rows have only the middle one, or the one that is named."""
    said, got = slices('reconstruct axis=46:55:0.5')
    tap.check(got['data'].shape == (18, WIDTH, WIDTH) and np.array_equal(got['rotation_axis'], AXES), str(got))
    for i in 0, 9, 17:
        _, one = slices(f'reconstruct method=fourier padding-mode=edge axis={AXES[i]}')
        at_most(np.abs(got['data'][i] - one['data'][3]).max() / np.abs(one['data']).max(), 2e-3, f'axis={AXES[i]}')
    _, row = slices('reconstruct axis=50:51 axis-row=1 padding-mode=zero')
    _, one = slices('reconstruct method=fourier axis=50')
    at_most(np.abs(row['data'][0] - one['data'][1]).max() / np.abs(one['data']).max(), 2e-3, 'axis-row=1')
    _, parts = slices('interleave ! try-axes axis=46:55:0.5')
    tap.check(np.array_equal(parts['data'], got['data']), 'the node by itself')
    truth = [sharpness(image) for image in got['data']]
    at = float(re.search(r'sharpest at axis=([\d.]+)', said)[1])
    at_most(abs(at - (AXES[0] + 0.5 * top(truth))), 1e-3, 'difference to the parabola of float64')
    at_most(abs(at - 50.3), 0.2, 'difference to the truth, of a head whose details are as wide as columns')


def test_tooth():
    scan = f'read path={tooth()} ! flat-field'
    said, _ = slices('reconstruct axis=294.5:298.5:0.5', scan=scan)
    at_most(abs(float(re.search(r'sharpest at axis=([\d.]+)', said)[1]) - 296.45), 0.1, 'a measured tooth')


def test_same_bytes():
    line = f'{SCAN} ! reconstruct axis=46:55:0.5'
    said, usual = slices('reconstruct axis=46:55:0.5')

    def check(word):
        other, got = slices('reconstruct axis=46:55:0.5', word)
        tap.check(np.array_equal(got['data'], usual['data']) and other.split('sharpest')[1][:40] == said.split('sharpest')[1][:40], word)

    check('--threads=1')
    in_little_memory(check, 'native', f'{line} ! null')


def test_ends():
    said, _ = slices('reconstruct axis=52:56')
    tap.check('the first slice, at axis=52, is the sharpest: the axis may lie beyond it' in said, said)
    said, _ = slices('reconstruct axis=50:46:-2')
    tap.check('the first slice, at axis=50' in said, said)
    nothing = np.zeros((60, 3, WIDTH), np.float32)
    nothing[4, 1, 9] = np.nan
    with h5py.File(PATH / 'nan.h5', 'w') as file:
        file['exchange/data'], file['exchange/theta'] = nothing, np.arange(60) * 3.0
    said = launch(f'read path={PATH}/nan.h5 ! reconstruct axis=46:55:3 ! preview path={PATH}/nan.png')
    tap.check('no slice has details whose sharpness could be compared' in said, said)


def test_names():
    launch(f'{SCAN} ! reconstruct axis=49.75:50.5:0.25 ! write path={PATH}/axis-%06.2f.tif')
    names = sorted(path.name for path in PATH.glob('axis-*.tif'))
    tap.check(names == ['axis-049.75.tif', 'axis-050.00.tif', 'axis-050.25.tif'], str(names))
    _, all = slices('reconstruct axis=49.75:50.5:0.25')
    for name, image in zip(names, all['data']):
        tap.check(np.array_equal(tifffile.imread(PATH / name), image), name)
    launch(f'{SCAN} ! reconstruct axis=50:52 ! crop x=9 ! write path={PATH}/cut-%.0f.tif')
    tap.check(tifffile.imread(PATH / 'cut-51.tif').shape == (WIDTH, WIDTH - 9), 'behind crop')


def test_sheet():
    """The slices are there in order, four across, and only the sharpest has a frame."""
    _, got = slices('reconstruct axis=45:57')
    line = f'{SCAN} ! reconstruct axis=45:57 ! preview path={PATH}/sheet.png min=0 max=0.02 overwrite=true'
    launch(line)
    sheet = picture(PATH / 'sheet.png')
    times = 400 // WIDTH
    side = times * WIDTH
    grey = np.kron(np.rint(np.clip(got['data'] / 0.02 * 255, 0, 255)), np.ones((times, times)))
    best = int(np.argmax([sharpness(image) for image in got['data']]))
    tap.check(best == 5, str(best))
    step = side + 2 * 4 + 12
    for i, image in enumerate(grey):
        top, left = 12 + i // 4 * (step + 2 * 22) + 2 * 22 + 4, 12 + i % 4 * step + 4
        at_most(np.abs(sheet[top:top + side, left:left + side] - image).max(), 1, f'slice {i}')
        frame = sheet[top - 4:top, left - 4:left + side + 4]
        tap.check((frame == (0 if i == best else 255)).all(), f'frame of {i}')
        label = sheet[top - 4 - 44:top - 4 - 8, left - 4:left - 4 + 12 * 7]
        tap.check((label == 0).any() and set(np.unique(label)) <= {0, 255}, f'label of {i}')
    launch(f'{SCAN} ! reconstruct axis=45:57 ! preview show=image slice=5 path={PATH}/one.png min=0 max=0.02')
    at_most(np.abs(picture(PATH / 'one.png') - np.rint(np.clip(got['data'][5] / 0.02 * 255, 0, 255))).max(), 1, 'show=image')
    launch(f'{SCAN} ! reconstruct axis=45:57 ! rescale min=0 max=0.02 type=u8 ! preview path={PATH}/u8.png')


def test_refusals():
    for line, wanted in {
            f'{SCAN} ! reconstruct axis=46:46 ! null': 'contains no column: stop is excluded',
            f'{SCAN} ! reconstruct axis=46:50:-1 ! null': 'contains no column',
            f'{SCAN} ! reconstruct axis=0:50:0.001 ! null': 'has 50000 columns, and at most 4096 are tried at once',
            f'{SCAN} ! reconstruct axis=1:2:3:4 ! null': 'is not a range: give start:stop:step',
            f'{SCAN} ! interleave ! try-axes ! null': 'axis=auto is not a range',
            f'{SCAN} ! reconstruct axis=46:50 axis-row=7 ! null': "row=7 is not in the stream, which has rows 0 to 6",
            f'{SCAN} ! reconstruct axis=46 axis-row=2 ! null': 'axis-row=2 is for a range of axes',
            f'{SCAN} ! reconstruct axis=46:50 method=direct ! null': 'method=direct is not for a range of axes',
            f'{SCAN} ! reconstruct axis=46:50 precision=half ! null': 'a range of axes does not have precision=half',
            f'{SCAN} ! interleave ! fourier-reconstruct axis=46:50 ! null': "is a range: 'reconstruct' and 'try-axes' make a slice",
            f'{SCAN} source-origin=1000 origin-detector=500 ! reconstruct axis=46:50 ! null': 'is not for a cone or tilted beam',
            f'{SCAN} ! reconstruct axis=900:950 ! null': 'no part of the slices is on the detector',
            f'{SCAN} ! try-axes axis=46:50 ! null': "put 'interleave' before it",
            f'{SCAN} ! reconstruct ! write path={PATH}/s-%.2f.tif': 'a value in the name is for slices with one axis or strength each',
            f'{SCAN} ! reconstruct axis=46:50:0.01 ! write path={PATH}/s-%.1f.tif': 'use more decimals',
            f'{SCAN} ! reconstruct ! preview show=axes path={PATH}/s.png': 'show=axes wants slices with one axis or strength each',
    }.items():
        said = sinograph_fails('launch', line)
        tap.check(wanted in said, f'{line}\nsays {said}')


tap.main(globals())
