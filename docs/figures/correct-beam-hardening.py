#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A cylinder of steel in a beam of many energies, before and after correct-beam-hardening, and profiles through its middle: draws
docs/images/correct-beam-hardening.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/correct-beam-hardening.py

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
sys.path.insert(0, str(ROOT / 'tests/filters/beam-hardening'))
from hardened import Beam, chords, write

PROGRAM = os.environ.get('SINOGRAPH', ROOT / 'build/src/cli/sinograph')
WIDTH, PIXEL, RADIUS, HOLES = 220, .012, 1.0, ((-.3, .28, .11), (.35, .12, .06), (.06, -.44, .16))
DEGREES = np.arange(330) * 180 / 330
TUBE = "material=Fe voltage=60 filter='Al 1 mm'"


def main():
    rng = np.random.default_rng(5)
    lengths = chords(DEGREES, WIDTH, PIXEL, (0, 0, RADIUS)) - sum(chords(DEGREES, WIDTH, PIXEL, hole) for hole in HOLES)
    attenuation = Beam(60).attenuation(Fe=lengths)
    slices = []
    with tempfile.TemporaryDirectory() as folder:
        write(f'{folder}/scan.h5', attenuation + .01 * rng.standard_normal(attenuation.shape), 2, DEGREES, rotation_axis=[WIDTH / 2])
        for node in '', ' ! correct-beam-hardening', f' ! correct-beam-hardening {TUBE}':
            line = f'read path={folder}/scan.h5 values=attenuation{node} ! reconstruct ! write path={folder}/out.h5 overwrite=true'
            subprocess.run([PROGRAM, 'launch', '-q', '--device=native', line], check=True)
            with h5py.File(f'{folder}/out.h5') as file:
                slices.append(file['exchange/data'][0])
    top, gap = 14, 8
    most = max(np.percentile(image, 99.9) for image in slices)
    sheet = Image.new('L', (4 * (WIDTH + gap) - gap, WIDTH + top), 255)
    draw = ImageDraw.Draw(sheet)
    for i, (title, image) in enumerate(zip(('before', 'found from the scan', 'Fe, 60 kV, 1 mm Al'), slices)):
        left = i * (WIDTH + gap)
        draw.text((left + 1, 1), title, 0)
        sheet.paste(Image.fromarray(np.clip(image / np.percentile(image, 99) * 200, 0, 255).astype(np.uint8)), (left, top))
    left = 3 * (WIDTH + gap)
    draw.text((left + 1, 1), 'rows through the middle', 0)
    for image, shade in zip(slices, (0, 90, 170)):
        profile = image[WIDTH // 2 - 5:WIDTH // 2 + 5].mean(0) / most
        points = [(left + x, top + WIDTH - 10 - float(value) * (WIDTH - 30)) for x, value in enumerate(profile)]
        draw.line(points, shade, 2 if shade == 0 else 1)
    sheet.quantize(32, dither=Image.Dither.NONE).save(ROOT / 'docs/images/correct-beam-hardening.png', optimize=True)


if __name__ == '__main__':
    main()
