#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A grid seen through a lens, before and after undistort: draws docs/images/undistort.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/undistort.py

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


def launch(folder, line, name='out.h5'):
    subprocess.run([PROGRAM, 'launch', '-q', '--device=native', f'{line} ! write path={folder}/{name} overwrite=true'], check=True)
    with h5py.File(f'{folder}/{name}') as file:
        return file['exchange/data'][:]


def sheet(pictures, name):
    height, width = pictures[0][1].shape
    image = Image.new('L', (len(pictures) * width, height + 14), 255)
    for i, (title, values) in enumerate(pictures):
        ImageDraw.Draw(image).text((i * width + 4, 1), title, 0)
        image.paste(Image.fromarray(np.clip(values * 255, 0, 255).astype(np.uint8)), (i * width, 14))
    image.quantize(32, dither=Image.Dither.NONE).save(ROOT / 'docs/images' / name, optimize=True)


def main():
    y, x = np.mgrid[:240, :300].astype(float)
    u, v = x - 150, y - 120
    r = np.hypot(u, v)
    # Where a place of the image is seen through the lens: the inverse of the polynomial, by iterations.
    scale = np.ones_like(r)
    for _ in range(20):
        scale = 1 / (1 + 4e-6 * (r * scale)**2)
    grid = ((u * scale) % 30 < 3) | ((v * scale) % 30 < 3)
    with tempfile.TemporaryDirectory() as folder:
        with h5py.File(f'{folder}/grid.h5', 'w') as file:
            file['exchange/data'], file['exchange/theta'] = grid[None].astype(np.float32), np.zeros(1)
        Path(f'{folder}/lens.txt').write_text('xcenter = 150\nycenter = 120\nfactor0 = 1\nfactor1 = 0\nfactor2 = 4e-6\n')
        pictures = []
        for title, node in ('before', ''), ('undistort', f'! undistort file={folder}/lens.txt'):
            pictures.append((title, 1 - .8 * launch(folder, f'read path={folder}/grid.h5 {node}')[0]))
        sheet(pictures, 'undistort.png')


if __name__ == '__main__':
    main()
