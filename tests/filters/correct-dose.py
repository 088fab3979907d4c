#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Doses by a region against NumPy in float64, and scans whose beam jumps against those whose beam stands still."""
import os
import re
import subprocess

import h5py
import numpy as np
import tap
from moving import COLUMNS, N, NOISE, ROWS, made, main, refused, same_there, scan
from program import at_least, at_most, in_little_memory, sinograph, sinograph_fails

REGION = 'x=5 width=12 y=3 height=7'


def dose(transmission):
    return transmission[:, 3:10, 5:17].mean((1, 2), keepdims=True)


def check(words, truth, line='read path=dose.h5'):
    got = made(f'{line} ! {words}')
    np.testing.assert_allclose(got, truth, rtol=2e-6, atol=2e-6)
    few = in_little_memory(lambda memory: made(f'{line} ! {words}', memory, '--threads=1'), 'native', f'{line} ! {words} ! write path=no.h5')
    np.testing.assert_array_equal(few, got)


def test_values():
    data = NOISE.uniform(.1, 1.2, (N, ROWS, COLUMNS)).astype(np.float32)
    scan('dose.h5', data)
    exact = data.astype(float)
    check(f'correct-dose {REGION} absorption=false', exact / dose(exact))
    check(f'correct-dose {REGION}', exact + np.log(dose(np.exp(-exact))))
    check('correct-dose x=70 width=5', exact + np.log(np.exp(-exact[:, :, 70:]).mean((1, 2), keepdims=True)))


def test_sinograms():
    data = NOISE.uniform(.1, 1.2, (N, ROWS, COLUMNS)).astype(np.float32)
    scan('dose.h5', data)
    exact = (data + np.log(dose(np.exp(-data.astype(float))))).transpose(1, 0, 2)
    for lanes in 1, 4, 16:
        check(f'correct-dose {REGION}', exact, f'read path=dose.h5 ! interleave lanes={lanes}')


def test_opencl():
    scan('dose.h5', NOISE.uniform(.1, 1.2, (N, ROWS, COLUMNS)).astype(np.float32))
    same_there(f'read path=dose.h5 ! correct-dose {REGION} {{}}')
    same_there(f'read path=dose.h5 ! interleave lanes=4 ! correct-dose {REGION} absorption=false {{}}')


def test_not_a_number():
    data = NOISE.uniform(.1, 1.2, (N, ROWS, COLUMNS)).astype(np.float32)
    data[4, 15, 60] = np.nan
    scan('nan.h5', data)
    got = made(f'read path=nan.h5 ! correct-dose {REGION}')
    assert np.isnan(got).sum() == 1 and np.isnan(got[4, 15, 60])
    data[6, 5, 9] = np.nan
    scan('nan.h5', data)
    said = sinograph_fails('launch', f'read path=nan.h5 ! correct-dose {REGION} ! null')
    assert 'the mean of the region is not a number in projection 6' in said, said


def test_a_beam_that_jumps():
    """Counts of a beam that changes from projection to projection give the slices of one that does not."""
    sinograph('launch', '--quiet', 'simulate object=shepp-logan width=96 height=6 projections=120 axis=48 type=u16 flats=2 darks=1 ! write path=still.h5')
    jumps = NOISE.uniform(.5, 1, 120)
    with h5py.File('still.h5') as still, h5py.File('jumps.h5', 'w') as file:
        dark = still['exchange/data_dark'][:].mean(0)
        for name in still['exchange']:
            still.copy(f'exchange/{name}', file.require_group('exchange'))
        file['exchange/data'][...] = np.rint(dark + (still['exchange/data'][:] - dark) * jumps[:, None, None])
    line = 'flat-field ! {} reconstruct method=direct'
    want = made('read path=still.h5 ! ' + line.format(''))
    spoiled = made('read path=jumps.h5 ! ' + line.format(''))
    cured = made('read path=jumps.h5 ! ' + line.format('correct-dose width=3 !'))
    off = lambda got: np.sqrt(np.mean((got - want)**2)) / want.std()
    at_least(off(spoiled), .3, 'the jumps spoil slices')
    at_most(off(cured), .02, 'what is left of them')
    said = sinograph('plan', 'read path=jumps.h5 ! flat-field ! correct-dose width=3 ! null')
    assert 'correct-dose' in said, said


def test_before_find_axis():
    """Two nodes look at the scan, the second at what the first makes of it."""
    def axis(words):
        done = subprocess.run([os.environ['SINOGRAPH'], 'launch', f'read path=found.h5 ! {words} find-axis ! null'], capture_output=True, text=True)
        tap.check(done.returncode == 0 and 'the axis is at column' in done.stderr, done.stderr)
        return float(re.search(r'the axis is at column ([\d.]+)', done.stderr)[1])
    sinograph('launch', '--quiet', 'simulate object=shepp-logan width=96 height=6 projections=160 axis=46.3 ! write path=found.h5')
    with h5py.File('found.h5', 'a') as file:
        for name in 'rotation_axis', 'geometry':
            if f'exchange/{name}' in file:
                del file[f'exchange/{name}']
    want = axis('')
    with h5py.File('found.h5', 'a') as file:
        file['exchange/data'][...] += np.log(NOISE.uniform(.5, 2, 160))[:, None, None]
    at_most(abs(axis('correct-dose width=2 !') - want), .011, 'to the axis of an even beam')


def test_errors():
    refused('correct-dose', 'width= is missing: give the region beside the sample')
    refused('correct-dose x=70 width=6', 'x=70 and width=6 exceed the 75 columns of the detector')
    refused('correct-dose x=75 width=1', 'x=75 and width=1 exceed')
    refused('correct-dose width=6 y=20 height=3', 'y=20 and height=3 exceed the 22 rows')
    refused('correct-dose width=6', 'wants projections or sinograms', 'read path=scan.h5 axes=slices')
    refused('correct-dose width=6', "'ramp-filter' has filtered the rows already", 'read path=scan.h5 ! ramp-filter')
    refused('correct-dose width=6', "put 'flat-field' before it", 'simulate width=64 height=9 projections=12 type=u16 flats=1')


main(globals())
