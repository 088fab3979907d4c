# SPDX-License-Identifier: LGPL-3.0-or-later
"""A noisy cone-beam scan of balls."""
import os
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / 'iterative-reconstruct')]
import balls
import h5py
import numpy as np
import tap
from scans import PATH, spread

SIZE = 128 if 'SINO_TEST_THOROUGH' in os.environ else 48
VIEWS = 60 if 'SINO_TEST_THOROUGH' in os.environ else 40


def save(projections, degrees, name='cone.h5'):
    """The source of a file, with the distances of balls.project ()."""
    n = projections.shape[2]
    with h5py.File(PATH / name, 'w') as file:
        file['exchange/data'], file['exchange/theta'] = projections.astype(np.float32), degrees
    return f'read path={PATH}/{name} source-origin={balls.SOURCE * n} origin-detector={balls.DETECTOR * n} pixel-size={balls.PIXEL}'


def scan(photons=2e4):
    """(source of a noisy scan, true volume)."""
    foam, degrees = balls.foam(), spread(VIEWS, 360)
    clean = balls.project(foam, SIZE, degrees)
    unit = 2 / clean.max()
    counts = np.maximum(np.random.default_rng(0).poisson(photons * np.exp(-clean * unit)), 1)
    return save(-np.log(counts / photons) / unit, degrees), balls.volume(foam, SIZE)


SOURCE, TRUTH = scan()


def refused(line, *wanted):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', f'{line} ! null'], capture_output=True, text=True)
    tap.check(done.returncode != 0, f'{line}: not refused')
    for words in wanted:
        tap.check(words in done.stderr, f'{line}: no {words!r} in {done.stderr}')
