#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Scans of which nothing is left are errors, and those of which little is left are not reconstructed without a word."""
import os
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap

FOLDER = tempfile.TemporaryDirectory()
SCAN = 'simulate width=64 height=8 projections=24 type=u16 darks=2 flats=3 dead-pixels=DEAD ! write path=PATH overwrite=true'
LINE = 'read path=PATH ! flat-field ! reconstruct OPTIONS ! write path=OUT/%i.tif overwrite=true'


def run(line):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '-q', line], capture_output=True, text=True)
    return done.returncode, done.stderr


def launch(line):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', line], capture_output=True, text=True)
    return done.returncode, done.stderr


def scan(change=lambda exchange: None, dead=0):
    """A scan whose darks or flats are changed; what a reconstruction of it says, and the files that it leaves."""
    path, out = f'{FOLDER.name}/scan.h5', f'{FOLDER.name}/out'
    tap.same(run(SCAN.replace('PATH', path).replace('DEAD', str(dead))), (0, ''))
    with h5py.File(path, 'r+') as file:
        change(file['exchange'])
    subprocess.run(['rm', '-rf', out], check=True)
    status, error = launch(LINE.replace('PATH', path).replace('OUT', out).replace('OPTIONS', ''))
    return status, error, sorted(name for name in os.listdir(out) if not name.endswith('.sums')) if os.path.exists(out) else []


def swap(exchange):
    darks, flats = exchange['data_dark'][:], exchange['data_white'][:]
    exchange['data_dark'][:], exchange['data_white'][:] = flats[:2], np.concatenate([darks, darks])[:3]


def as_floats(name, value):
    def change(exchange):
        shape = exchange[name].shape
        del exchange[name]
        exchange[name] = np.full(shape, value, np.float32)

    return change


def zero(exchange):
    exchange['data_white'][:] = 0


def test_nothing():
    for change, why in ((swap, 'are they swapped?'), (zero, 'are they swapped?'),
                        (as_floats('data_white', np.nan), 'the flats have no finite values'),
                        (as_floats('data_dark', np.nan), 'the darks have no finite values'),
                        (as_floats('data_white', np.inf), 'the flats have no finite values')):
        status, error, left = scan(change)
        tap.same((status, left), (1, []))
        tap.check(error.startswith("sinograph: 'flat-field': no valid detector pixel is left: ") and why in error, error)


def test_little():
    """A message tells of dead pixels from one per cent on."""
    tap.same(scan(dead=0.003)[:2], (0, ''))
    status, error, left = scan(dead=0.05)
    tap.same((status, len(left)), (0, 8))
    tap.check(error.startswith("sinograph: 'flat-field': ") and 'of 512 detector pixels (' in error and 'are dead' in error, error)

    def half(exchange):
        exchange['data_white'][:, :4] = 0

    status, error, left = scan(half)
    tap.same((status, len(left)), (0, 8))
    tap.check('256 of 512 detector pixels (50 %) are dead' in error, error)


def test_axis():
    path = f'{FOLDER.name}/scan.h5'
    scan()
    line = LINE.replace('PATH', path).replace('OUT', f'{FOLDER.name}/far')
    for axis in '1e9', '-60', '400':
        for method in 'direct', 'auto':
            status, error = launch(line.replace('OPTIONS', f'axis={axis} method={method}'))
            tap.check(status == 2 and 'no part of the slices is on the detector in any projection' in error, error)
    for method in 'direct', 'fourier':
        status, error = launch(line.replace('OPTIONS', f'axis=70 method={method}'))
        tap.check(status == 0 and 'the axis, at column 70 in projection 0, is not on the detector' in error, error)


tap.main(globals())
