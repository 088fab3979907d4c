#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A slice with and without phase retrieval: water-like ellipsoids, propagated in float64 and counted by a noisy detector.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/retrieve-phase.py

Draws docs/images/retrieve-phase.png. SINOGRAPH names the program, else it is that of the build.
"""
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / 'tests/graphs')]
os.environ.setdefault('SINOGRAPH', str(ROOT / 'build/src/cli/sinograph'))
import phase_objects as objects  # noqa: E402
import tifffile  # noqa: E402
from program import sinograph  # noqa: E402

WIDTH, HEIGHT, PROJECTIONS, PHOTONS = 256, 96, 300, 20000
BODY = [(0, 0, 0, 95, 75, 40)]
HOLES = [(-45, 10, 0, 20, 25, 18), (5, -35, 3, 12, 9, 10), (40, 25, -4, 22, 14, 15), (20, -5, 0, 6, 6, 6), (60, -20, 2, 9, 12, 10)]


def image(angle, noise):
    """Holes are taken off the body's thickness before the wave goes on."""
    full, empty = (objects.thickness(parts, WIDTH, HEIGHT, objects.FINE, angle) for parts in (BODY, HOLES))
    return noise.poisson(PHOTONS * objects.intensity(full - empty)) / PHOTONS


def middle(folder, node):
    sinograph('launch', '--quiet', '--device=native', f'read path={folder}/scan.h5 {node} ! reconstruct axis={WIDTH / 2} ! '
              f'write path={folder}/%03i.tif overwrite=true')
    return tifffile.imread(f'{folder}/{HEIGHT // 2:03}.tif')


def main():
    noise = np.random.default_rng(5)
    angles = np.arange(PROJECTIONS) * 180 / PROJECTIONS
    images = np.maximum([image(angle, noise) for angle in np.radians(angles)], 1 / PHOTONS)
    with tempfile.TemporaryDirectory() as folder:
        objects.write(f'{folder}/scan.h5', images, angles)
        after = middle(folder, f'! retrieve-phase {objects.WORDS}')
        objects.write(f'{folder}/scan.h5', -np.log(images), angles)
        before = middle(folder, '')
    halves = []
    for slice_, limits in (before, np.percentile(before, (1, 99))), (after, (-0.3 * objects.MU * objects.PIXEL,
                                                                           1.4 * objects.MU * objects.PIXEL)):
        halves.append(np.clip((slice_ - limits[0]) / (limits[1] - limits[0]), 0, 1))
    Image.fromarray((255 * np.concatenate(halves, axis=1)).astype(np.uint8)).save(ROOT / 'docs/images/retrieve-phase.png')


if __name__ == '__main__':
    main()
