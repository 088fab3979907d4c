#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""How close the node's slices are to the truth, beside filtered back-projection. Costs 10 s."""
import os
import re
from pathlib import Path
from unittest import SkipTest

import h5py
import numpy as np
import phantoms
import tap
from objects import FOAM, error, scan_of
from scans import PATH, launch, solved, spread

from program import at_most

THOROUGH = 'SINO_TEST_THOROUGH' in os.environ
SHEPP_LOGAN = (phantoms.SHEPP_LOGAN, [])
DATA = Path(os.environ['SINO_TEST_DATA'])


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
