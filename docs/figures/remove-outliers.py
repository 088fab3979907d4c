#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A projection with zingers and a slice of it, before and after remove-outliers: draws docs/images/remove-outliers.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/remove-outliers.py

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


def with_zingers(exact):
    """Counts, of which some pixels of each projection, one to four at once, have been hit besides."""
    rng = np.random.default_rng(5)
    counts = rng.poisson(PHOTONS * np.exp(-exact)).astype(np.int64)
    for projection in counts:
        for row, column in rng.integers(0, WIDTH - 2, (60, 2)):
            projection[row:row + rng.integers(1, 3), column:column + rng.integers(1, 3)] += rng.integers(6000, 40000)
    return np.minimum(counts, 65535).astype(np.uint16)


def main():
    pictures = []
    with tempfile.TemporaryDirectory() as folder:
        counts = with_zingers(launch(folder, f'simulate width={WIDTH} height={HEIGHT} projections={ANGLES}'))
        with h5py.File(f'{folder}/scan.h5', 'w') as file:
            file['exchange/data'], file['exchange/theta'] = counts, np.arange(ANGLES) * 180 / ANGLES
        for title, node in ('before', ''), ('remove-outliers', 'remove-outliers threshold=3000 ! '):
            source = f'read path={folder}/scan.h5 ! {node}minus-log air={PHOTONS}'
            projection = launch(folder, source.replace('scan.h5', 'scan.h5 projections=0:1'))[0]
            middle = launch(folder, source + ' ! reconstruct')[HEIGHT // 2]
            pictures += [(f'{title}: a projection', np.exp(-projection) * 1.1), (f'{title}: a slice', middle / 0.008)]
    sheet = Image.new('L', (len(pictures) * WIDTH, HEIGHT + 14), 255)
    for i, (title, values) in enumerate(pictures):
        ImageDraw.Draw(sheet).text((i * WIDTH + 4, 1), title, 0)
        sheet.paste(Image.fromarray(np.clip(values * 200, 0, 255).astype(np.uint8)), (i * WIDTH, 14))
    sheet.quantize(32, dither=Image.Dither.NONE).save(ROOT / 'docs/images/remove-outliers.png', optimize=True)


if __name__ == '__main__':
    main()
