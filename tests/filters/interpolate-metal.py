#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Rows with gaps, interpolated, against numpy in float64 and against the rows that were there."""
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap
from program import at_most, sinograph, sinograph_fails

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
ANGLES, ROWS, N = 9, 4, 97
RANDOM = np.random.default_rng(11)
U = np.arange(N)
# A body with details, a prior that is a little off, and metal in one, two or no places of a row.
SHIFTS = RANDOM.uniform(-5, 5, (ANGLES, ROWS, 1))
BODY = 2 * np.sqrt(np.maximum(1 - ((U - N / 2 - SHIFTS) / 38) ** 2, 0)) + .3 * np.exp(-((U - 40 - SHIFTS) / 3) ** 2)
PRIOR = BODY * (1 + .05 * np.sin(U / 60))
METAL = np.zeros((ANGLES, ROWS, N))
for angle in range(ANGLES):
    for row in range(ROWS):
        for place in RANDOM.integers(-2, N, (angle + row) % 3):
            METAL[angle, row, max(place, 0):place + 7] += 3
DATA = BODY + .4 * METAL


def saved(name, scan):
    with h5py.File(PATH / name, 'w') as file:
        file['exchange/data'], file['exchange/theta'] = scan.astype(np.float32), np.arange(len(scan)) * 180. / len(scan)
    return f'read path={PATH / name}'


def out(line, *words):
    sinograph('launch', '--quiet', '--device=native', *words, f'{line} ! write path={PATH}/out.h5 overwrite=true')
    with h5py.File(PATH / 'out.h5') as file:
        return file['exchange/data'][:]


def widened(trace, margin):
    wide = trace.copy()
    for step in range(1, margin + 1):
        wide[..., step:] |= trace[..., :-step]
        wide[..., :-step] |= trace[..., step:]
    return wide


def expected(data, metal, prior, margin=1, restore=False):
    """The page's formula, row by row."""
    data, metal, prior = (part.astype(np.float32).astype(np.float64) for part in (data, metal, np.zeros_like(data) if prior is None else prior))
    result = data.copy()
    trace = widened(metal > 1e-3 * data.max(-1, keepdims=True), margin)
    for at in np.ndindex(data.shape[:2]):
        known = np.flatnonzero(~trace[at])
        if len(known) in (0, N):
            continue
        d = .1 * prior[at].max()
        p, q = data[at] + d, prior[at] + d
        ratio = np.clip(np.divide(p, q, out=np.ones(N), where=q > 0), .5, 2)
        r = np.interp(U, known, ratio[known])
        e = np.interp(U, known, (p - ratio * q)[known])
        result[at] = np.where(trace[at], q * r - d + e, data[at])
        if restore:
            around = np.pad(metal[at], 1)
            result[at] += np.where(trace[at], around[:-2] / 4 + around[1:-1] / 2 + around[2:] / 4, 0)
    return result, trace


def check_all(data, metal, prior, words='', **settings):
    feeds = ', '.join(saved(name, part) for name, part in (('data.h5', data), ('metal.h5', metal), ('prior.h5', prior)) if part is not None)
    got = out(f'[{feeds}] ! interpolate-metal {words}')
    wanted, trace = expected(data, metal, prior, **settings)
    at_most(np.abs(got - wanted).max(), 2e-6 * np.abs(wanted).max(), 'difference')  # of numbers rounded to float32
    tap.check(np.array_equal(got[~trace], data.astype(np.float32)[~trace]), 'rays beside metal changed')
    return got, trace


def test_formula():
    for prior in PRIOR, None:
        check_all(DATA, METAL, prior, 'restore=false')
        check_all(DATA, METAL, prior, restore=True)
        check_all(DATA, METAL, prior, 'margin=3', margin=3, restore=True)


def test_prior_helps():
    """Two percent of what linear interpolation leaves."""
    rests = []
    for prior in PRIOR, None:
        got, trace = check_all(DATA, METAL, prior, 'restore=false')
        rests.append(np.sum((got - BODY)[trace] ** 2))
    at_most(rests[0] / rests[1], .02, 'with a prior, of the rest without')


def test_wrong_priors():
    """Priors that are zero, in part or everywhere, below zero, or far too large give finite values in the range of the data."""
    half = np.where(U < N / 2, PRIOR, 0)
    for prior in np.zeros_like(PRIOR), half, -PRIOR, 1e-30 * PRIOR, 100 * PRIOR:
        got, trace = check_all(DATA, METAL, prior, 'restore=false')
        tap.check(bool(np.isfinite(got).all()), 'not finite')
    got, _ = check_all(DATA, METAL, half, 'restore=false')
    at_most(np.abs(got[METAL > 0]).max(), 3 * BODY.max(), 'largest value')


def test_nothing():
    """Without metal, and where all is metal, nothing changes."""
    for metal in np.zeros_like(METAL), np.ones_like(METAL):
        got, _ = check_all(DATA, metal, PRIOR, restore=True)
        tap.check(np.array_equal(got, DATA.astype(np.float32)), 'bytes differ')


def test_sinograms():
    parts = [f'{saved(name, part)} ! interleave' for name, part in (('data.h5', DATA), ('metal.h5', METAL), ('prior.h5', PRIOR))]
    got = out(f'[{", ".join(parts)}] ! interpolate-metal')
    tap.check(np.array_equal(got.transpose(1, 0, 2), check_all(DATA, METAL, PRIOR, restore=True)[0]), 'bytes differ')


def test_errors():
    data, less = saved('data.h5', DATA), saved('less.h5', METAL[:, :2])
    for line, words in {f'[{data}, {less}] ! interpolate-metal ! null': "input 'metal' wants f32 projections (angle 9, row 4, column 97)",
                        f'[{data}, {data}, {data} ! interleave] ! interpolate-metal ! null': "input 'prior' wants f32 projections",
                        f'[{data}, {data} ! reconstruct] ! interpolate-metal ! null': "input 'metal' wants projections or sinograms, got f32 slices",
                        f'{data} ! interpolate-metal ! null': 'metal',
                        f'[{data} ! ramp-filter, {data}] ! interpolate-metal ! null': "'ramp-filter' has filtered the rows"}.items():
        said = sinograph_fails('launch', line)
        tap.check(words in said, f'{line}: {said}')


tap.main(globals())
