#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What the node makes of noisy scans, that no division of the work changes a byte, and what it refuses. Costs 22 s."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from unittest import SkipTest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / 'iterative-reconstruct'), str(HERE.parent / 'graphs')]
import h5py
import numpy as np
import phantoms
import tap
from program import at_most
from scans import PATH, launch, run, save, solved, spread

THOROUGH = 'SINO_TEST_THOROUGH' in os.environ
FOAM, SHEPP_LOGAN = phantoms.foam(), (phantoms.SHEPP_LOGAN, [])
DATA = Path(os.environ['SINO_TEST_DATA'])


def error(got, truth):
    """Relative to the object, inside the circle of all but its border."""
    n = len(truth)
    place = np.arange(n) + .5 - n / 2
    circle = np.hypot(place[None], place[:, None]) < .48 * n
    return np.sqrt(np.mean((got - truth)[circle] ** 2) / np.mean(truth[circle] ** 2))


def scan_of(n, degrees, shapes, photons=2e4, seed=0):
    rows, sigma = phantoms.noisy(phantoms.sinogram(n, degrees, *shapes), photons, seed=seed)
    return rows, np.sqrt(np.mean(sigma ** 2)), phantoms.image(n, *shapes)


def test_quality():
    """Defaults alone, beside filtered back-projection."""
    cases = [('foam', 256, spread(128), FOAM, .070), ('Shepp-Logan', 256, spread(40), SHEPP_LOGAN, .075)]
    if THOROUGH:
        cases += [('foam, wedge', 256, spread(80, 120), FOAM, .15),
                  ('foam', 512, spread(180), FOAM, .050), ('foam', 512, spread(60), FOAM, .075),
                  ('foam, wedge', 512, spread(120, 120), FOAM, .155), ('Shepp-Logan', 512, spread(60), SHEPP_LOGAN, .050)]
    for name, n, degrees, shapes, bar in cases:
        rows, _, truth = scan_of(n, degrees, shapes)
        got, _ = solved(rows, degrees)
        direct, _ = solved(rows, degrees, node='reconstruct')
        print(f'# {name}, {n} columns, {len(degrees)} projections: {error(got, truth):.4f}, back-projection {error(direct, truth):.4f}')
        at_most(error(got, truth), bar, name)
        at_most(error(got, truth), .6 * error(direct, truth), f'{name}, beside back-projection')


def test_strength():
    """No other strength is more than a little better than the default, whatever the size, the projections and the photons."""
    if not THOROUGH:
        raise SkipTest('nights do this')
    for n, views, photons in (
            (200, 45, 5e4), (256, 60, 500), (256, 300, 5e4), (360, 180, 5e3), (512, 100, 2e4), (512, 500, 500), (700, 1000, 2e3),
            (800, 200, 2e4), (1000, 400, 5e3), (1100, 1000, 5e4)):
        rows, _, truth = scan_of(n, spread(views), FOAM, photons, seed=n)
        errors = {strength: error(solved(rows, spread(views), f'strength={strength}')[0], truth) for strength in (.5, .7, 1, 1.4, 2)}
        print(f'# {n} columns, {views} projections, {photons:g} photons:', *(f'{s}: {e:.4f}' for s, e in errors.items()))
        at_most(errors[1], 1.1 * min(errors.values()), f'{n} columns, {views} projections')


def test_noise():
    """What is found beside what the counts say."""
    for views, most in (90, .25), *([(360, .15)] if THOROUGH else []):
        rows, noise, _ = scan_of(256, spread(views), FOAM)
        said = solved(rows, spread(views), 'iterations=1')[1]
        found = float(re.search(r'their noise, which is (\S+) ', said)[1])
        print(f'# {views} projections: {found:.3f}, by counts {noise:.3f}')
        at_most(abs(found / noise - 1), most, f'{views} projections')


def test_truncated():
    """The middle of an object that leaves the detector."""
    n, wide = 192, 288
    whole = phantoms.sinogram(wide, spread(150), *FOAM)
    rows, _ = phantoms.noisy(whole[:, (wide - n) // 2:(wide + n) // 2], 2e4)
    truth = phantoms.image(wide, *FOAM)[(wide - n) // 2:(wide + n) // 2, (wide - n) // 2:(wide + n) // 2]
    errors = {}
    for mode in 'zero', 'edge':
        got = solved(rows, spread(150), f'padding-mode={mode}')[0]
        errors[mode] = error(got, truth)
    print('#', errors)
    at_most(errors['edge'], .25, 'edge')
    at_most(errors['edge'], .9 * errors['zero'], 'edge beside zero')


def test_few_projections():
    """More columns per projection than the metric is made for."""
    rows, _, truth = scan_of(256, spread(20), FOAM)
    early, late = (solved(rows, spread(20), f'iterations={count}')[0] for count in (40, 400 if THOROUGH else 150))
    tap.check(np.isfinite(late).all(), 'not finite')
    at_most(error(late, truth), 1.05 * error(early, truth), 'after more iterations')


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
    if THOROUGH:
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


def test_tooth():
    """Projections that the slice was not made from, of the measured tooth."""
    path = DATA / 'tooth.h5'
    if not path.exists():
        raise SkipTest('there is no tooth.h5')
    common = f'read path={path} rows=0:1'
    held, said = {}, launch(f'{common} ! flat-field ! write path={PATH}/tooth.h5 overwrite=true')
    with h5py.File(PATH / 'tooth.h5') as file:
        rows, degrees = file['exchange/data'][:, 0], np.asarray(file['exchange/theta'])
    n = rows.shape[1]
    for node in 'reconstruct method=tv', 'reconstruct':
        got, said = solved(rows[::2], degrees[::2], node=node, axis=296.5)
        place = np.arange(n) + .5 - n / 2
        held[node] = 0
        for row, angle in zip(rows[1::2], np.radians(degrees[1::2])):
            held[node] += np.mean((projected(got, place, angle, 296.5) - row)[8:-8] ** 2) / len(rows[1::2])
    held = {node: np.sqrt(square) for node, square in held.items()}
    print('#', held)
    at_most(held['reconstruct method=tv'], .0145, 'held-out projections')
    at_most(held['reconstruct method=tv'], .7 * held['reconstruct'], 'beside back-projection')


def projected(image, place, angle, axis):
    """Sums of pixels, each over the two bins beside its middle."""
    u = axis - .5 + place[None] * np.cos(angle) - place[:, None] * np.sin(angle)
    first = np.floor(u).astype(int)
    share = u - first
    sums = np.zeros(len(image) + 2)
    for bins, part in (first, 1 - share), (first + 1, share):
        inside = (bins >= 0) & (bins < len(image))
        sums += np.bincount(bins[inside], (part * image)[inside], len(image) + 2)
    return sums[:len(image)]


tap.main(globals())
