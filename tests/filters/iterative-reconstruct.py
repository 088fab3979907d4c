#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""That no division of the work changes a byte of the slices, what the node says, and what it refuses. Costs 18 s."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from unittest import SkipTest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / 'iterative-reconstruct'), str(HERE.parent / 'graphs')]
import numpy as np
import phantoms
import tap
from objects import FOAM, error, scan_of
from program import at_most
from scans import run, save, solved, spread


def test_same_bytes():
    """Threads, memory, lanes and the rows beside do not change a slice."""
    degrees = spread(48)
    rows = np.stack([phantoms.noisy(phantoms.sinogram(64, degrees, *FOAM), 5e3, seed=i)[0] for i in range(18)])
    whole, _ = solved(rows, degrees, 'iterations=5')
    for words in ['--threads=1'], ['--threads=2', '--memory=300M']:
        tap.check(np.array_equal(solved(rows, degrees, 'iterations=5', *words)[0], whole), words)
    tap.check(np.array_equal(solved(rows[4:6], degrees, 'iterations=5')[0], whole[4:6]), 'a pair of rows')
    tap.check(np.array_equal(solved(rows, degrees, 'iterations=5', node='interleave lanes=4 ! iterative-reconstruct')[0], whole), 'lanes')
    tap.check(np.array_equal(run(f'read path={save(rows, degrees)} ! reconstruct method=tv axis=32 iterations=5')[0], whole), 'reconstruct')
    # Wide slices begin in the memory of the slices before them.
    wide = np.stack([scan_of(512, spread(12), FOAM, seed=i)[0] for i in range(2)])[np.arange(34) % 2]
    for settings, first in ('', 32), ('dimensions=3', 24), ('method=cgls', 32):  # the first row that the last slices need
        got, alone = (solved(some, spread(12), f'iterations=2 {settings}')[0] for some in (wide, wide[first:]))
        tap.check(np.array_equal(got[-2:], alone[-2:]), f'wide slices, {settings}')


def least_memory(line):
    """MiB that a run needs, and what its plan says."""
    def planned(limit):
        return subprocess.run([os.environ['SINOGRAPH'], 'plan', '--device=native', '--threads=1', f'--memory={limit}M', line], capture_output=True, text=True)
    low, high = 50, 4000
    while high - low > 5:
        middle = (low + high) // 2
        low, high = (low, middle) if planned(middle).returncode == 0 else (middle, high)
    return high, planned(high).stdout


def test_lanes_fall():
    """Where AVX2 can take the place of AVX-512, little memory means few slices at once, with the same bytes."""
    rows = np.stack([scan_of(512, spread(12), FOAM, seed=i)[0] for i in range(2)])[np.arange(16) % 2]
    line = f'read path={save(rows, spread(12), "lanes.h5")} ! reconstruct method=tv axis=256 iterations=2'
    (least, said), (whole, all_lanes) = (least_memory(f'{line} {words} ! null') for words in ('', 'strength=0.5:2'))
    if 'AVX3' not in all_lanes:
        raise SkipTest('this build or this machine has no AVX-512')
    print(f'# {least} MiB, with 16 slices at once {whole}')
    tap.check('8 slices at once, because there is too little memory for more' in said, said)
    for method in 'tv', 'cgls':
        few, many = (run(line.replace('tv', method), '--threads=1', *words)[0] for words in ([f'--memory={(least + whole) // 2}M'], []))
        tap.check(np.array_equal(few, many), f'{method}, 8 slices at once')


def test_volume():
    """Three dimensions: the slices of an object that does not change along z help each other. No division of the work changes a byte."""
    degrees = spread(48)
    rows = np.stack([scan_of(64, degrees, FOAM, 5e3, seed=i)[0] for i in range(75)])
    truth = phantoms.image(64, *FOAM)
    line = f'read path={save(rows, degrees, "volume.h5")} ! reconstruct method=tv axis=32 {{}}'
    whole, said = run(line.format('dimensions=3'))
    flat, _ = run(line.format('dimensions=2'))
    errors = [np.mean([error(slice, truth) for slice in slices]) for slices in (whole, flat)]
    print('#', errors)
    at_most(errors[0], .95 * errors[1], 'in three dimensions, beside two')
    for words in ['--threads=1'], ['--threads=2', '--memory=250M']:
        tap.check(np.array_equal(run(line.format('dimensions=3'), *words)[0], whole), words)
    tap.check(np.array_equal(solved(rows, degrees, 'dimensions=3', node='interleave lanes=4 ! iterative-reconstruct')[0], whole), 'lanes')
    tap.check('30 iterations' in said, said)
    rows[40, 7, 9] = np.nan
    broken, _ = solved(rows, degrees, 'dimensions=3')
    tap.check([i for i in range(75) if np.isnan(broken[i]).any()] == [40], 'not a number')
    at_most(np.abs(broken[[39, 41]] - whole[[39, 41]]).max(), .2 * whole.max(), 'beside it')
    rows[40] = 0
    tap.check(np.isfinite(solved(rows, degrees, 'dimensions=3')[0]).all(), 'zeros')


def test_end():
    degrees = spread(48)
    rows, _, _ = scan_of(64, degrees, FOAM)
    slices, said = solved(np.stack([rows, 0 * rows]), degrees, 'iterations=300 tolerance=2e-3')
    tap.check(int(re.search(r'(\d+) iterations, ', said)[1]) < 100, said)
    at_most(np.abs(slices[1]).max(), 1e-5 * np.abs(slices[0]).max(), 'zeros')
    broken = np.stack([rows, rows])
    broken[1, 7, 9] = np.nan
    slices, _ = solved(broken, degrees, 'iterations=5')
    alone, _ = solved(np.stack([rows, 0 * rows]), degrees, 'iterations=5')
    tap.check(np.isnan(slices[1]).all() and np.abs(slices[0] - alone[0]).max() < 1e-5 * np.abs(alone).max(), 'not a number')
    said = solved(broken, degrees, 'iterations=300 tolerance=2e-3')[1]
    tap.check(int(re.search(r'(\d+) iterations, ', said)[1]) < 100 and 'nan' not in said, said)


def test_statistics():
    """Iterations of stacks are counted; runs of more than 5 s tell where they are."""
    degrees = spread(16)
    path = save(np.ones((40, 16, 32)), degrees)
    line = f'read path={path} ! interleave ! iterative-reconstruct axis=16 iterations={{}} ! null'
    said = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', '--progress=json', line.format(7)], capture_output=True, text=True)
    tasks = json.loads(said.stdout.splitlines()[-1])['statistics']['tasks']
    counted = next(task for task in tasks if task['node'] == 'iterative-reconstruct')['counters']['iterations']
    tap.check(counted > 0 and counted % 7 == 0 and counted <= 7 * 10, str(counted))  # stacks of 4 lanes or more
    if 'SINO_TEST_THOROUGH' in os.environ:
        with subprocess.Popen([os.environ['SINOGRAPH'], 'launch', '--device=native', line.format(10000)], stderr=subprocess.PIPE, text=True) as process:
            said = next((words for words in process.stderr if 'iteration ' in words), '')
            process.terminate()
        tap.check(re.search(r'iteration \d+ of 10000 for \d+ slices, which changed slices by \S+; rows differ from the slices by ', said), said)


def test_negative():
    """Values below 0 are there behind retrieve-phase, and where they are asked for."""
    degrees = spread(24)
    rows = np.random.default_rng(3).normal(1, .05, (16, 24, 32))
    line = f'read path={save(np.abs(rows), degrees)} axis=16 {{}} ! reconstruct method=tv strength=0.1 iterations=5 {{}}'
    phase = '! retrieve-phase method=paganin energy=20 distance=0.01 pixel-size=1e-6 delta-beta=1'
    for before, words, wanted in (phase, '', True), (phase, 'non-negative=true', False), ('! minus-log', '', False), ('! minus-log', 'non-negative=false', True):
        got, _ = run(line.format(before, words))
        tap.check((got < 0).any() == wanted and (got > 0).any(), f'{before} {words}: {got.min()}')


def test_refused():
    line, cone = 'simulate width=32 height=2 projections=16', 'simulate width=32 height=32 projections=16 angles=0:360 source-origin=100 origin-detector=100'
    for words, want in (
            ('simulate width=32 height=2 projections=7 ! reconstruct method=tv axis=16', 'wants at least 8 projections'),
            (f'{line} ! reconstruct method=tv axis=16 noise=-1', "noise=-1 is neither 'auto' nor a number above 0"),
            (f'{line} ! reconstruct method=tv axis=16 noise=x', "noise=x is neither 'auto' nor a number above 0"),
            (f'{line} ! reconstruct method=tv axis=16 strength=0', 'strength=0 has 0: give strengths from 0.001 to 1000'),
            (f'{line} ! reconstruct method=tv axis=16 window=hann', 'method=tv has no window'),
            (f'{line} ! reconstruct method=cgls axis=16 precision=half', 'precision=half is not for method=cgls'),
            (f'{line} ! reconstruct method=tv axis=10:20', 'method=tv takes one axis'),
            (f'{line} ! reconstruct axis=16 strength=2', 'give method=tv or method=cgls'),
            (f'{line} ! ramp-filter ! reconstruct method=tv axis=16', 'filtered'),
            (f'{line} ! reconstruct method=cgls axis=16 dimensions=3', 'dimensions=3 is for method=tv'),
            (f'{line} ! reconstruct method=tv axis=16 dimensions=3 strength=1:2', 'dimensions=3 takes several rows'),
            (f'{line} ! reconstruct axis=16 dimensions=3', 'give method=tv or method=cgls'),
            (f'{cone} ! reconstruct method=tv dimensions=2', 'dimensions=2 is for a parallel beam'),
            (f'{cone} ! reconstruct method=tv strength=1:2', 'a parallel beam')):
        done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', f'{words} ! null'], capture_output=True, text=True)
        tap.check(done.returncode > 0 and want in done.stderr, f'{words}: {done.stderr}')


tap.main(globals())
