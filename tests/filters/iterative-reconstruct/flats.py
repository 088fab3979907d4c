#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The noise that flats tell, against the noise that was added: which flats do, which nodes keep what they tell. Costs 8 s."""
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import h5py
import numpy as np
import balls
import phantoms
import tap
from scans import PATH, launch, run, spread

from program import at_most, in_little_memory

N, VIEWS = 192, 60


def shells(seed=4):
    """Rings with thin walls, whose details are as small as a column."""
    random, shapes = np.random.default_rng(seed), []
    while len(shapes) < 20:
        x, y, r = *random.uniform(-.6, .6, 2), random.uniform(.08, .3)
        if np.hypot(x, y) + r < .92:
            shapes += [(1, r, r, x, y, 0), (-1, r - .02, r - .02, x, y, 0)]
    return shapes, ()


FOAM, SHELLS = phantoms.foam(pores=60, grains=100), shells()


def spread_light(counts, share):
    """Each pixel gives a share of what it has seen to either neighbour."""
    padded = np.pad(counts, [(0, 0)] * (counts.ndim - 1) + [(1, 1)], mode='edge')
    return (1 - 2 * share) * counts + share * (padded[..., :-2] + padded[..., 2:])


class Scan:
    """Counts of some rows that are alike but for their noise; `brightness`: of each row."""

    def __init__(self, shapes=SHELLS, photons=2e4, flats=10, spreads=0, readout=0, of_each_flat=1, of_each_projection=1, moves=0,
                 brightness=(1,), seed=0):
        random = np.random.default_rng(seed)
        self.clean = phantoms.sinogram(N, spread(VIEWS), *shapes)
        self.clean *= 3 / self.clean.max()
        beam = photons * np.reshape(brightness, (-1, 1)) * random.normal(1, .05, (len(brightness), N))

        def frames(mean, averaged):
            counts = np.mean([spread_light(random.poisson(mean).astype(float), spreads) for _ in range(averaged)], axis=0)
            return counts + 100 + random.normal(0, readout / np.sqrt(averaged), counts.shape) if readout else counts + 100

        slopes = moves * random.normal(0, 1, (flats, 1, 1)) * np.linspace(-1, 1, N)
        self.flats = frames(beam * (1 + slopes), of_each_flat)
        self.darks = frames(np.zeros((10, *beam.shape)), 1)
        self.data = frames(beam * np.exp(-self.clean)[:, None], of_each_projection)
        whites = (self.flats - 100).mean(axis=0) / (spread_light(beam, spreads) * (1 + slopes.mean(axis=0)))
        truth = spread_light(beam * np.exp(-self.clean)[:, None], spreads)
        self.noise = np.sqrt(np.mean(np.log(np.maximum(self.data - 100, .5) / whites / truth) ** 2, axis=(0, 2)))

    def source(self, name='counts.h5', degrees=None):
        with h5py.File(PATH / name, 'w') as file:
            for place, values in ('data', self.data), ('data_white', self.flats), ('data_dark', self.darks):
                file[f'exchange/{place}'] = values.astype(np.float32)
            file['exchange/theta'] = spread(VIEWS) if degrees is None else degrees
        return f'read path={PATH / name}'


def told(line, *words):
    """(least noise, greatest, source) that the run tells."""
    said = launch(f'{line} ! null', *words)
    found = re.search(r'which is [\d.e-]+ \(([\d.e-]+) to ([\d.e-]+), ([^)]*)\)', said)
    tap.check(found, said)
    return float(found[1]), float(found[2]), found[3]


QUICK = f'reconstruct method=tv iterations=1 axis={N / 2}'


def test_truth():
    """Where flats tell the noise they are right, and where they do not, differences are."""
    for scan, source in ((Scan(), 'the flats'), (Scan(FOAM), 'the flats'), (Scan(FOAM, photons=500), 'the flats'),
                         (Scan(flats=2), 'the flats'), (Scan(FOAM, spreads=.2), 'the flats'), (Scan(spreads=.25), 'the flats'),
                         (Scan(FOAM, photons=2000, readout=30), 'the flats'), (Scan(FOAM, moves=.01), 'the flats'),
                         (Scan(FOAM, flats=1), 'differences'), (Scan(FOAM, of_each_flat=10), 'differences'),
                         (Scan(FOAM, photons=2000, of_each_projection=8), 'differences')):
        least, most, said = told(f'{scan.source()} ! flat-field ! {QUICK}')
        tap.check(least == most and said == f'from {source}', f'{source}: {said}')
        at_most(abs(least / scan.noise[0] - 1), .15, f'{source}: {least:.5f} of {scan.noise[0]:.5f}')


def test_slices():
    """Thin walls look like noise to differences: they are smoothed away. Noise that neighbours share does not: it stays."""
    for scan, shapes, share in (Scan(photons=1000), SHELLS, .95), (Scan(FOAM, spreads=.2, photons=2000), FOAM, .9):
        truth = phantoms.image(N, *shapes)
        truth *= 3 / phantoms.sinogram(N, spread(VIEWS), *shapes).max()
        errors = []
        for node in 'flat-field', 'flat-field ! calculate expression=x':
            got, _ = run(f'{scan.source()} ! {node} ! reconstruct method=tv axis={N / 2}')
            errors.append(np.sqrt(np.mean((got[0] - truth) ** 2) / np.mean(truth ** 2)))
        print(f'# {errors[0]:.4f} with flats, {errors[1]:.4f} with differences')
        at_most(errors[0], share * errors[1], 'flats')


def test_which_nodes_keep_it():
    source = Scan(FOAM, brightness=(1, 1, 1)).source()
    for nodes in ('flat-field absorption=false ! minus-log', 'flat-field ! interleave ! remove-stripes', 'flat-field ! crop x=4 width=184',
                  'flat-field ! flip', 'flat-field ! flip direction=vertical', 'flat-field ! correct-bad-pixels find=no mask=none.tif',
                  'flat-field ! find-axis', 'flat-field ! interleave', 'flat-field ! interleave lanes=4', 'flat-field ! fill-holes',
                  'flat-field ! correct-dose width=8 height=3', 'bin rows=1 columns=2 ! flat-field'):
        if 'mask' in nodes:
            import tifffile
            mask = np.zeros((3, N), np.uint8)
            mask[1, 70] = 1
            tifffile.imwrite(PATH / 'mask.tif', mask)
            nodes = nodes.replace('find=no mask=none.tif', f'mask={PATH}/mask.tif')
        tap.check(told(f'{source} ! {nodes} ! reconstruct method=tv iterations=1')[2] == 'from the flats', nodes)
    for node in ('bin rows=1 columns=2', 'average number=2', 'median size=3', 'retrieve-phase distance=0.01 energy=20 pixel-size=1e-6 delta-beta=1000',
                 'remove-outliers threshold=1', 'unsharp', 'rotate angle=1', 'shift dx=0.5', 'pad left=4 right=4', 'calculate expression=x',
                 'flip direction=vertical geometry=stays', 'transpose ! transpose'):
        tap.check(told(f'{source} ! flat-field ! {node} ! reconstruct method=tv iterations=1')[2] == 'from differences', node)
    tap.check(told(f'{source} ! flat-field ! {QUICK} noise=0.02')[::2] == (.02, 'given'), 'given')


def test_rows():
    """Each row has its own noise, also in parts of the detector that come upside down."""
    scan = Scan(FOAM, brightness=(4, 2, 1, .5, .25, .125))
    for nodes, rows in (('flat-field', range(6)), ('flat-field ! crop y=2 height=3', (2, 3, 4)),
                        ('flat-field ! crop y=1 ! flip direction=vertical ! crop y=3', (2, 1))):
        least, most, _ = told(f'{scan.source()} ! {nodes} ! {QUICK}')
        for got, want in (least, scan.noise[list(rows)].min()), (most, scan.noise[list(rows)].max()):
            at_most(abs(got / want - 1), .15, nodes)
    for rows, place in ('rows=3:5', 4), ('rows=0:2', 1):
        most = told(f'{scan.source()} {rows} ! flat-field ! {QUICK}')[1]
        at_most(abs(most / scan.noise[place] - 1), .15, rows)
    least, most, _ = told(f'{scan.source()} ! flat-field ! {QUICK} strength=0.5:2 axis-row=5')
    at_most(abs(least / scan.noise[5] - 1), .15, 'axis-row=5')


def test_bytes():
    """The same for threads, memory, and parts of the rows."""
    scan = Scan(brightness=np.linspace(1, .3, 21))
    line = f'{scan.source()} ! flat-field ! {QUICK}'
    whole, said = run(line)
    tap.check('from the flats' in said, said)
    tap.check(np.array_equal(run(line, '--threads=1')[0], whole), '--threads=1')
    in_little_memory(lambda word: tap.check(np.array_equal(run(line, word)[0], whole), word), 'native', f'{line} ! null')
    part, _ = run(line.replace('counts.h5', 'counts.h5 rows=16:20'))
    tap.check(np.array_equal(part, whole[16:20]), 'rows=16:20')


def test_cone():
    n, degrees = 48, spread(40, 360)
    clean = balls.project(balls.foam(), n, degrees)
    clean *= 2 / clean.max()
    random = np.random.default_rng(1)
    for averaged, source in (1, 'the flats'), (10, 'differences'):
        counts = random.poisson(1e4 * np.exp(-clean))
        flats = random.poisson(1e4, (averaged, 10, n, n)).mean(axis=0)
        with h5py.File(PATH / 'cone-counts.h5', 'w') as file:
            for place, values in ('data', counts), ('data_white', flats), ('data_dark', 0 * flats[:2]), ('theta', degrees):
                file[f'exchange/{place}'] = values.astype(np.float32)
        said = launch(f'read path={PATH}/cone-counts.h5 source-origin={balls.SOURCE * n} origin-detector={balls.DETECTOR * n} '
                      f'pixel-size={balls.PIXEL} ! flat-field ! reconstruct method=tv iterations=1 ! null')
        found = re.search(r'which is ([\d.e-]+) \(from ([^)]*)\)', said)
        tap.check(found and found[2] == source, said)
        noise = np.sqrt(np.mean((-np.log(counts / flats.mean(axis=0)) - clean) ** 2))
        if source == 'the flats':
            at_most(abs(float(found[1]) / noise - 1), .15, source)


if __name__ == '__main__':
    tap.main(globals())
