#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A flat-fielded projection of a detector with bad pixels and a slice of it, before and after correct-bad-pixels: draws
docs/images/correct-bad-pixels.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/correct-bad-pixels.py

SINOGRAPH names the program, else it is that of the build."""
import os
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np
from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get('SINOGRAPH', ROOT / 'build/src/cli/sinograph')
WIDTH, HEIGHT, ANGLES, PHOTONS = 256, 256, 360, 2e4


def launch(folder, line):
    subprocess.run([PROGRAM, 'launch', '-q', '--device=native', f'{line} ! write path={folder}/out.h5 overwrite=true'], check=True)
    with h5py.File(f'{folder}/out.h5') as file:
        return file['exchange/data'][:]


def bad_detector(frames, rng):
    """Counts of a detector some of whose pixels do not answer, flicker a little, or stay at a value."""
    bad = np.zeros((HEIGHT, WIDTH), bool)
    bad[rng.integers(0, HEIGHT, 200), rng.integers(0, WIDTH, 200)] = True
    bad[:, 90] = bad[126:130, 150:154] = True
    stuck = rng.integers(50, 60000, bad.sum())
    for frame in frames:
        frame[:, bad] = stuck + rng.integers(0, 50, (len(frame), bad.sum()))
    return frames


def main():
    rng, pictures = np.random.default_rng(5), []
    with tempfile.TemporaryDirectory() as folder:
        beam = PHOTONS * (1 + 0.2 * np.sin(np.arange(WIDTH) / 40)) * np.ones((HEIGHT, WIDTH))
        exact = launch(folder, f'simulate width={WIDTH} height={HEIGHT} projections={ANGLES}')
        counts, flats, darks = bad_detector([rng.poisson(part + 100).astype(np.uint16) for part in (
            beam * np.exp(-exact), np.repeat(beam[np.newaxis], 10, 0), np.zeros((10, HEIGHT, WIDTH)))], rng)
        with h5py.File(f'{folder}/scan.h5', 'w') as file:
            file['exchange/data'], file['exchange/data_white'], file['exchange/data_dark'] = counts, flats, darks
            file['exchange/theta'] = np.arange(ANGLES) * 180 / ANGLES
        for title, node in ('before', ''), ('correct-bad-pixels', 'correct-bad-pixels ! '):
            source = f'read path={folder}/scan.h5 ! {node}flat-field'
            projection = launch(folder, source.replace('scan.h5', 'scan.h5 projections=0:1'))[0]
            middle = launch(folder, source + ' ! reconstruct')[HEIGHT // 2]
            pictures += [(f'{title}: a projection', np.exp(-projection) * 1.1), (f'{title}: a slice', middle / 0.008)]
    sheet = Image.new('L', (len(pictures) * WIDTH, HEIGHT + 14), 255)
    for i, (title, values) in enumerate(pictures):
        ImageDraw.Draw(sheet).text((i * WIDTH + 4, 1), title, 0)
        sheet.paste(Image.fromarray(np.clip(values * 200, 0, 255).astype(np.uint8)), (i * WIDTH, 14))
    sheet.quantize(32, dither=Image.Dither.NONE).save(ROOT / 'docs/images/correct-bad-pixels.png', optimize=True)


if __name__ == '__main__':
    main()
