#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A slice of a sample that drifted, before and after shift: draws docs/images/shift.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/shift.py

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
    drift = 3 * np.sin(np.arange(400) / 60)
    with tempfile.TemporaryDirectory() as folder:
        scan = launch(folder, 'simulate object=shepp-logan width=300 height=2 projections=400 axis=150', 'drift.h5')
        columns = np.arange(300)
        with h5py.File(f'{folder}/drift.h5', 'a') as file:
            file['exchange/data'][...] = [[np.interp(columns - dx, columns, row) for row in image] for image, dx in zip(scan, drift)]
        np.savetxt(f'{folder}/back.txt', -drift)
        pictures = []
        for title, node in ('before', ''), ('shift', f'! shift file={folder}/back.txt interpolation=cubic'):
            pictures.append((title, launch(folder, f'read path={folder}/drift.h5 {node} ! reconstruct axis=150')[0] / .01 + .1))
        sheet(pictures, 'shift.png')


if __name__ == '__main__':
    main()
