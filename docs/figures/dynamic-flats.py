#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A projection and a cut through the volume of a scan whose beam wanders, with flat-field alone and with dynamic-flats before it: draws
docs/images/dynamic-flats.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/dynamic-flats.py

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


def beams(n, rng):
    """Stripes that go up and down."""
    rows = np.arange(HEIGHT) + rng.normal(0, 2, (n, 1))
    stripes = 1 + 0.2 * np.sin(rows * 0.2) + 0.1 * np.sin(rows * 0.53)
    return PHOTONS * np.repeat(stripes[:, :, None], WIDTH, 2)


def main():
    rng, pictures = np.random.default_rng(5), []
    with tempfile.TemporaryDirectory() as folder:
        exact = launch(folder, f'simulate object=shepp-logan-3d width={WIDTH} height={HEIGHT} projections={ANGLES}')
        with h5py.File(f'{folder}/scan.h5', 'w') as file:
            for name, photons in {'data': beams(ANGLES, rng) * np.exp(-exact), 'data_white': beams(24, rng), 'data_dark': np.zeros((5, HEIGHT, WIDTH))}.items():
                file[f'exchange/{name}'] = rng.poisson(photons + 100).astype(np.uint16)
            file['exchange/theta'] = np.arange(ANGLES) * 180 / ANGLES
        for title, node in ('flat-field', ''), ('dynamic-flats', 'dynamic-flats ! '):
            source = f'read path={folder}/scan.h5 ! {node}flat-field'
            projections = launch(folder, source)
            middle = launch(folder, source + ' ! reconstruct')[:, WIDTH // 2]
            pictures += [(f'{title}: a projection', np.exp(-projections[20]) * 1.1), (f'{title}: a cut along the axis', middle / 0.008)]
    sheet = Image.new('L', (len(pictures) * WIDTH, HEIGHT + 14), 255)
    for i, (title, values) in enumerate(pictures):
        ImageDraw.Draw(sheet).text((i * WIDTH + 4, 1), title, 0)
        sheet.paste(Image.fromarray(np.clip(values * 200, 0, 255).astype(np.uint8)), (i * WIDTH, 14))
    sheet.quantize(32, dither=Image.Dither.NONE).save(ROOT / 'docs/images/dynamic-flats.png', optimize=True)


if __name__ == '__main__':
    main()
