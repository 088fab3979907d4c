#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""How close the node's volumes are to the truth, beside filtered back-projection. Costs 14 s."""
import re

from cones import SIZE, SOURCE, TRUTH, refused, save
import h5py
import numpy as np
import tap
from program import at_most
from scans import PATH, run


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
    at_most((1.5 if SIZE == 48 else 1.25) * errors[1], error(noisy), 'noise that is given far too large')


def test_settled():
    """More iterations come to the same volume."""
    few, many = (run(f'{SOURCE} ! reconstruct method=tv iterations={count}')[0] for count in (40, 100))
    at_most(np.sqrt(np.mean((few - many) ** 2) / np.mean(many ** 2)), .03, 'iterations 40 and 100')
    stopped = run(f'{SOURCE} ! reconstruct method=tv tolerance=0.01')[1]
    tap.check(int(re.search(r'tv, (\d+) iterations', stopped)[1]) < 30, stopped)


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


tap.main(globals())
