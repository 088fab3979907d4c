#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""precision= and interpolation= of back-project by all three ways to set them, and that auto keeps its promise."""
import re
import tempfile

import fbp
import h5py
import numpy as np
import tap
from program import at_most, sinograph, sinograph_fails, slices

N, ROWS = 96, 19  # a stack that leaves lanes without a slice
SCAN = f'simulate width={N} height={ROWS} projections=150 type=u16 bits=16 photons=40000 darks=2 flats=20'
LINE = SCAN + ' ! flat-field ! ramp-filter ! interleave ! back-project {} ! write path={}'
PROMISE = 1e-4  # relative root mean square error that int16 and auto may cost


def by_line(folder, options):
    sinograph('launch', '--quiet', '--device=native', LINE.format(options, f'{folder}/slice-%05i.tif'))


def by_graph(folder, options):
    sinograph('launch', '--quiet', '--device=native', '--save', f'{folder}/graph.json',
              LINE.format(options, f'{folder}/first.h5'))
    sinograph('run', '--quiet', '--device=native', f'{folder}/graph.json', '--set', f'write.path={folder}/slice-%05i.tif')


def by_setting(folder, options):
    sinograph('launch', '--quiet', '--device=native', '--save', f'{folder}/graph.json',
              LINE.format('', f'{folder}/first.h5'))
    settings = [word for option in options.split() for word in ('--set', f'back-project.{option}')]
    sinograph('run', '--quiet', '--device=native', f'{folder}/graph.json', *settings,
              '--set', f'write.path={folder}/slice-%05i.tif')


def made(way, options):
    with tempfile.TemporaryDirectory() as folder:
        way(folder, options)
        return slices(folder)


def worst(result, truth):
    return max(fbp.relative_rmse(a, b, np.ones((N, N), bool)) for a, b in zip(result, truth, strict=True))


def test_three_ways():
    single = made(by_line, '')
    assert single.shape == (ROWS, N, N), single.shape
    assert made(by_line, 'precision=single interpolation=linear').tobytes() == single.tobytes()
    for options in 'precision=int16', 'precision=auto', 'precision=int16 interpolation=oversample':
        line, graph, setting = (made(way, options) for way in (by_line, by_graph, by_setting))
        assert line.tobytes() == graph.tobytes() == setting.tobytes(), options
        base = made(by_line, 'interpolation=oversample') if 'oversample' in options else single
        error = worst(line, base)
        at_most(error, PROMISE, options)
        assert error > 1e-6, f'{options}: {error}, so nothing was rounded'


def test_bad_values():
    for name, choices in (('precision', ('single', 'half-storage', 'half', 'int16', 'auto')),
                          ('interpolation', ('linear', 'nearest', 'oversample'))):
        line = LINE.format('', 'none.h5')
        for said in (sinograph_fails('check', LINE.format(f'{name}=zebra', 'none.h5')),
                     sinograph_fails('check', line, '--set', f'back-project.{name}=zebra')):
            assert f"'{name}'" in said and "'zebra'" in said and all(choice in said for choice in choices), said


def test_hot_bin():
    """One bin ten thousand times the rest leaves integers no steps for these: auto sees it, and computes that slice again."""
    hot = 7
    with tempfile.TemporaryDirectory() as folder:
        sinograph('launch', '--quiet', f'{SCAN} ! flat-field ! ramp-filter ! write path={folder}/scan.h5')
        with h5py.File(f'{folder}/scan.h5', 'r+') as file:
            data = file['exchange/data']
            data[33, hot, 40] = 1e4 * np.abs(data[:, hot]).max()

        def reconstruct(precision):
            said = sinograph('launch', '--quiet', '--stats', '--device=native', f'read path={folder}/scan.h5 ! interleave ! '
                             f'back-project precision={precision} ! write path={folder}/{precision}/slice-%05i.tif')
            count = re.search(r'single-precision-slices\D*(\d+)', said)
            return slices(f'{folder}/{precision}'), int(count[1]) if count else 0

        single, auto, int16 = reconstruct('single'), reconstruct('auto'), reconstruct('int16')
    everywhere = np.ones((N, N), bool)
    # Pixels off the streak alone: beside it everything is small.
    streak = np.abs(single[0][hot]) > 100 * np.median(np.abs(single[0][hot]))
    assert streak.mean() < 0.2, streak.mean()
    assert fbp.relative_rmse(int16[0][hot], single[0][hot], ~streak) > 0.1, 'integers would have done'
    at_most(fbp.relative_rmse(auto[0][hot], single[0][hot], everywhere), PROMISE, 'the hot slice')
    at_most(worst(auto[0], single[0]), PROMISE, 'all slices')
    tap.same((single[1], auto[1], int16[1]), (0, 1, 0))


tap.main(globals())
