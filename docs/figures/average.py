#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A slice of one of four frames at each angle, and of the mean of all four by average: draws docs/images/average.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/average.py

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
WIDTH, ANGLES, FRAMES, PHOTONS = 256, 360, 4, 2000


def launch(folder, line):
    subprocess.run([PROGRAM, 'launch', '-q', '--device=native', f'{line} ! write path={folder}/out.h5 overwrite=true'], check=True)
    with h5py.File(f'{folder}/out.h5') as file:
        return file['exchange/data'][:]


def main():
    with tempfile.TemporaryDirectory() as folder:
        exact = launch(folder, f'simulate width={WIDTH} projections={ANGLES}')
        counts = np.random.default_rng(1).poisson(PHOTONS * np.exp(-exact.repeat(FRAMES, 0))).astype(np.uint16)
        with h5py.File(f'{folder}/scan.h5', 'w') as file:
            file['exchange/data'] = counts
            file['exchange/theta'] = np.repeat(np.arange(ANGLES) * 180 / ANGLES, FRAMES)
        pictures = [(title, launch(folder, f'read path={folder}/scan.h5 {node} ! minus-log air={PHOTONS} ! reconstruct')[0])
                    for title, node in (('one frame', f'projections=::{FRAMES}'), (f'average number={FRAMES}', f'! average number={FRAMES}'))]
    sheet = Image.new('L', (len(pictures) * WIDTH, WIDTH + 14), 255)
    for i, (title, values) in enumerate(pictures):
        ImageDraw.Draw(sheet).text((i * WIDTH + 4, 1), title, 0)
        sheet.paste(Image.fromarray(np.clip(values * 25000, 0, 255).astype(np.uint8)), (i * WIDTH, 14))
    sheet.quantize(32, dither=Image.Dither.NONE).save(ROOT / 'docs/images/average.png', optimize=True)


if __name__ == '__main__':
    main()
