#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""An image before and after each node that moves pixels or maps values, and a slice before and after find-axis: draws docs/images/NODE.png.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/before-after.py

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
HEAD = 'simulate object=shepp-logan-3d width=220 height=160 projections=1'
COUNTS = HEAD + ' type=u16 photons=300'
SLICE = 'phantom width=220'

# What goes in, and the node.
MOVED = {
    'crop': (HEAD, 'crop x=30 width=110 y=40 height=90'),
    'pad': (HEAD + ' ! crop x=60 width=100', 'pad left=60 right=60'),
    'bin': (COUNTS, 'bin columns=4'),
    'transpose': ('phantom object=shepp-logan width=220 ! crop x=20 width=150', 'transpose'),
    'flip': (HEAD + ' angles=30:31', 'flip geometry=stays'),
    'minus-log': (HEAD + ' ! calculate expression="exp(-x)"', 'minus-log'),
    'calculate': (SLICE, 'calculate expression="min(x, 0.004)"'),
}


def made(folder, line):
    subprocess.run([PROGRAM, 'launch', '-q', '--device=native', f'{line} ! write path={folder}/out.h5 overwrite=true'], check=True)
    with h5py.File(f'{folder}/out.h5') as file:
        return file['exchange/data'][:].astype(float)[0]


def grey(image, limits=None):
    low, high = limits or (image.min(), image.max())
    return np.clip((image - low) / (high - low) * 255, 0, 255).astype(np.uint8)


def sheet(name, pictures):
    """Titled images beside each other."""
    gap, top = 8, 14
    widths = [max(image.shape[1], 6 * len(title) + 2) + gap for title, image in pictures]
    canvas = Image.new('L', (sum(widths) - gap, top + max(image.shape[0] for _, image in pictures)), 255)
    for i, (title, image) in enumerate(pictures):
        ImageDraw.Draw(canvas).text((sum(widths[:i]) + 1, 1), title, 0)
        canvas.paste(Image.fromarray(image), (sum(widths[:i]), top))
    canvas.quantize(32, dither=Image.Dither.NONE).save(ROOT / 'docs/images' / f'{name}.png', optimize=True)


def larger(image, times):
    return image.repeat(times, 0).repeat(times, 1)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, (line, node) in MOVED.items():
            before, after = made(folder, line), made(folder, f'{line} ! {node}')
            after = grey(after, None if name in ('minus-log', 'calculate') else (before.min(), before.max()))
            sheet(name, [('before', grey(before)), (node.replace('"', ''), larger(after, 4) if name == 'bin' else after)])
        before = made(folder, SLICE)
        before[40, 50] = before[100, 180] = 3 * before.max()  # two wild pixels
        with h5py.File(f'{folder}/wild.h5', 'w') as file:
            file['exchange/data'] = before[None].astype(np.float32)
        after = made(folder, f'read path={folder}/wild.h5 axes=slices ! rescale percentiles=0.1:99.9')
        sheet('rescale', [('least to greatest value', grey(before)), ('rescale percentiles=0.1:99.9', after.astype(np.uint8))])
        scan = 'simulate width=220 projections=300 axis=118.3'
        subprocess.run([PROGRAM, 'launch', '-q', f'{scan} ! write path={folder}/scan.h5'], check=True)
        with h5py.File(f'{folder}/scan.h5', 'a') as file:
            del file['exchange/rotation_axis']
        slices = [made(folder, f'read path={folder}/scan.h5 {node} ! crop x=10 y=10 width=200 height=200')
                  for node in ('! reconstruct axis=110', '! find-axis ! reconstruct')]
        limits = slices[1].min(), np.percentile(slices[1], 99)
        sheet('find-axis', [(title, grey(image, limits)) for title, image in zip(('the middle column, 110', 'find-axis: 118.3'), slices)])


if __name__ == '__main__':
    main()
