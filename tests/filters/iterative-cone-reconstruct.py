#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""That no division of the work changes a byte of the node's volumes, what it says, and what it refuses. Costs 10 s."""
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / 'iterative-cone-reconstruct'), str(HERE.parent / 'graphs')]
from cones import SOURCE, refused, save
import balls
import numpy as np
import tap
from program import at_most
from scans import run, spread


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
    parallel = 'simulate width=64 height=2 projections=30 ! reconstruct method=os-sart'
    refused(parallel, 'method=os-sart', 'method=cgls')


tap.main(globals())
