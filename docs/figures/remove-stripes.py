#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A slice with rings before and after remove-stripes: draws docs/images/remove-stripes.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/remove-stripes.py

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
WIDTH, ANGLES, PHOTONS = 512, 768, 1e5
CUT = slice(130, 382)


def launch(folder, line):
    subprocess.run([PROGRAM, 'launch', '-q', '--device=native', f'{line} ! write path={folder}/out.h5 overwrite=true'], check=True)
    with h5py.File(f'{folder}/out.h5') as file:
        return file['exchange/data'][:]


def with_rings(exact):
    """Noise, gains that are 2 % off, a wide stripe, a dead column, and one that fluctuates."""
    rng = np.random.default_rng(7)
    scan = -np.log(rng.poisson(PHOTONS * np.exp(-exact)) / PHOTONS) - np.log(1 + rng.normal(0, 0.02, WIDTH))
    broken = scan.copy()
    broken[:, 0, 196:202] += 0.15
    broken[:, 0, 330] = 0.4
    broken[:, 0, 290] += rng.normal(0, 0.2, ANGLES)
    return scan, broken


def main():
    pictures = []
    with tempfile.TemporaryDirectory() as folder:
        exact = launch(folder, f'simulate width={WIDTH} projections={ANGLES}')
        for name, projections, bridged in zip(
                ('gains 2 % off', 'broken columns, too'), with_rings(exact), ('', ' bridge=true')):
            with h5py.File(f'{folder}/scan.h5', 'w') as file:
                file['exchange/data'], file['exchange/theta'] = projections.astype(np.float32), np.arange(ANGLES) * 180 / ANGLES
            for node in '', f'remove-stripes{bridged}', 'remove-stripes method=all', 'remove-stripes method=wavelet-fourier':
                words = f'{node} ! ' if node else ''
                image = launch(folder, f'read path={folder}/scan.h5 ! interleave ! {words}reconstruct')[0, CUT, CUT]
                pictures.append((node or name, np.clip(image / 0.004 * 255, 0, 255).astype(np.uint8)))
    size = CUT.stop - CUT.start
    sheet = Image.new('L', (4 * size, 2 * (size + 14)), 255)
    for i, (title, grey) in enumerate(pictures):
        at = i % 4 * size, i // 4 * (size + 14)
        ImageDraw.Draw(sheet).text((at[0] + 4, at[1] + 1), title, 0)
        sheet.paste(Image.fromarray(grey), (at[0], at[1] + 14))
    sheet.quantize(32, dither=Image.Dither.NONE).save(ROOT / 'docs/images/remove-stripes.png', optimize=True)


if __name__ == '__main__':
    main()
