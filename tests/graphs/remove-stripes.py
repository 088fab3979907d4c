#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What removing stripes does to slices: rings go, noise and objects without rings stay. In any memory the bytes are the same."""
import os
import re
import subprocess
import tempfile

import h5py
import numpy as np
import tap
from draw import drawn
from program import in_little_memory, sinograph, sinograph_fails

WIDTH, ANGLES = 512, 768
METHODS = 'offset', 'sorting', 'large', 'dead', 'all', 'wavelet-fourier'
X = np.arange(WIDTH) + 0.5 - WIDTH / 2
RADIUS = np.hypot(X[:, None], X)
RNG = np.random.default_rng(4)
TRUTH = {}


def written(line, out='out.h5'):
    sinograph('launch', '--quiet', '--device=native', f'{line} ! write path={out} overwrite=true')
    with h5py.File(out) as file:
        return file['exchange/data'][:]


def save(projections, path):
    with h5py.File(path, 'w') as file:
        file['exchange/data'] = projections.astype(np.float32)
        file['exchange/theta'] = np.arange(len(projections)) * 180 / len(projections)


def prepare():
    TRUTH['exact'] = written(f'simulate width={WIDTH} projections={ANGLES}').astype(np.float64)
    photons = 1e4
    TRUTH['noisy'] = -np.log(RNG.poisson(photons * np.exp(-TRUTH['exact'])) / photons)


def slice_of(projections, words=''):
    save(projections, 'scan.h5')
    node = f'remove-stripes {words} ! ' if words else ''
    return written(f'read path=scan.h5 ! interleave ! {node}reconstruct')[0].astype(np.float64)


def rms(image):
    return np.sqrt(np.mean(image[RADIUS < WIDTH / 2 - 4]**2))


def test_rings():
    """Of gains that are 2 % off, each column by itself."""
    for (name, projections), most in zip(TRUTH.items(), (0.1, 0.115)):  # noise hides some of them
        right, shares = slice_of(projections), []
        for _ in range(3):
            rings = projections - np.log(1 + RNG.normal(0, 0.02, WIDTH))
            shares.append(rms(slice_of(rings, 'method=offset') - right) / rms(slice_of(rings) - right))
        print(f'# {name}: rings fall to {np.round(shares, 3)}')
        tap.check(np.mean(shares) < most, (name, shares))


def test_without_rings():
    """What may be the noise of a column stays: all of it may, where there are no rings."""
    for name, most in ('exact', 0.003), ('noisy', 0.01):
        right = slice_of(TRUTH[name])
        changed = rms(slice_of(TRUTH[name], 'method=offset') - right) / rms(right)
        print(f'# {name}: changed by {changed:.4f}')
        tap.check(changed < most, (name, changed))


def test_circles():
    """Contrast that is taken from circles around the axis is told; that of the detector's rings, and of other objects, is not."""
    def told(words, *rows):
        with h5py.File('rows.h5', 'w') as file:
            file['exchange/data'] = np.stack(rows, 1).astype(np.float32)
            file['exchange/theta'] = np.arange(ANGLES) * 180 / ANGLES
        done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', f'read path=rows.h5 ! interleave ! remove-stripes {words} ! null'], capture_output=True, text=True)
        tap.check(done.returncode == 0, done.stderr)
        return re.search(r"'remove-stripes': the removed stripes are symmetric about column ([\d.]+) .* strongest in columns (\d+) and "
                         r"(\d+):", done.stderr)

    u = np.abs(X - 7.5)  # the axis is at 263.5
    circles = sum(2 * np.sqrt(np.maximum(r * r - u * u, 0)) for r in (41.3, 88.6, 150.2)) / WIDTH * 4
    t = np.deg2rad(np.arange(ANGLES) * 180 / ANGLES)[:, None]
    beside = sum(2 * np.sqrt(np.maximum(r * r - (X - x * np.cos(t) + y * np.sin(t)) ** 2, 0)) for x, y, r in ((30, 60, 40), (-90, 20, 55), (120, -70, 30))) / WIDTH * 4
    noise = [RNG.normal(0, .01, (ANGLES, WIDTH)) for _ in range(3)]
    for words in 'method=offset', 'method=all', 'method=wavelet-fourier':
        found = told(words, *(TRUTH['exact'][:, 0] * .2 + circles + n for n in noise))
        tap.check(found is not None and abs(float(found[1]) - 263.5) < 1, (words, found))
        tap.check(abs(int(found[2]) + int(found[3]) + 1 - 2 * 263.5) < 2, (words, found[0]))
        tap.check(told(words, *(TRUTH['noisy'][:, 0] - np.log(1 + RNG.normal(0, 0.02, WIDTH)) for _ in noise)) is None, (words, 'rings of the detector'))
        tap.check(told(words, *(beside + n for n in noise)) is None, (words, 'an object beside the axis'))


def test_noise():
    """Of regions in which the object is flat."""
    exact, noisy = slice_of(TRUTH['exact']), slice_of(TRUTH['noisy'])
    left = slice_of(TRUTH['noisy'], 'method=offset') - slice_of(TRUTH['exact'], 'method=offset')
    for place in (0, 0), (60, 0), (-110, 0):
        flat = np.hypot(X[:, None] - place[0], X - place[1]) < 16
        share = np.std(left[flat]) / np.std((noisy - exact)[flat])
        print(f'# noise at {place} times {share:.4f}')
        tap.check(abs(share - 1) < 0.03, (place, share))


def test_broken_columns():
    """A dead column, one that fluctuates, a wide stripe."""
    broken = TRUTH['noisy'].copy()
    broken[:, 0, 200], broken[:, 0, 310:315] = 0.4, broken[:, 0, 310:315] + 0.4
    broken[:, 0, 390] += RNG.normal(0, 0.5, ANGLES)
    for words in 'method=all', 'bridge=true':
        right = slice_of(TRUTH['noisy'], words)
        share = rms(slice_of(broken, words) - right) / rms(slice_of(broken) - slice_of(TRUTH['noisy']))
        print(f'# {words} leaves {share:.3f}')
        tap.check(share < 0.1, (words, share))


def test_any_memory():
    with h5py.File('many.h5', 'w') as file:
        file['exchange/data'] = RNG.normal(1, 0.1, (121, 37, 90)).astype(np.float32)
        file['exchange/theta'] = np.arange(121) * 180 / 121
    for method in drawn(METHODS, 2):
        line = f'read path=many.h5 ! interleave ! remove-stripes method={method}'

        def made(*options):
            sinograph('launch', '--quiet', '--device=native', *options, f'{line} ! write path=cut.h5 overwrite=true')
            with h5py.File('cut.h5') as file:
                return file['exchange/data'][:]
        right = made()
        for other in made('--threads=1'), in_little_memory(made, 'native', f'{line} ! write path=no.h5'):
            np.testing.assert_array_equal(other, right)


def test_errors():
    for words, said in (('sm-size=4', 'sm-size=4 is even: give 3 or 5'), ('method=rings', 'method'),
                        ('snr=0.5', 'snr'), ('drop-ratio=0.9', 'drop-ratio'),
                        ('sigma=0', 'sigma'), ('wavelet=db11', 'wavelet'),
                        ('method=wavelet-fourier levels=14', 'levels=14 is too large for f32 sinograms')):
        tap.check(said in sinograph_fails('check', f'simulate ! interleave ! remove-stripes {words} ! null'), words)
    tap.check("put 'interleave' before it" in sinograph_fails('check', 'simulate ! remove-stripes ! null'), 'projections')



def test_lanes_are_made_once():
    """An interleave that finds its lanes takes no part; behind lanes that were asked for it does."""
    scan = 'simulate width=64 height=40 projections=60 axis=32'
    want = written(f'{scan} ! remove-outliers threshold=9 ! interleave lanes=1 ! remove-stripes ! reconstruct')
    for between, parts in ('', 0), ('! remove-stripes', 0), ('! calculate expression=x ! remove-stripes', 0), ('! interleave lanes=2', 1):
        line = f'{scan} ! interleave {between} ! reconstruct method=fourier'
        plan = sinograph('plan', '--device=native', f'{line} ! null')
        tap.same(plan.count("  'reconstruct/interleave' "), parts)
    made = written(f'{scan} ! interleave ! remove-stripes ! reconstruct')
    np.testing.assert_array_equal(made, want)
    np.testing.assert_array_equal(written(f'{scan} ! interleave ! interleave ! interleave ! remove-stripes ! reconstruct'), want)
    # Two that take the same sinograms.
    np.testing.assert_array_equal(written(f'{scan} ! interleave name=s ! remove-stripes ! reconstruct ! write path=one.h5 overwrite=true   '
                                          's. ! interleave ! remove-stripes ! reconstruct'), want)


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare()
        tap.main(globals())
