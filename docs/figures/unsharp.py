#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A slice that a Gaussian has smoothed, before and after unsharp: draws docs/images/unsharp.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/unsharp.py

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
WIDTH, ANGLES, PHOTONS = 384, 576, 1e6
CUT = slice(64, 320)


def launch(folder, line):
    subprocess.run([PROGRAM, 'launch', '-q', '--device=native', f'{line} ! write path={folder}/out.h5 overwrite=true'], check=True)
    with h5py.File(f'{folder}/out.h5') as file:
        return file['exchange/data'][:]


def main():
    pictures = []
    with tempfile.TemporaryDirectory() as folder:
        exact = launch(folder, f'simulate width={WIDTH} projections={ANGLES}')
        noisy = -np.log(np.random.default_rng(2).poisson(PHOTONS * np.exp(-exact)) / PHOTONS)
        with h5py.File(f'{folder}/scan.h5', 'w') as file:
            file['exchange/data'], file['exchange/theta'] = noisy.astype(np.float32), np.arange(ANGLES) * 180 / ANGLES
        blurred = f'read path={folder}/scan.h5 ! reconstruct ! unsharp sigma=1.5 amount=-1'  # the Gaussian by itself
        for title, node in ('smoothed', ''), ('unsharp sigma=1.5', ' ! unsharp sigma=1.5'), ('unsharp sigma=1.5 amount=4', ' ! unsharp sigma=1.5 amount=4'):
            pictures.append((title, launch(folder, blurred + node)[0, CUT, CUT] / 0.006))
    size = CUT.stop - CUT.start
    sheet = Image.new('L', (len(pictures) * size, size + 14), 255)
    for i, (title, values) in enumerate(pictures):
        ImageDraw.Draw(sheet).text((i * size + 4, 1), title, 0)
        sheet.paste(Image.fromarray(np.clip(values * 255, 0, 255).astype(np.uint8)), (i * size, 14))
    sheet.quantize(48, dither=Image.Dither.NONE).save(ROOT / 'docs/images/unsharp.png', optimize=True)


if __name__ == '__main__':
    main()
