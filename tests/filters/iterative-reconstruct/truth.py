#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Slices of the node against the same problem solved in float64, in all geometries. Costs 12 s."""
import numpy as np
import exact
import iterated
import phantoms
import tap
from scans import PATH, run, solved, spread

from program import at_most

OBJECT = phantoms.foam(pores=40, grains=60)


def scan_of(n, degrees, axis=None, period=None, weights=None, seed=0, photons=2e4):
    """Rows with noise, and their problem."""
    rows, sigma = phantoms.noisy(phantoms.sinogram(n, degrees, *OBJECT, axis=axis), photons, seed=seed)
    return rows, iterated.Scan(n, np.radians(degrees), axis, period, weights), np.sqrt(np.mean(sigma ** 2))


def check(got, truth, bound, what):
    at_most(np.abs(got - truth).max() / np.abs(truth).max(), bound, what)


def test_problem():
    """The reference itself: A^T b is what T makes of the object where no ray has noise, but for what pixels cannot be."""
    rows, scan = phantoms.sinogram(64, spread(64), *OBJECT), iterated.Scan(64, np.radians(spread(64)))
    c, tx = scan.data(rows), scan.normal(phantoms.image(64, *OBJECT))
    at_most(np.sqrt(np.mean((c - tx) ** 2) / np.mean(c ** 2)), 2e-3, 'T x')


def test_minimum():
    """After 400 iterations the root mean square is there, but a few pixels still move."""
    degrees = spread(64)
    rows, scan, noise = scan_of(64, degrees)
    truth = scan.tv(rows, scan.weight(2.8, noise), enough=1e-9)
    for count, bound in (400, 3e-4), (2000, 1e-4):
        got, _ = solved(rows, degrees, f'noise={noise} iterations={count} strength=2.8')
        at_most(np.sqrt(np.mean((got - truth) ** 2)) / np.abs(truth).max(), 1e-4, f'{count} iterations')
        check(got, truth, bound, f'{count} iterations, largest')
        tap.check(got.min() == 0, f'{count} iterations: {got.min()}')
    rows = rows - 2 * phantoms.sinogram(64, degrees, [(.6, .5, .4, .2, .1, 0)])
    truth = scan.tv(rows, scan.weight(5.6, noise), non_negative=False)
    got, _ = solved(rows, degrees, f'noise={noise} iterations=400 strength=5.6 non-negative=false')
    tap.check(truth.min() < -.1 * truth.max(), 'no negative values')
    at_most(np.sqrt(np.mean((got - truth) ** 2)) / np.abs(truth).max(), 1e-4, 'with negative values')


def test_volume():
    """Three dimensions."""
    degrees = spread(32)
    scan = iterated.Scan(64, np.radians(degrees))
    sums = [phantoms.sinogram(64, degrees, *OBJECT), phantoms.sinogram(64, degrees, [(.9, .7, .6, .1, 0, 0)])]
    rows = np.stack([phantoms.noisy(sums[i // 3 % 2], 5e3, seed=i)[0] for i in range(46)])
    noise = .05 * np.abs(rows).max()
    truth = scan.tv(rows[:5], scan.weight(2, noise, 1.4), enough=1e-6)
    settings = f'noise={noise} iterations=1000 strength=2 dimensions='
    got, flat = (solved(rows[:5], degrees, f'{settings}{dimensions}')[0] for dimensions in (3, 2))
    root = np.sqrt(np.mean((got - truth) ** 2)) / np.abs(truth).max()
    at_most(root, 1e-4, 'against float64')
    at_most(100 * root, np.sqrt(np.mean((flat - truth) ** 2)) / np.abs(truth).max(), 'against slices by themselves')

    # Windows that begin elsewhere: slices 26 to 37 are at the border of others.
    settings = f'noise={noise} strength=2 dimensions=3'
    whole, shifted = solved(rows, degrees, settings)[0], solved(rows[10:], degrees, settings)[0]
    at_most(np.abs(whole[26:38] - shifted[16:28]).max() / np.abs(whole).max(), 2e-3, 'other windows')
    tap.check(not np.array_equal(whole[30:34], shifted[20:24]), 'windows do not begin elsewhere')


def test_conjugate_gradients():
    degrees = spread(48)
    rows, scan, _ = scan_of(64, degrees)
    for count in 1, 5:
        got, _ = solved(rows, degrees, f'method=cgls iterations={count}')
        check(got, scan.cgls(rows, count), 1e-4, f'{count} iterations')
    # Later, directions in float are not orthogonal any more. The slice stays as good.
    got, truth = solved(rows, degrees, 'method=cgls')[0], scan.cgls(rows, 10)
    check(got, truth, .1, '10 iterations')
    image = phantoms.image(64, *OBJECT)
    at_most(np.linalg.norm(got - image), 1.02 * np.linalg.norm(truth - image), '10 iterations, error')


def test_geometries():
    """Odd sizes, sizes that are no length of a transform, an axis off the middle or one for each projection, uneven angles, whole turns."""
    random = np.random.default_rng(2)
    uneven = np.sort(random.uniform(0, 180, 50))
    wobbling = 29 + random.uniform(-1.5, 1.5, 48)
    np.savetxt(PATH / 'axis.txt', wobbling)
    for what, n, degrees, axis, period, weights in (
            ('odd', 51, spread(48), None, 128, None),
            ('no length of a transform', 70, spread(48), None, 256, None),
            ('axis off the middle', 64, spread(48), 37.3, 128, None),
            ('axis on the edge', 64, spread(48), 3.0, 128, None),
            ('axis of each projection', 60, spread(48), wobbling, 128, None),
            ('uneven angles', 60, uneven, None, 128, exact.spacing(np.radians(uneven)) / np.pi),
            ('a whole turn', 64, spread(60, 360), 30.7, 128, None),
            ('the other way round', 64, -spread(48), 30.7, 128, None)):
        rows, scan, noise = scan_of(n, degrees, axis, period, weights)
        where = n / 2 if axis is None else PATH / 'axis.txt' if np.ndim(axis) else axis
        word = 'weights=uniform' if weights is None else 'weights=spacing'
        got, _ = solved(rows, degrees, f'method=cgls iterations=5 {word}', axis=where)
        check(got, scan.cgls(rows, 5), 2e-4, what)
        if what == 'odd':
            got, _ = solved(rows, degrees, f'iterations=2000 noise={noise} {word}', axis=where)
            check(got, scan.tv(rows, scan.weight(1, noise)), 2e-4, f'{what}, tv')


def test_parts():
    """Regions and masks are parts of whole slices; a size of pixels makes values per length."""
    degrees = spread(48)
    rows, scan, noise = scan_of(50, degrees, axis=26.2)
    whole, _ = solved(rows, degrees, axis=26.2)
    part, _ = solved(rows, degrees, 'roi-x=7 roi-y=11 roi-width=20 roi-height=31', axis=26.2)
    tap.check(np.array_equal(part, whole[11:42, 7:27]), 'a region')
    masked, _ = solved(rows, degrees, 'mask=true padding-mode=edge', axis=26.2)
    edge, _ = solved(rows, degrees, 'padding-mode=edge', axis=26.2)
    place = np.arange(50) + .5 - 25
    circle = np.hypot(place[None], place[:, None]) <= 25
    tap.check(np.array_equal(masked, np.where(circle, edge, 0)) and edge[~circle].any(), 'a mask')
    scan = 'simulate width=48 height=1 projections=40 {} ! reconstruct method=tv axis=24'
    columns, lengths = run(scan.format(''))[0], run(scan.format('pixel-size=0.5'))[0]
    tap.check(np.array_equal(lengths, 2 * columns), 'values per length')


if __name__ == '__main__':
    tap.main(globals())
