#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Whole runs on OpenCL devices: as on the CPU, the same bytes however the work is divided, and what does not run there. Costs
3 s; 15 s if the kernels are not in the cache."""
import os
import re
import subprocess
from unittest import SkipTest

os.environ['POCL_DEVICES'] = 'pthread pthread'  # before any device is seen

import h5py
import numpy as np
import phantoms
import tap
from scans import PATH, save, spread

from program import at_most, sinograph, sinograph_fails

DEGREES = spread(40)
ROWS = np.stack([phantoms.noisy(phantoms.sinogram(60, DEGREES, *phantoms.foam(seed)), 5e3, seed=seed)[0] for seed in range(7)])
THERE, ITERATIONS = 'variant=opencl', 'axis=29.5 iterations=5'


def pocl():
    found = [line.split()[0] for line in sinograph('devices').splitlines() if 'Portable Computing Language' in line]
    if not found:
        raise SkipTest('there is no PoCL')
    return found


def run(device, line, *words):
    """(slices, what was said)"""
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', f'--device={device}', *words, f'{line} ! write path={PATH}/out.h5 overwrite=true'],
                          capture_output=True, text=True)
    tap.check(done.returncode == 0, f'{device}, {line}\n{done.stderr}')
    with h5py.File(PATH / 'out.h5') as file:
        return file['exchange/data'][:], done.stderr


def node(settings, variant=THERE):
    return f'read path={save(ROWS, DEGREES)} ! interleave lanes=4 ! iterative-reconstruct {settings} {variant}'


def test_like_native():
    """Slices, and what is said of them at the end."""
    settings = 'axis=31 iterations=20 padding-mode=edge mask=true roi-x=3 roi-width=40'
    got, said = run(pocl()[0], node(settings))
    truth, told = run('native', node(settings, ''))
    at_most(np.abs(got - truth).max() / np.abs(truth).max(), 1e-4, settings)
    ends = [re.search(r'(\d+ iterations, the last .*)', words)[1] for words in (said, told)]
    tap.check(ends[0] == ends[1], str(ends))


def test_same_bytes():
    """Neither a second device nor the rows that are wanted change anything."""
    devices = pocl()
    whole, _ = run(devices[0], node(ITERATIONS))
    if len(devices) > 1:
        got, _ = run(','.join(devices[:2]), node(ITERATIONS))
        tap.check(np.array_equal(got, whole), 'two devices')
    part, _ = run(devices[0], node(ITERATIONS).replace('.h5 !', '.h5 rows=2:4 !', 1))
    tap.check(np.array_equal(part, whole[2:4]), 'a pair of rows')


def test_strengths():
    """Slices of one row with several strengths; with any number of them at once."""
    line = f'read path={save(ROWS, DEGREES)} ! interleave ! iterative-reconstruct {ITERATIONS} strength=0.25:4 {{}}'
    truth, told = run('native', line.format(''))
    few, said = run(pocl()[0], line.format(f'{THERE} variant-parameters=SLICES=4,UNROLL=0,FFT=0'))
    at_most(np.abs(few - truth).max() / np.abs(truth).max(), 1e-4, 'strengths')
    tap.check(said.splitlines()[-1] == told.splitlines()[-1], f'{said}{told}')
    many, _ = run(pocl()[0], line.format(THERE), '--memory=200M')
    tap.check(np.array_equal(few, many), 'slices at once')


def test_plan():
    """It says what runs where: kernels with their slices at once, and strengths."""
    device, line = pocl()[0], 'simulate width=64 height=16 projections=32 ! interleave lanes=4 ! iterative-reconstruct axis=32 {} ! null'
    tap.check(re.search(r'OpenCL kernels.*, 4 lanes, tv, 20 iterations, images of 64 x 64, 4 slices at once',
                        sinograph('plan', f'--device={device}', line.format(THERE))), 'kernels')
    said = sinograph('plan', f'--device={device}', line.format(f'{THERE} strength=0.5:2'))
    tap.check('images of 64 x 64, 16 strengths from 0.5 to 2, 16 slices at once' in said, said)
    for words, want in (
            ('variant-parameters=SLICES=4', 'variant-parameters=SLICES=4 wants variant='),
            (f'{THERE} variant-parameters=SLICES=3', 'SLICES of variant=opencl must be one of 16, 8, 4, 2, got 3'),
            (f'{THERE} variant-parameters=X=1', "'X'")):
        said = sinograph_fails('launch', f'--device={device}', line.format(words))
        tap.check(want in said, f'{words}: {said}')
    said = sinograph_fails('launch', '--device=native', line.format(THERE))
    tap.check('variant=opencl does not run on native' in said, said)


if __name__ == '__main__':
    tap.main(globals())
