#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A beam whose stripes wander from projection to projection, against the attenuation of a steady one, and against the method
in float64 by numpy and scipy."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'graphs'))
import h5py
import numpy as np
import tap
from program import at_least, at_most, in_little_memory, sinograph, sinograph_fails
from scipy.optimize import minimize

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
WIDTH, HEIGHT, ANGLES, FLATS, PHOTONS, DARK = 120, 90, 60, 24, 4e4, 100


def run(line, *words):
    sinograph('launch', '--quiet', '--device=native', *words, f'{line} ! write path={PATH}/out.h5 overwrite=true')
    with h5py.File(PATH / 'out.h5') as file:
        return {name: item[:] for name, item in file['exchange'].items()}


def beams(n, rng, wander=1.0):
    """Stripes of a monochromator that go up and down, slanted waves that come and go, and brightness, which is no matter of shape."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    up, side, bright = wander * rng.normal(0, 0.8, n), wander * rng.normal(0, 0.1, n), 1 + wander * rng.normal(0, 0.05, n)
    stripes = 1 + 0.15 * np.sin((y + up[:, None, None]) * 0.35) + 0.1 * np.sin((y + up[:, None, None]) * 0.9 + x * 0.02)
    return bright[:, None, None] * stripes * (1 + side[:, None, None] * np.sin(x * 0.5 + y * 0.2))


def scan(wander=1.0, counts=True):
    """Writes a scan; gives the exact attenuation, and counts."""
    rng = np.random.default_rng(11)
    exact = run(f'simulate object=shepp-logan-3d width={WIDTH} height={HEIGHT} projections={ANGLES}')['data']
    flats, lit = beams(FLATS, rng, wander), beams(ANGLES, rng, wander)
    parts = {'data': lit * np.exp(-exact), 'data_white': flats, 'data_dark': np.zeros((5, HEIGHT, WIDTH))}
    parts = {name: rng.poisson(PHOTONS * part + DARK).astype(np.uint16 if counts else np.float32) for name, part in parts.items()}
    parts['data_white'][:, 40, 30] = parts['data_dark'][:, 40, 30] = parts['data'][:, 40, 30] = 7  # dead
    with h5py.File(PATH / 'scan.h5', 'w') as file:
        for name, part in parts.items():
            file[f'exchange/{name}'] = part
        file['exchange/theta'] = np.arange(ANGLES) * 180 / ANGLES
    return exact, parts


def test_opencl():
    """The values of the CPU, but for roundings, of all elements, whatever the memory, and on two devices."""
    os.environ.setdefault('POCL_DEVICES', 'pthread pthread')
    if 'cl:0' not in sinograph('devices'):
        return
    for counts in True, False:
        scan(counts=counts)
        line = f'read path={PATH}/scan.h5 ! dynamic-flats components=2 '
        want, there = run(line + 'variant=native')['data'], line + 'variant=opencl'
        first = run(there, '--device=cl:0')['data']
        at_most(np.abs(first - want).max() / np.abs(want).max(), 1e-6, 'difference from the CPU')
        few = in_little_memory(lambda memory: run(there, '--device=cl:0', memory)['data'], 'cl:0', f'{there} ! write path=no.h5')
        np.testing.assert_array_equal(few, first)
        if 'cl:1' in sinograph('devices'):
            np.testing.assert_array_equal(run(there, '--device=cl:0,cl:1')['data'], first)


def shape_error(got, exact):
    """Of the attenuation, but for the brightness of each projection."""
    difference = got - exact
    return (difference - np.median(difference, axis=(1, 2), keepdims=True)).std()


def messages(line):
    return subprocess.run([os.environ['SINOGRAPH'], 'launch', '--stats', line], check=True, capture_output=True, text=True)


def test_beam():
    """What the beam adds to projections falls to a small part; noise stays."""
    exact, _ = scan()
    noise = 1.3 * np.sqrt(np.mean(np.exp(exact)) / PHOTONS)
    plain = shape_error(run(f'read path={PATH}/scan.h5 ! flat-field')['data'], exact)
    error = shape_error(run(f'read path={PATH}/scan.h5 ! dynamic-flats ! flat-field')['data'], exact)
    print(f'# noise {noise:.4f}')
    at_most(error, plain / 4, f'error, {plain:.4f} without')
    at_most(error, 1.5 * noise, 'error, of which the most is noise')
    for number in 1, 2:
        some = shape_error(run(f'read path={PATH}/scan.h5 ! dynamic-flats components={number} ! flat-field')['data'], exact)
        at_most(some, plain, f'error with components={number}')


def reference(parts, number):
    """Corrected attenuation by the paper: components by numpy's SVD, weights by scipy's minimum of the total variation."""
    dark = parts['data_dark'].mean(0)
    flats = parts['data_white'] - dark
    white = flats.mean(0)
    live = white > 0
    flats = flats * (flats[:, live].mean() / flats[:, live].mean(1))[:, None, None]
    _, _, vectors = np.linalg.svd((flats - flats.mean(0))[:, live], full_matrices=False)
    components = np.zeros((number, HEIGHT, WIDTH))
    components[:, live] = vectors[:number] * np.sqrt(live.sum()) * white[live].mean() * 0.05

    def binned(image):
        return image.reshape(HEIGHT, WIDTH // 2, 2).sum(2)

    def variation(weights, signal, beam, parts_of_beam):
        now = beam + np.tensordot(weights, parts_of_beam, 1)
        image = signal / now * now.mean()
        return np.hypot(np.diff(image, axis=0)[:, :-1], np.diff(image, axis=1)[:-1]).sum()

    beam, small = binned(white), np.array([binned(part) for part in components])
    out = []
    for frame in parts['data'][:6]:
        signal = binned(frame - dark)
        best = minimize(variation, np.zeros(number), (signal / signal.mean(), beam, small), 'Powell', options={'xtol': 1e-5, 'ftol': 1e-12})
        flat = white + np.tensordot(best.x, components, 1)
        with np.errstate(all='ignore'):
            out.append(-np.log((frame - dark) / np.where(live, flat, 1)))
    return np.array(out)


def test_paper():
    exact, parts = scan()
    for number in 2, 3:
        got = run(f'read path={PATH}/scan.h5 ! dynamic-flats components={number} ! flat-field')['data'][:6]
        wanted = reference(parts, number)
        good = np.ones((HEIGHT, WIDTH), bool)
        good[40, 30] = False
        errors = [shape_error(image[:, good][:, :, None], exact[:6, good][:, :, None]) for image in (got, wanted)]
        at_most(errors[0], 1.15 * errors[1], f'error, of {number} components, to that of the reference')
        away = (got - wanted)[:, good]
        away -= np.median(away, axis=1, keepdims=True)
        at_most(away.std(), 0.01, f'difference to the reference, which errs by {errors[1]:.4f}')


def test_odd_frames():
    """Flats with the shutter closed and a dark with it open tell nothing: what comes is as if they had not been taken."""
    scan()
    line = f'read path={PATH}/scan.h5 ! dynamic-flats'
    with h5py.File(PATH / 'scan.h5', 'a') as file:
        flats, darks = file['exchange/data_white'][:], file['exchange/data_dark'][:]
        for name, frames in (('white', np.delete(flats, [3, 10], 0)), ('dark', darks[1:])):
            del file[f'exchange/data_{name}']
            file[f'exchange/data_{name}'] = frames
    wanted = run(line)['data']
    flats[[3, 10]], darks[0] = darks[1], flats[0]
    with h5py.File(PATH / 'scan.h5', 'a') as file:
        for name, frames in (('white', flats), ('dark', darks)):
            del file[f'exchange/data_{name}']
            file[f'exchange/data_{name}'] = frames
    tap.check(np.array_equal(run(line)['data'], wanted), 'odd frames change something')
    said = messages(f'{line} ! null').stderr
    tap.check('the darks 0 and the flats 3, 10, counted from 0, look wrong, and are not used here' in said, said)


def test_steady():
    """Flats that differ by noise and brightness only tell nothing, and change nothing."""
    exact, _ = scan(wander=0)
    line = f'read path={PATH}/scan.h5 ! dynamic-flats ! flat-field'
    said = messages(f'{line} ! null').stderr
    tap.check('the flats differ only by noise and brightness' in said, said)
    plain, got = (run(chain)['data'] for chain in (f'read path={PATH}/scan.h5 ! flat-field interpolate=false', line))
    at_most(np.abs(got - plain).max(), 2e-6, 'change')
    del exact


def test_flats_that_are_the_same():
    """There is no component in them, however many are wanted."""
    _, parts = scan(wander=0)
    with h5py.File(PATH / 'same.h5', 'w') as file:
        file['exchange/data'], file['exchange/data_dark'] = parts['data'], parts['data_dark']
        file['exchange/data_white'] = np.repeat(parts['data_white'][:1], 6, 0)
    for number in 0, 5:
        got = run(f'read path={PATH}/same.h5 angles=0:180 ! dynamic-flats components={number}')['data']
        tap.check(np.array_equal(got, parts['data']), f'components={number}')


def test_brightness():
    """A beam that wanders by more than the bands are apart is brighter in them at times, which makes a projection of much detail
    vary less when all of it is divided by that."""
    rng = np.random.default_rng(3)
    y, x = np.mgrid[:400, :160]
    disc, tiles = np.hypot(x - 80, y - 200), (x // 8 + y // 8) % 2
    exact = np.clip(0.8 - ((x - 80) / 60)**2 - ((y - 200) / 150)**2, 0, None) + 0.4 * (disc < 40) + 0.2 * tiles * (disc < 60)
    lit, flats = (1 + 0.5 * np.sin((y + at) * 0.068 + 0.6) + 0.1 * np.sin((y + at) * 0.5)
                  for at in (rng.normal(0, 6, n)[:, None, None] for n in (12, 16)))
    with h5py.File(PATH / 'tall.h5', 'w') as file:
        file['exchange/data'] = rng.poisson(2e4 * lit * np.exp(-exact)).astype(np.uint16)
        file['exchange/data_white'] = rng.poisson(2e4 * flats).astype(np.uint16)
    plain, got = (run(f'read path={PATH}/tall.h5 angles=0:180 ! {node} flat-field')['data'] - exact for node in ('', 'dynamic-flats !'))
    at_most(np.median(got, axis=(1, 2)).std(), 1.5 * np.median(plain, axis=(1, 2)).std(), 'brightness')
    at_most(shape_error(got, 0), 0.5 * shape_error(plain, 0), 'error')


def test_one_row():
    """A row, or a column, of the detector tells as well as many."""
    exact, _ = scan()
    for words, part in ('rows=20:21', np.s_[:, 20:21]), ('columns=50:51', np.s_[:, :, 50:51]):
        plain, error = (shape_error(run(f'read path={PATH}/scan.h5 {words} ! {node} flat-field')['data'], exact[part])
                        for node in ('', 'dynamic-flats !'))
        at_most(error, 0.7 * plain, f'error with {words}, {plain:.4f} without')


def test_components():
    scan()
    said = messages(f'read path={PATH}/scan.h5 ! dynamic-flats ! flat-field ! null').stdout
    found = int(re.search(r'components=(\d+)', said)[1])
    at_least(found, 3, 'components')
    at_most(found, 8, 'components')


def test_same_bytes():
    scan(counts=False)
    line = f'read path={PATH}/scan.h5 ! dynamic-flats ! flat-field ! reconstruct'
    wanted = run(line)['data']
    tap.check(np.array_equal(run(line, '--threads=1')['data'], wanted), 'one thread makes other bytes')
    little = in_little_memory(lambda words: run(line, words)['data'], 'native', f'{line} ! null')
    tap.check(np.array_equal(little, wanted), 'little memory makes other bytes')


def test_refusals():
    scan()
    read = f'read path={PATH}/scan.h5'
    few = 'simulate width=40 height=5 projections=9 darks=1 flats=2'
    for line, wanted in {
            f'{few} ! dynamic-flats ! flat-field': "with at least 3 flats, got 2: put this node before 'flat-field', or leave it out",
            f'{read} ! flat-field ! dynamic-flats': 'with at least 3 flats, got 0',
            f'{read} ! interleave ! dynamic-flats': 'wants projections, got u16 sinograms',
            f'{read} ! remove-outliers threshold=500 ! dynamic-flats': "'remove-outliers' has changed the counts already",
    }.items():
        said = sinograph_fails('launch', f'{line} ! null')
        tap.check(wanted in said and "'dynamic-flats'" in said, f'{line}\nsays {said}')


tap.main(globals())
