#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Sinogram and slice of half acquisition before and after stitch-360: draws docs/images/stitch-360.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/stitch-360.py

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
WIDE, WIDTH, AXIS, ANGLES, PHOTONS = 384, 230, 192.3, 600, 3e5
GAP, TITLE = 12, 14


def launch(folder, line):
    subprocess.run([PROGRAM, 'launch', '-q', '--device=native', f'{line} ! write path={folder}/out.h5 overwrite=true'], check=True)
    with h5py.File(f'{folder}/out.h5') as file:
        return file['exchange/data'][:]


def main():
    with tempfile.TemporaryDirectory() as folder:
        exact = launch(folder, f'simulate width={WIDE} axis={AXIS} projections={ANGLES} angles=0:360')[:, :, :WIDTH]
        scan = -np.log(np.random.default_rng(7).poisson(PHOTONS * np.exp(-exact)) / PHOTONS)
        with h5py.File(f'{folder}/scan.h5', 'w') as file:
            file['exchange/data'], file['exchange/theta'] = scan.astype(np.float32), np.arange(ANGLES) * 360 / ANGLES
        read = f'read path={folder}/scan.h5 axis={AXIS}'
        pictures = [(f'a whole turn, axis {AXIS} of {WIDTH}', scan[::2, 0], 2.5),
                    ('its slice', launch(folder, f'{read} ! reconstruct')[0], 0.012),
                    ('stitch-360', launch(folder, f'{read} ! stitch-360')[:, 0], 2.5),
                    ('its slice', launch(folder, f'{read} ! stitch-360 ! reconstruct')[0], 0.012)]
    sheet = Image.new('L', (sum(p.shape[1] + GAP for _, p, _ in pictures), TITLE + max(p.shape[0] for _, p, _ in pictures)), 255)
    at = 0
    for title, values, white in pictures:
        ImageDraw.Draw(sheet).text((at + 4, 1), title, 0)
        sheet.paste(Image.fromarray(np.clip(values / white * 255, 0, 255).astype(np.uint8)), (at, TITLE))
        at += values.shape[1] + GAP
    sheet.quantize(32, dither=Image.Dither.NONE).save(ROOT / 'docs/images/stitch-360.png', optimize=True)


if __name__ == '__main__':
    main()
