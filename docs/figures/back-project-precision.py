#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What precision= and interpolation= of back-project cost, on a simulated head and on a measured tooth.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/back-project-precision.py [--tooth FILE] [NAME ...]

NAME is shepp-logan or tooth, both without any. Prints tables in Markdown and draws docs/images/back-project-NAME.png.
The truth is the definition of back-projection in float64, of the same filtered sinogram that the program used.
SINOGRAPH names the program, else it is that of the build; the tooth is tooth.h5 of SINO_TEST_DATA, else of ../shared/data.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import matplotlib
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
import precision_figure  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
INTERPOLATIONS = 'linear', 'nearest', 'oversample'
PRECISIONS = 'single', 'int16', 'half-storage', 'half', 'auto'
# Nearer to the border of two points, in points, rounding of single precision decides which one is nearest.
NEAR = 2e-5
# 40000 photons are 0.5 % noise in the open beam. The tooth's axis is 296.5; there rays at 0 and 90 degrees would run
# exactly along the borders of columns, where 'nearest' is whatever rounding makes of it.
SCANS = {
    'shepp-logan': {
        'title': 'Shepp-Logan, 1024 x 1024 pixels, 1024 projections, 0.5 % noise',
        'source': 'simulate width=1024 height=32 projections=1024 type=u16 bits=16 photons=40000 darks=4 flats=40',
        'window': 'ram-lak', 'axis': 512, 'row': 13, 'column': 535, 'zoom': 140,
    },
    'tooth': {
        'title': 'Tooth, 640 x 640 pixels, 181 projections',
        'source': 'read path={tooth}',
        'window': 'shepp-logan', 'axis': 296.47, 'row': 0, 'column': 300, 'zoom': 280,
    },
}


def sinograph(*words):
    program = os.environ.get('SINOGRAPH', ROOT / 'build/src/cli/sinograph')
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f'sinograph {" ".join(map(str, words))}: {done.stderr}')
    return done.stdout


def define(sinogram, angles, axis):
    """The slice of each interpolation by its definition in float64; NaN where rounding decides what is nearest."""
    count, n = sinogram.shape
    middle = np.arange(n) + 0.5 - n / 2
    slices = {name: np.zeros((n, n)) for name in INTERPOLATIONS}
    margin = 2 + n  # zeros around the bins, for the corners
    for theta, row in zip(angles, sinogram):
        bins = np.pad(row.astype(np.float64), margin)
        steps = np.append(np.diff(bins), 0)
        along, down = margin + axis - 0.5 + middle * np.cos(theta), middle * np.sin(theta)
        for first in range(0, n, 32):  # so many rows stay in the cache
            part = slice(first, first + 32)
            at = along - down[part, None]
            left = np.floor(at).astype(np.intp)
            slices['linear'][part] += bins[left] + (at - left) * steps[left]
            for name, fine in ('nearest', 1), ('oversample', 4):
                point = at * fine
                to = np.floor(point + 0.5)
                unclear = np.abs(np.abs(point - to) - 0.5) < NEAR
                if fine == 1:
                    value = bins[to.astype(np.intp)]
                else:
                    to /= fine
                    left = np.floor(to).astype(np.intp)
                    value = bins[left] + (to - left) * steps[left]
                value[unclear] = np.nan
                slices[name][part] += value
    return {name: image * np.pi / count for name, image in slices.items()}


def errors(got, truth):
    """Relative root mean square error, and the largest difference of the largest value."""
    known = ~np.isnan(truth)
    difference, truth = got[known] - truth[known], truth[known]
    return np.sqrt(np.mean(difference**2) / np.mean(truth**2)), np.abs(difference).max() / np.abs(truth).max()


def reconstruct(folder, scan, rows='', **properties):
    """The slice looked at, and what the program says of how it was computed."""
    words = ' '.join(f'{name}={value}' for name, value in properties.items())
    line = (f'read path={folder}/filtered.h5 {rows} ! interleave ! back-project axis={scan["axis"]} {words} ! '
            f'write path={folder}/out.h5 overwrite=true')
    plan = sinograph('plan', '--device=native', line)
    remark = re.search(r'native kernel, (.*)', plan)[1].strip()
    stats = sinograph('launch', '--quiet', '--stats', '--device=native', line)
    again = re.search(r'single-precision-slices\D*(\d+)', stats)
    with h5py.File(f'{folder}/out.h5') as file:
        data = next(d for d in file['exchange'].values() if d.ndim == 3)
        image = data[0 if rows else scan['row']].astype(np.float64)
    return image, remark + (f'; {again[1]} slices again in single precision' if again else '')


def cell(values):
    return '{:.2g} / {:.2g}'.format(*values)


def measure(name, scan, tooth):
    with tempfile.TemporaryDirectory() as folder:
        source = scan['source'].format(tooth=tooth)
        sinograph('launch', '--quiet', f'{source} ! flat-field ! ramp-filter window={scan["window"]} ! '
                  f'write path={folder}/filtered.h5')
        with h5py.File(f'{folder}/filtered.h5') as file:
            angles = np.deg2rad(file['exchange/theta'][:].astype(np.float64))
            sinogram = file['exchange/data'][:, scan['row']]
        truth = define(sinogram, angles, scan['axis'])
        images, remarks = {}, {}
        alone = f'rows={scan["row"]}:{scan["row"] + 1}'
        for how in INTERPOLATIONS:
            for precision in PRECISIONS:
                images[precision, how], said = reconstruct(folder, scan, precision=precision, interpolation=how)
                if how == 'linear':
                    remarks[precision] = said
            images['one slice', how], said = reconstruct(folder, scan, alone, interpolation=how)
            if how == 'linear':
                remarks['one slice'] = said

    print(f'\n{scan["title"]}\n')
    print('| `precision` | linear | nearest | oversample | nearest, from linear | oversample, from linear |')
    print('|---|---|---|---|---|---|')
    for precision in ['one slice', *PRECISIONS]:
        print(f'| {precision} |', ' | '.join(
            [cell(errors(images[precision, how], truth[how])) for how in INTERPOLATIONS] +
            [cell(errors(images[precision, how], truth['linear'])) for how in INTERPOLATIONS[1:]]), '|')
    for how in INTERPOLATIONS[1:]:
        print(f'\n{how}: {np.isnan(truth[how]).mean():.1%} of the pixels left out, where rounding decides what is nearest')
    for precision, said in remarks.items():
        print(f'\n`{precision}`: {said}')
    sys.stdout.flush()
    return images, truth


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('names', nargs='*', metavar='NAME', help=' or '.join(SCANS))
    parser.add_argument('--tooth', type=Path,
                        default=Path(os.environ.get('SINO_TEST_DATA', ROOT / '../shared/data')) / 'tooth.h5')
    options = parser.parse_args()
    matplotlib.use('Agg')
    for name in options.names or SCANS:
        if name == 'tooth' and not options.tooth.exists():
            print(f'\nskipping the tooth: {options.tooth} is absent')
            continue
        images, truth = measure(name, SCANS[name], options.tooth.resolve())
        precision_figure.draw(ROOT / f'docs/images/back-project-{name}.png', SCANS[name], images, truth)


if __name__ == '__main__':
    main()
