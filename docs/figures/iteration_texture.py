#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""How much of a fine texture is left by a window and by `tv`, for the object `texture` of iteration.py, whose grains are weaker than the
noise: fits values of a slice by the grains and by the regions below them.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/iteration_texture.py [--page]
"""
import sys

import numpy as np
from iteration import PAGE
from iteration_methods import ours
from iteration_scans import circle, made_up, phantoms, texture
from measured import put

SIZE, VIEWS = 512, (180, 720)
WAYS = {'no window': {'method': 'fourier'}, 'hann, cutoff=0.5': {'method': 'fourier', 'window': 'hann', 'cutoff': .5},
        **{f'`tv`, strength={strength:g}': {'method': 'tv', 'strength': strength} for strength in (.25, .5, 1, 2)}}


def main():
    (disc, *regions), grains = texture()
    inside = circle(SIZE, .84)
    parts = [phantoms.image(SIZE, *what)[inside] for what in (([], grains), (regions, []))]
    shares = np.stack([*parts, np.ones(inside.sum())], axis=1)
    rows = {name: [name] for name in WAYS}
    for views in VIEWS:
        scan = made_up('texture', views, SIZE)
        for name, how in WAYS.items():
            values = ours(scan, 2, 1, **how)[inside]
            left = np.linalg.lstsq(shares, values, rcond=None)[0]
            alike = np.corrcoef(values - shares[:, 1:] @ left[1:], parts[0])[0, 1]
            rows[name] += [f'{100 * left[0]:.0f} %', f'{100 * left[1]:.0f} %', f'{alike:.2f}']
    heads = [f'{what}, {views} views' for views in VIEWS for what in ('grains', 'regions', 'correlation')]
    return put('texture', ['', *heads], list(rows.values()), '--page' in sys.argv, PAGE)


if __name__ == '__main__':
    main()
