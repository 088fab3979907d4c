#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Slices of one row with one strength each: that each is the slice of that strength, their names, and their sheet. Costs 6 s."""
import os
import subprocess

import h5py
import numpy as np
import phantoms
import tap
import tifffile
from scans import PATH, launch, run, save, solved, spread

from program import at_most, in_little_memory, picture

N, DEGREES = 48, spread(40)
STRENGTHS = .25 * 16 ** (np.arange(16) / 15)
ROWS = np.stack([phantoms.noisy(phantoms.sinogram(N, DEGREES, *phantoms.foam(seed, 40, 60)), 5e3, seed=seed)[0] for seed in range(3)])
RANGE = 'iterations=20 strength=0.25:4'


def test_slices():
    """They are those of a run with one strength, of the middle row or of the one that is named; with any threads and memory."""
    path = save(ROWS, DEGREES, 'rows.h5')
    line = f'read path={path} ! reconstruct method=tv axis=24 {RANGE}'
    got, _ = run(line)
    with h5py.File(PATH / 'out.h5') as file:
        stored = file['exchange/strength'][:]
    at_most(np.abs(stored / STRENGTHS - 1).max(), 1e-12, 'the strengths in the file')
    tap.check(got.shape == (16, N, N), str(got.shape))
    smooth = [np.hypot(np.diff(image[1:], axis=1), np.diff(image[:, 1:], axis=0)).sum() for image in got]
    tap.check((np.diff(smooth) < 0).all(), f'total variation: {smooth}')
    for i in 0, 3, 8, 15:
        one, _ = solved(ROWS[1], DEGREES, f'iterations=20 strength={STRENGTHS[i]:.17g}')
        at_most(np.abs(got[i] - one).max() / np.abs(one).max(), 3e-6, f'strength {STRENGTHS[i]:g}')  # lanes 0 and 1 round together
    turned, _ = run(line.replace('0.25:4', '4:0.25'))
    at_most(np.abs(turned[::-1] - got).max() / np.abs(got).max(), 1e-4, 'from large to small')
    last, _ = run(f'{line} axis-row=2')
    alone, _ = solved(ROWS[2:], DEGREES, RANGE)
    tap.check(np.array_equal(last, alone) and not np.array_equal(last, got), 'axis-row=2')
    tap.check(np.array_equal(run(line, '--threads=1')[0], got), '--threads=1')
    parts, _ = run(f'read path={path} ! interleave ! iterative-reconstruct axis=24 {RANGE}')
    tap.check(np.array_equal(parts, got), 'the node by itself')
    in_little_memory(lambda word: tap.check(np.array_equal(run(line, word)[0], got), word), 'native', f'{line} ! null')


def test_names_and_sheet():
    line = f'read path={save(ROWS, DEGREES)} ! reconstruct method=tv axis=24 {RANGE}'
    got, _ = run(line)
    launch(f'{line} ! write path={PATH}/strength-%.2f.tif')
    names = sorted(path.name for path in PATH.glob('strength-*.tif'))
    tap.check(names == [f'strength-{s:.2f}.tif' for s in STRENGTHS], str(names))
    tap.check(np.array_equal(tifffile.imread(PATH / names[5]), got[5]), names[5])
    top = float(got.max())
    launch(f'{line} ! preview path={PATH}/sheet.png min=0 max={top:.9g}')
    sheet = picture(PATH / 'sheet.png')
    side = 400 // N * N
    grey = np.kron(np.rint(np.clip(got / top, 0, 1) * 255), np.ones((400 // N, 400 // N)))
    for i, image in enumerate(grey):
        line, left = 12 + i // 4 * (side + 8 + 22 + 12) + 22 + 4, 12 + i % 4 * (side + 8 + 12) + 4
        at_most(np.abs(sheet[line:line + side, left:left + side] - image).max(), 1, f'slice {i} of the sheet')
        label = sheet[line - 4 - 22:line - 4 - 8, left - 4:left - 4 + 12 * 9]
        tap.check((label == 0).any() and set(np.unique(label)) <= {0, 255}, f'label of {i}')
        tap.check((sheet[line - 4:line, left - 4:left + side + 4] == 255).all(), f'{i} has a frame')


def test_refused():
    line = 'simulate width=32 height=2 projections=16 ! reconstruct axis=16'
    for words, want in (
            ('method=tv strength=1:2:3', 'strength=1:2:3 is neither a number nor a range START:STOP'),
            ('method=tv strength=1:x', 'strength=1:x is neither a number nor a range'),
            ('method=tv strength=', 'is neither a number nor a range'),
            ('method=tv strength=0:4', 'strength=0:4 has 0: give strengths from 0.001 to 1000'),
            ('method=tv strength=1:2000', 'strength=1:2000 has 2000'),
            ('method=tv strength=2:2', 'begins and ends at 2: give strength=2'),
            ('method=cgls strength=1:2', 'strength=1:2 is a range, which is for method=tv'),
            ('method=fourier strength=1:2', 'strength=1:2 is not for one pass over the projections'),
            ('method=tv axis-row=1', 'axis-row=1 is for a range of axes or strengths'),
            ('method=tv strength=1:2 axis-row=2', 'row=2 is not in the stream, which has rows 0 to 1')):
        done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', f'{line} {words} ! null'], capture_output=True, text=True)
        tap.check(done.returncode > 0 and want in done.stderr, f'{words}: {done.stderr}')
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', 'simulate width=32 height=2 projections=16 ! interleave ! iterative-reconstruct axis=16 row=1 ! null'],
                          capture_output=True, text=True)
    tap.check('row=1 is for a range of strengths' in done.stderr, done.stderr)


if __name__ == '__main__':
    tap.main(globals())
