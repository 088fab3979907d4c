#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A slice far from the middle row of a detector that leaned, before and after rotate: draws docs/images/rotate.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/rotate.py

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
    with tempfile.TemporaryDirectory() as folder:
        launch(folder, 'simulate object=shepp-logan width=300 height=160 projections=400 detector-roll=2 middle-row=80 axis=150', 'lean.h5')
        with h5py.File(f'{folder}/lean.h5', 'a') as file:
            del file['exchange/geometry']
        pictures = []
        for title, node in ('before', ''), ('rotate angle=-2', '! rotate angle=-2 interpolation=cubic'):
            volume = launch(folder, f'read path={folder}/lean.h5 {node} ! reconstruct axis=150')
            pictures.append((f'{title}: row 20', volume[20] / .01 + .1))
        sheet(pictures, 'rotate.png')


if __name__ == '__main__':
    main()
