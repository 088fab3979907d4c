#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The sheet of slices with one axis each: draws docs/images/try-axes.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/try-axes.py

SINOGRAPH names the program, else it is that of the build."""
import os
import subprocess
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get('SINOGRAPH', ROOT / 'build/src/cli/sinograph')
SCAN, PICTURE = ROOT / 'tests/data/tooth-slice.h5', ROOT / 'docs/images/try-axes.png'


def main():
    subprocess.run([PROGRAM, 'launch', '-q', '--device=native',
                    f'read path={SCAN} ! flat-field ! reconstruct axis=293.5:301.5:1.5 roi-x=210 roi-y=190 roi-width=240 roi-height=280 ! '
                    f'preview path={PICTURE} overwrite=true'], check=True)
    sheet = Image.open(PICTURE)
    sheet.quantize(16, dither=Image.Dither.NONE).save(PICTURE, optimize=True)


if __name__ == '__main__':
    main()
