#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Holes against numpy's interpolation in float64, and what is said of them. 1 s."""
import os
import subprocess

import numpy as np
from moving import COLUMNS, N, NOISE, ROWS, made, main, scan
from program import in_little_memory, sinograph_fails


def filled(data, otherwise=0.0):
    out = data.astype(float)
    for line in out.reshape(-1, data.shape[-1]):
        good = np.isfinite(line)
        line[:] = np.interp(np.arange(len(line)), np.flatnonzero(good), line[good]) if good.any() else otherwise
    return out


def broken():
    data = NOISE.uniform(0.1, 1.2, (N, ROWS, COLUMNS)).astype(np.float32)
    data[NOISE.random(data.shape) < 0.05] = np.nan
    data[3, 4, 5], data[3, 4, 20:30], data[5, :, 0], data[5, :, -3:], data[7, 8] = np.inf, -np.inf, np.nan, np.nan, np.nan
    return data


def said(line):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', line], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_values():
    data = broken()
    scan('holes.h5', data)
    line = 'read path=holes.h5 ! fill-holes'
    got = made(line)
    np.testing.assert_allclose(got, filled(data), rtol=0, atol=1e-6)
    np.testing.assert_array_equal(got[np.isfinite(data)], data[np.isfinite(data)])
    few = in_little_memory(lambda memory: made(line, memory, '--threads=1'), 'native', f'{line} ! write path=no.h5')
    np.testing.assert_array_equal(few, got)
    got = made('read path=holes.h5 values=transmission ! fill-holes')
    np.testing.assert_allclose(got, filled(data, 1), rtol=0, atol=1e-6)
    for lanes in 1, 4, 16:
        got = made(f'read path=holes.h5 ! interleave lanes={lanes} ! fill-holes')
        np.testing.assert_allclose(got, filled(data).transpose(1, 0, 2), rtol=0, atol=1e-6)


def test_what_is_said():
    data = broken()
    scan('holes.h5', data)
    holes = np.count_nonzero(~np.isfinite(data))
    for line in 'read path=holes.h5 ! fill-holes ! null', 'read path=holes.h5 axis=37 ! reconstruct ! null', 'read path=holes.h5 ! reconstruct ! null':
        assert f'{holes} values of the projections' in said(line), line
    scan('whole.h5', filled(data).astype(np.float32))
    assert 'values of the projections' not in said('read path=whole.h5 axis=37 ! reconstruct ! null')


def test_refusals():
    scan('counts.h5', np.ones((N, ROWS, COLUMNS), np.uint16))
    for line, wanted in {
        'read path=counts.h5 ! fill-holes ! null': 'leave this node out, because integers are never NaN or infinite',
        'read path=holes.h5 ! interleave ! half-pack ! fill-holes ! null': "leave out 'half-pack', or put it after this node",
        'read path=holes.h5 axes=slices ! fill-holes ! null': 'wants projections or sinograms',
    }.items():
        assert wanted in sinograph_fails('launch', line), line


if __name__ == '__main__':
    main(globals())
