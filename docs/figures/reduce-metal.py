#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Slices of a body with two iron rods before and after reduce-metal: draws docs/images/reduce-metal.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/reduce-metal.py

SINOGRAPH names the program, else it is that of the build."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests/filters'))
from metal import BODY, RODS, Scan

PROGRAM = os.environ.get('SINOGRAPH', ROOT / 'build/src/cli/sinograph')
SCAN = Scan(320, 1, 360)
GAP, TOP = 8, 14


def slice_of(folder, parts, node=''):
    read = SCAN.save(f'{folder}/scan.h5', SCAN.attenuation(parts, 2e5))
    subprocess.run([PROGRAM, 'launch', '-q', '--device=native', f'read {read} {node} ! reconstruct ! write path={folder}/out.h5 overwrite=true'],
                   check=True)
    with h5py.File(f'{folder}/out.h5') as file:
        return file['exchange/data'][0]


def main():
    with tempfile.TemporaryDirectory() as folder:
        images = [('without rods', slice_of(folder, BODY)), ('two iron rods', slice_of(folder, BODY + RODS)),
                  ('reduce-metal', slice_of(folder, BODY + RODS, '! reduce-metal'))]
    water = .2 * 8 / SCAN.half  # of a voxel
    size = SCAN.n + GAP
    sheet = Image.new('L', (len(images) * size - GAP, TOP + SCAN.n), 255)
    for i, (title, image) in enumerate(images):
        ImageDraw.Draw(sheet).text((i * size + 1, 1), title, 0)
        sheet.paste(Image.fromarray(np.clip(image / (2 * water) * 255, 0, 255).astype(np.uint8)), (i * size, TOP))
    sheet.quantize(32, dither=Image.Dither.NONE).save(ROOT / 'docs/images/reduce-metal.png', optimize=True)


if __name__ == '__main__':
    main()
