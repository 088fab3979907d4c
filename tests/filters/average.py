#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Means of projections against numpy in float64, and what becomes of their angles, axes, views, darks and flats."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'graphs'))
import h5py
import numpy as np
import tap
from program import at_most, in_little_memory, sinograph, sinograph_fails

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
WIDTH, HEIGHT, MEANS, NUMBER = 70, 23, 30, 4
FRAMES = MEANS * NUMBER


def run(line, *words):
    sinograph('launch', '--quiet', '--device=native', *words, f'{line} ! write path={PATH}/out.h5 overwrite=true')
    with h5py.File(PATH / 'out.h5') as file:
        return {name: item[:] for name, item in file['exchange'].items()}


def write(data, name='scan.h5', **others):
    with h5py.File(PATH / name, 'w') as file:
        file['exchange/data'] = data
        file['exchange/theta'] = np.repeat(np.arange(MEANS) * 180 / MEANS, NUMBER)
        for key, value in others.items():
            file[f'exchange/{key}'] = value


def random(kind, shape=(FRAMES, HEIGHT, WIDTH), seed=1):
    values = np.random.default_rng(seed).random(shape) * (200 if kind == 'u1' else 2000)
    return values.astype(kind)


def means(data, axis=0, number=NUMBER):
    shape = list(data.shape)
    shape[axis:axis + 1] = [shape[axis] // number, number]
    return data.astype(np.float64).reshape(shape).mean(axis + 1)


def test_means():
    """Of any element, in any memory, with any threads, of projections and sinograms."""
    for kind in 'u1', 'u2', 'f2', 'f4':
        data = random(kind)
        write(data)
        got = run(f'read path={PATH}/scan.h5 ! average number={NUMBER}')
        tap.check(got['data'].dtype == np.float32, str(got['data'].dtype))
        at_most(np.abs(got['data'] / means(data) - 1).max(), 2e-7, kind)
        tap.check(np.allclose(got['theta'], np.arange(MEANS) * 180 / MEANS, atol=1e-9), str(got['theta']))
        rows = run(f'read path={PATH}/scan.h5 ! interleave ! average number={NUMBER}')
        tap.check(np.array_equal(rows['data'], got['data'].transpose(1, 0, 2)), f'{kind}: sinograms')
        again = run(f'read path={PATH}/scan.h5 ! average number={NUMBER}', '--threads=1')
        tap.check(np.array_equal(again['data'], got['data']), f'{kind}: one thread makes other bytes')


def test_blocks():
    """Means whose projections come in several blocks, by rows too, and one mean of all."""
    data = random('u2', (FRAMES, 300, 500))
    write(data)
    chain = f'read path={PATH}/scan.h5 ! average number=8 ! flip'
    got = run(chain)['data']
    at_most(np.abs(got / means(data, number=8)[:, :, ::-1] - 1).max(), 2e-7, 'large blocks')
    little = in_little_memory(lambda words: run(chain, words)['data'], 'native', f'{chain} ! null')
    tap.check(np.array_equal(little, got), 'small blocks')
    all_of_them = run(f'read path={PATH}/scan.h5 ! average')
    at_most(np.abs(all_of_them['data'] / means(data, number=FRAMES) - 1).max(), 2e-7, 'one mean of all')


def test_flat_field():
    """Flats that were taken in the course of the scan are interpolated as those of the scan with all of its frames."""
    rng = np.random.default_rng(4)
    data, dark = rng.integers(500, 900, (FRAMES, HEIGHT, WIDTH)), rng.integers(90, 110, (2, HEIGHT, WIDTH))
    white = np.concatenate([rng.integers(1000, 1100, (2, HEIGHT, WIDTH)), rng.integers(1300, 1400, (2, HEIGHT, WIDTH))])
    write(data.astype(np.uint16), data_dark=dark.astype(np.uint16), data_white=white.astype(np.uint16),
          position_white=[-0.5, -0.5, FRAMES - 0.5, FRAMES - 0.5])
    got = run(f'read path={PATH}/scan.h5 ! average number={NUMBER} ! flat-field')['data']
    share = ((np.arange(MEANS) + 0.5) / MEANS)[:, None, None]
    flat = (1 - share) * white[:2].mean(0) + share * white[2:].mean(0)
    wanted = -np.log((means(data) - dark.mean(0)) / (flat - dark.mean(0)))
    at_most(np.abs(got - wanted).max(), 2e-6, 'attenuation')
    kept = run(f'read path={PATH}/scan.h5 ! average number={NUMBER}')
    at_most(np.abs(kept['position_white'] - [-0.5, -0.5, MEANS - 0.5, MEANS - 0.5]).max(), 1e-9, 'times of flats')
    for name, frames in ('dark', dark), ('white', white[:2]):
        np.save(PATH / f'{name}.npy', frames.astype(np.uint16))
    ports = run(f'[read path={PATH}/scan.h5, read path={PATH}/dark.npy ! average, read path={PATH}/white.npy ! average] ! flat-field')
    wanted = -np.log((data - dark.mean(0)) / (white[:2].mean(0) - dark.mean(0)))
    at_most(np.abs(ports['data'] - wanted).max(), 2e-6, 'connected flats')


def test_geometry():
    """A cone beam's views, and an axis that moves."""
    beam = 'source-origin=900 origin-detector=300 pixel-size=1.2'
    scan = f'simulate object=shepp-logan-3d width=64 height=64 {beam}'
    got = run(f'{scan} projections=720 angles=0:360 ! average number=4 ! cone-weight ! ramp-filter ! cone-back-project')['data']
    like = run(f'{scan} projections=180 angles=0.75:360.75 ! cone-weight ! ramp-filter ! cone-back-project')['data']
    inside = np.hypot(*np.mgrid[-31.5:32, -31.5:32]) < 25
    at_most(np.abs(got - like)[:, inside].max() / like.max(), 0.05, 'difference to a scan of the angles between')
    at_most(np.abs(got - like)[:, inside].mean() / like.max(), 2e-3, 'mean difference')
    write(random('f4'), rotation_axis=np.arange(FRAMES) * 0.1)
    got = run(f'read path={PATH}/scan.h5 ! average number={NUMBER}')
    at_most(np.abs(got['rotation_axis'] - means(np.arange(FRAMES) * 0.1)).max(), 1e-9, 'axis')


def test_messages():
    write(random('f4'))
    read = f'read path={PATH}/scan.h5'
    for chain, wanted in {
            f'{read} ! average number=7': "number=7 does not divide the 120 projections: the last 1 would be lost: leave them out",
            f'{read} ! average number=121': 'number=121 is more than the 120 projections of the stream: give a smaller one, or 0 for all',
            f'{read} ! reconstruct ! average': 'wants projections or sinograms, got f32 slices',
            f'{read} ! average number=-1': 'number=-1',
    }.items():
        said = sinograph_fails('launch', f'{chain} ! null')
        tap.check(wanted in said, f'{chain}\nsays {said}')
    for number, wanted in (8, 'projections up to 6 degrees apart are averaged'), (4, ''):
        said = subprocess.run([os.environ['SINOGRAPH'], 'launch', f'{read} ! average number={number} ! null'], check=True,
                              capture_output=True, text=True).stderr
        tap.check(wanted in said if wanted else 'apart' not in said, f'number={number} says {said}')


tap.main(globals())
