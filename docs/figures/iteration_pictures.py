#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The measured tooth from every second projection, by filtered back-projection and by `tv` with three strengths, and what they take away:
draws docs/images/iteration-strength.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/iteration_pictures.py /path/of/data
"""
import sys

import numpy as np
from iteration_methods import ours
from iteration_scans import ROOT, measured
from PIL import Image, ImageDraw

AROUND, DETAIL, ENLARGED = (205, 205, 250, 265), (285, 225, 84, 89), 3  # left, top, width, height
WHITE, GREY = .0086, .0025                                         # attenuation per pixel; of differences, black and white


def part(image, where, least, most):
    left, top, width, height = where
    values = (image[top:top + height, left:left + width] - least) / (most - least)
    return Image.fromarray((255 * np.clip(values, 0, 1)).astype(np.uint8))


def enlarged(image):
    return image.resize((image.width * ENLARGED, image.height * ENLARGED), Image.Resampling.NEAREST).crop((0, 0, *AROUND[2:]))


def main():
    scan = measured('tooth', None, sys.argv[1])
    direct = ours(scan, 2, 1, method='fourier')
    columns = [('no window', direct), ('hann, cutoff=0.35', ours(scan, 2, 1, method='fourier', window='hann', cutoff=.35)),
               *((f'tv, strength={strength:g}', ours(scan, 2, 1, method='tv', strength=strength)) for strength in (.5, 1, 2))]
    for title, image in columns:
        print(f'{title}: {scan.judge(image)[0]:.4f}')
    width, height = AROUND[2:]
    sheet = Image.new('L', (len(columns) * width, 3 * height + 14), 255)
    for i, (title, image) in enumerate(columns):
        ImageDraw.Draw(sheet).text((i * width + 4, 1), title, 0)
        lost = part(direct - image, AROUND, -GREY, GREY)
        for k, tile in enumerate((part(image, AROUND, 0, WHITE), enlarged(part(image, DETAIL, 0, WHITE)), lost)):
            sheet.paste(tile, (i * width, 14 + k * height))
    ImageDraw.Draw(sheet).text((4, 18 + 2 * height), 'no window, less each slice', 0)
    sheet.quantize(12, dither=Image.Dither.NONE).save(ROOT / 'docs/images/iteration-strength.png', optimize=True)


if __name__ == '__main__':
    main()
