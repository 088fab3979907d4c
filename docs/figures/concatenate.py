#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Cuts along the axis of two scans that overlap, and of both joined by concatenate: draws docs/images/concatenate.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/concatenate.py

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
WIDTH, HEIGHT, OVERLAP = 256, 100, 30


def launch(folder, line):
    subprocess.run([PROGRAM, 'launch', '-q', '--device=native', f'{line} ! write path={folder}/out.h5 overwrite=true'], check=True)
    with h5py.File(f'{folder}/out.h5') as file:
        return file['exchange/data'][:, WIDTH // 2]


def main():
    away = (HEIGHT - OVERLAP) / 2 / (WIDTH / 2)
    scans = [f'simulate object=shepp-logan-3d width={WIDTH} height={HEIGHT} projections=360 z={z} photons=20000 seed={seed} '
             f'darks=5 flats=20 type=u16 exposure={exposure} ! flat-field ! reconstruct' for z, seed, exposure in ((away, 1, 0.8), (-away, 2, 0.3))]
    with tempfile.TemporaryDirectory() as folder:
        pictures = [('the upper scan', launch(folder, scans[0])), ('the lower scan', launch(folder, scans[1])),
                    (f'concatenate overlap={OVERLAP}', launch(folder, f'[{scans[0]}, {scans[1]}] ! concatenate overlap={OVERLAP}'))]
    sheet = Image.new('L', (len(pictures) * WIDTH, len(pictures[-1][1]) + 14), 255)
    for i, (title, values) in enumerate(pictures):
        ImageDraw.Draw(sheet).text((i * WIDTH + 4, 1), title, 0)
        top = len(pictures[-1][1]) - len(values) if i == 1 else 0
        sheet.paste(Image.fromarray(np.clip(values * 25000, 0, 255).astype(np.uint8)), (i * WIDTH, 14 + top))
    sheet.quantize(32, dither=Image.Dither.NONE).save(ROOT / 'docs/images/concatenate.png', optimize=True)


if __name__ == '__main__':
    main()
