#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What the node makes of noisy cone-beam scans, that no division of the work changes a byte, and what it refuses. Costs 18 s."""
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / 'iterative-reconstruct'), str(HERE.parent / 'graphs')]
import h5py
import numpy as np
import balls
import tap
from program import at_most
from scans import PATH, launch, run, spread

THOROUGH = 'SINO_TEST_THOROUGH' in os.environ
SIZE = 128 if THOROUGH else 48
VIEWS = 60 if THOROUGH else 40


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


def error(got):
    """Relative to the object, where all projections see it."""
    place = np.arange(SIZE) + .5 - SIZE / 2
    inside = (np.hypot(place[None], place[:, None]) < .46 * SIZE)[None] & (np.abs(place) < .38 * SIZE)[:, None, None]
    return np.sqrt(np.mean((got - TRUTH)[inside] ** 2) / np.mean(TRUTH[inside] ** 2))


def test_quality():
    """Defaults alone, beside filtered back-projection."""
    direct = error(run(f'{SOURCE} ! reconstruct window=hann')[0])
    for method, share in ('tv', .45), ('cgls', .95), ('iterated-fdk', .95), ('os-sart', .95), ('sirt iterations=40', 1.2):
        got, said = run(f'{SOURCE} ! reconstruct method={method}')
        print(f'# {method}: {error(got):.4f}, {error(got) / direct:.2f} of filtered back-projection: {said.strip().splitlines()[-1]}')
        at_most(error(got), share * direct, method)
        tap.check('projections differ from the volume by' in said, said)


def test_few_projections():
    """Steps of iterated-fdk stay small enough for a tenth of the projections that are wanted."""
    with h5py.File(PATH / 'cone.h5') as file:
        few = save(file['exchange/data'][::4], file['exchange/theta'][::4], 'tenth.h5')
    direct, got = (error(run(f'{few} ! reconstruct {words}')[0]) for words in ('window=hann', 'method=iterated-fdk iterations=20'))
    at_most(got, direct, 'iterated-fdk')


def test_strength():
    """Half and twice the default are hardly better."""
    errors = {strength: error(run(f'{SOURCE} ! reconstruct method=tv strength={strength}')[0]) for strength in (.5, 1, 2)}
    print('#', *(f'{strength}: {value:.4f}' for strength, value in errors.items()))
    at_most(errors[1], 1.1 * min(errors.values()), 'default')
    noisy = run(f'{SOURCE} ! reconstruct method=tv noise=3 iterations=20')[0]
    at_most(1.5 * errors[1], error(noisy), 'noise that is given far too large')


def test_settled():
    """More iterations come to the same volume."""
    few, many = (run(f'{SOURCE} ! reconstruct method=tv iterations={count}')[0] for count in (40, 100))
    at_most(np.sqrt(np.mean((few - many) ** 2) / np.mean(many ** 2)), .03, 'iterations 40 and 100')
    stopped = run(f'{SOURCE} ! reconstruct method=tv tolerance=0.01')[1]
    tap.check(int(stopped.split(' tv, ')[1].split()[0]) < 30, stopped)


def test_signs():
    tap.check((run(f'{SOURCE} ! reconstruct method=tv iterations=5')[0] >= 0).all(), 'negative values')
    tap.check((run(f'{SOURCE} ! reconstruct method=tv iterations=5 non-negative=false')[0] < 0).any(), 'no negative values')


def test_bytes():
    """The same for threads, memory, and a part of the slices."""
    for method in 'tv', 'os-sart':
        line = f'{SOURCE} ! iterative-cone-reconstruct method={method} iterations=2'
        whole = run(line)[0]
        for words in ['--threads=1'], ['--threads=3'], ['--memory=150M']:
            tap.check((run(line, *words)[0] == whole).all(), f'{method} {words}')
        tap.check((run(f'{line} roi-z=20 roi-depth=9')[0] == whole[20:29]).all(), f'{method} roi-z')


def test_geometries():
    """Projections by forward-project, which sums along rays, of a tilted axis, an axis off the middle, and one row of a fan."""
    for words, bar in (('axis-tilt=25', .6), ('source-origin=300 origin-detector=100 width=80 height=60 axis=43', .6), ('source-origin=300 origin-detector=100 width=80 height=1', .6)):
        rows = 1 if 'height=1' in words else 40
        phantom = f'phantom object=shepp-logan-3d z=-0.25 width=48 height={rows}'
        truth = run(phantom)[0]
        middle = slice(rows // 3, rows - rows // 3)
        errors = []
        for method in 'tv noise=0.001 iterations=60', 'direct':
            got = run(f'{phantom} ! forward-project {words} projections=90 angles=0:360 ! '
                      f'reconstruct size=48 slices={rows} method={method}')[0]
            errors.append(np.sqrt(np.mean((got - truth)[middle] ** 2) / np.mean(truth[middle] ** 2)))
        print(f'# {words}: {errors[0]:.3f}, direct {errors[1]:.3f}')
        at_most(errors[0], bar * errors[1], words)


def test_fan():
    """A disc from a formula, with a source that is near: one row, whose object goes on above and below the slice."""
    n, radius, near = 64, 26, 100
    place = ((np.arange(n * 4) + .5) / 4 - n / 2) * 1.5
    away = near * np.abs(np.sin(np.arctan(place / (1.5 * near))))
    row = (2 * np.sqrt(np.maximum(radius ** 2 - away ** 2, 0))).reshape(n, 4).mean(axis=1)
    rows = np.tile(row, (90, 1, 1)) + np.random.default_rng(0).normal(0, .05, (90, 1, n))
    x = np.arange(n) + .5 - n / 2
    middle = np.hypot(x[None], x[:, None]) < 8
    source = save(rows, spread(90, 360), 'fan.h5').replace(f'source-origin={balls.SOURCE * n} origin-detector={balls.DETECTOR * n}',
                                                           f'source-origin={near} origin-detector={near / 2}')
    for method in 'tv', 'cgls', 'iterated-fdk', 'os-sart':
        got = run(f'{source} ! reconstruct method={method}')[0][0]
        at_most(abs(got[middle].mean() - 1), 3e-3, method)
    small = run(f'{save(rows * 2. ** -60, spread(90, 360), "small.h5")} ! reconstruct method=tv iterations=5')[0]
    large = run(f'{save(rows, spread(90, 360), "fan.h5")} ! reconstruct method=tv iterations=5')[0]
    tap.check((small * 2. ** 60 == large).all(), 'small values give other slices')


def test_without_weights():
    """A helix with several turns, and two arcs, for which filtered back-projection has no weights."""
    phantom = 'phantom object=shepp-logan-3d z=-0.25 width=32 height=24'
    truth = run(phantom)[0]
    helix = (f'{phantom} ! forward-project source-origin=300 origin-detector=100 width=44 height=32 projections=120 angles=-540:540 '
             'helical-pitch=8')
    shape = 'size=32 slices=24'
    got = {method: run(f'{helix} ! reconstruct {shape} method={method}')[0] for method in ('tv noise=0.001 iterations=100', 'cgls')}
    for method, volume in got.items():
        at_most(np.sqrt(np.mean((volume - truth)[8:16] ** 2) / np.mean(truth[8:16] ** 2)), .4, f'helix, {method}')
    refused(f'{helix} ! reconstruct {shape} method=iterated-fdk', 'no weights', 'method=cgls')


def fdk_in_plan(line):
    """Seconds that the plan gives for filtered back-projection."""
    plan = subprocess.run([os.environ['SINOGRAPH'], 'plan', '--device=native', '--threads=2', f'{line} ! null'], capture_output=True, text=True,
                          check=True).stdout
    found = re.search(r"\n'reconstruct': tv, set by method=tv, for the scan's geometry; direct \(Feldkamp, Davis and Kress\) would take ([0-9.e-]+) s\n",
                      plan)
    tap.check(found, plan)
    return float(found[1])


def test_plan():
    """It says what filtered back-projection would take: voxels times projections, of a helix those of a turn, with the slower kernel."""
    scan = 'phantom object=shepp-logan-3d ! forward-project source-origin=600 origin-detector=300 width=64 height=32 projections=400'
    node = 'reconstruct method=tv size=512 slices=512'
    whole = fdk_in_plan(f'{scan} angles=0:360 ! {node}')
    at_most(abs(whole / (512**3 * 400 / 8e9) - 1), .1, 'a turn')
    at_most(abs(fdk_in_plan(f'{scan} angles=0:360 ! {node} roi-z=10 roi-depth=128') / whole / .25 - 1), .1, 'a quarter of the slices')
    helix = fdk_in_plan(f'{scan.replace("height=32", "height=96")} angles=-720:720 helical-pitch=40 ! {node}')
    at_most(abs(helix / (512**3 * 100 / 2e8) - 1), .1, 'a helix of four turns')
    gaps = f'{save(np.ones((40, 8, 8)), np.r_[0:40:2, 180:220:2], "gaps.h5")} ! reconstruct method=tv ! null'
    plan = subprocess.run([os.environ['SINOGRAPH'], 'plan', gaps], capture_output=True, text=True, check=True).stdout
    tap.check("for the scan's geometry; direct cannot reconstruct this scan: " in plan, plan)


def refused(line, *wanted):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', f'{line} ! null'], capture_output=True, text=True)
    tap.check(done.returncode != 0, f'{line}: not refused')
    for words in wanted:
        tap.check(words in done.stderr, f'{line}: no {words!r} in {done.stderr}')


def test_refused():
    few = save(np.ones((6, 20, 20)), spread(6, 360), 'few.h5')
    holes = np.ones((12, 20, 20))
    holes[3, 4, 5] = np.nan
    node = 'iterative-cone-reconstruct'
    refused(f'{few} ! {node}', node, 'at least 8 projections')
    refused(f'{SOURCE} ! {node} strength=0', 'strength')
    refused(f'{SOURCE} ! {node} noise=much', 'noise=much')
    refused(f'{SOURCE} ! {node} method=os-sart subsets=400', 'subsets=400')
    refused(f'{SOURCE} ! {node} subsets=4', 'method=os-sart')
    refused(f'{SOURCE} detector-roll=2 ! {node}', 'not parallel to the axis', 'method=direct')
    refused(f'{SOURCE} ! ramp-filter ! {node}', 'ramp-filter')
    refused(f'{SOURCE} ! {node} size=8 voxel-size=15', 'voxels are too large')
    refused(f'{SOURCE} ! reconstruct method=tv window=hann', 'strength=')
    refused(f'{SOURCE} ! reconstruct method=fourier', 'method=fourier')
    refused(f'{SOURCE} ! reconstruct strength=2', 'strength=2')
    refused(f'{save(holes, spread(12, 360), "holes.h5")} ! {node}', 'not finite', 'fill-holes')
    parallel = f'simulate width=64 height=2 projections=30 ! reconstruct method=os-sart'
    refused(parallel, 'method=os-sart', 'method=cgls')


tap.main(globals())
