#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A sinogram and a slice of a beam that jumps and decays, before and after correct-dose: draws docs/images/correct-dose.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/correct-dose.py

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
WIDTH, ANGLES = 256, 256


def launch(folder, line, name='out.h5'):
    subprocess.run([PROGRAM, 'launch', '-q', '--device=native', f'{line} ! write path={folder}/{name} overwrite=true'], check=True)
    with h5py.File(f'{folder}/{name}') as file:
        return file['exchange/data'][:]


def main():
    rng = np.random.default_rng(5)
    beam = np.exp(-np.arange(ANGLES) / 800) * rng.uniform(.9, 1.1, ANGLES)
    pictures = []
    with tempfile.TemporaryDirectory() as folder:
        launch(folder, f'simulate object=shepp-logan width={WIDTH} height=2 projections={ANGLES} type=u16 photons=30000 flats=20 darks=1', 'scan.h5')
        with h5py.File(f'{folder}/scan.h5', 'a') as file:
            dark = file['exchange/data_dark'][:].mean(0)
            file['exchange/data'][...] = np.rint(dark + (file['exchange/data'][:] - dark) * beam[:, None, None])
        for title, node in ('before', ''), ('correct-dose', ' ! correct-dose width=8'):
            source = f'read path={folder}/scan.h5 ! flat-field{node} ! interleave'
            sinogram = launch(folder, source)[0]
            middle = launch(folder, source + ' ! reconstruct')[0]
            pictures += [(f'{title}: a sinogram', sinogram / sinogram.max()), (f'{title}: a slice', middle / .01 + .1)]
    sheet = Image.new('L', (len(pictures) * WIDTH, WIDTH + 14), 255)
    for i, (title, values) in enumerate(pictures):
        ImageDraw.Draw(sheet).text((i * WIDTH + 4, 1), title, 0)
        sheet.paste(Image.fromarray(np.clip(values * 255, 0, 255).astype(np.uint8)), (i * WIDTH, 14))
    sheet.quantize(32, dither=Image.Dither.NONE).save(ROOT / 'docs/images/correct-dose.png', optimize=True)


if __name__ == '__main__':
    main()
