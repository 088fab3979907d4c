#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What the windows of fourier-reconstruct do to noise and edges beside back-project, and where the slices of both differ.

usage: meson devenv -C build /usr/bin/python3 ../docs/figures/fourier-quality.py [--tooth FILE] [--size N]

Prints a table in Markdown and draws docs/images/fourier-difference.png. SINOGRAPH names the program, else it is that
of the build; the tooth is tooth.h5 of SINO_TEST_DATA, else of ../shared/data, and left out of the picture if absent.
"""
import argparse
import io
import json
import os
import sys
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / 'tests/reference'), str(ROOT / 'tests/graphs')]
os.environ.setdefault('SINOGRAPH', str(ROOT / 'build/src/cli/sinograph'))
import exact  # noqa: E402
import fbp  # noqa: E402
import fourier_scans as scans  # noqa: E402

WAYS = {
    'back-project, linear': lambda scan: scans.direct(scan),
    '`ram-lak`': lambda scan: scans.fourier(scan, 'window=ram-lak'),
    '`shepp-logan` (`sinc`, `power=1`)': lambda scan: scans.fourier(scan, 'window=shepp-logan'),
    '`sinc`, `power=1.5`, the default': lambda scan: scans.fourier(scan),
    '`sinc`, `power=2`': lambda scan: scans.fourier(scan, 'power=2'),
    '`cosine`': lambda scan: scans.fourier(scan, 'window=cosine'),
    '`hann`': lambda scan: scans.fourier(scan, 'window=hann'),
}
DISC = 0.53  # radius in half widths


def error(image, truth, where, scale):
    return np.sqrt(np.mean((image[where].astype(np.float64) - truth[where])**2)) / scale


def edge_width(image):
    """Pixels over which a disc's edge rises from 10 to 90 %, from all pixels next to it by their distance."""
    n = len(image)
    middle = np.arange(n) + 0.5 - n / 2
    beyond = np.hypot(middle[None, :], middle[:, None]) - DISC * n / 2
    bins = np.arange(-12, 12.01, 0.05)
    near = np.abs(beyond) < 12
    place = np.digitize(beyond[near], bins)
    sums, counts = (np.bincount(place, weights, len(bins) + 1)[1:-1] for weights in (image[near], None))
    profile, at = sums / counts, (bins[1:] + bins[:-1]) / 2
    # The last crossings before and after the middle: the window's ringing lies beyond them.
    profile /= scans.DENSITY * 2 / n
    inner = at[np.flatnonzero(profile[at < 0] > 0.9)[-1]]
    outer = at[at > 0][np.flatnonzero(profile[at > 0] < 0.1)[0]]
    return outer - inner


def table(n):
    scan = f'width={n} projections={n} supersampling=8'
    truth = scans.phantom(f'width={n} supersampling=8')[0]
    disc = scans.FOLDER / 'disc.json'
    disc.write_text(json.dumps([{'centre': [0, 0], 'half-axes': [DISC, DISC], 'value': 1}]))
    where = scans.regions(truth)
    scale = np.sqrt(np.mean(truth[where['all']].astype(np.float64)**2))
    print(f'{n} x {n} pixels, {n} projections\n')
    print('| window | noise, relative | edge width | edge, clean | flat | all | edge, with noise | flat | all |')
    print('|---|---|---|---|---|---|---|---|---|')
    reference = None
    for name, way in WAYS.items():
        clean, noisy = (way(scans.simulated(scan, noise))[0] for noise in (False, True))
        noise = np.std((noisy - clean)[where['flat']])
        reference = reference or noise
        width = edge_width(way(scans.simulated(f'object={disc} {scan}'))[0])
        errors = [f'{error(image, truth, where[region], scale):.4f}' for image in (clean, noisy) for region in where]
        print('|', ' | '.join([name, f'{noise / reference:.3f}', f'{width:.2f}', *errors]), '|', flush=True)


def slices(scan, axis, title, beside):
    """What both nodes make of a scan's first row, and exact interpolation; differences are shown up to `beside`."""
    rows, angles = scans.sinograms(scan)
    n = rows.shape[2]
    truth = exact.reconstruct(rows[0], angles, axis, window='sinc', where=fbp.circle(n), length=scans.padded_length(n))
    options = f'axis={axis} mask=true'
    return title, beside, scans.direct(scan, '', options)[0], scans.fourier(scan, options)[0], truth


def draw(path, objects):
    import matplotlib.pyplot as plt
    plt.rcParams.update({'font.size': 9, 'axes.titlesize': 9.5})
    figure, grid = plt.subplots(len(objects), 4, figsize=(14, 3.4 * len(objects)), layout='constrained', squeeze=False)
    for line, (title, beside, direct, fourier, truth) in zip(grid, objects):
        low, high = np.percentile(truth[fbp.circle(len(truth))], [0.5, 99.9])
        shown = [('back-project, linear', direct, 0), ('fourier-reconstruct', fourier, 0),
                 ('fourier-reconstruct $-$ back-project', fourier - direct, beside),
                 ('fourier-reconstruct $-$ exact', fourier - truth, 0.001)]
        for axes, (name, image, reach) in zip(line, shown):
            shares = image / (high - low) if reach else (image - low) / (high - low)
            limits = (-reach, reach) if reach else (0, 1)
            drawn = axes.imshow(shares, cmap=plt.get_cmap('PuOr' if reach else 'gray', 41), vmin=limits[0], vmax=limits[1],
                                interpolation='nearest')  # which leaves pixels out: averaging would hide noise
            axes.set(title=f'{title}: {name}' if axes is line[0] else name, xticks=[], yticks=[])
            if reach:
                figure.colorbar(drawn, ax=axes, shrink=0.85, label='share of the greys' if axes is line[3] else None)
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=105)
    plt.close(figure)
    # A palette keeps noise small in the file.
    Image.open(drawn).convert('RGB').quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--size', type=int, default=1024, help='of the slices in the table; 0: no table')
    parser.add_argument('--tooth', type=Path,
                        default=Path(os.environ.get('SINO_TEST_DATA', ROOT / '../shared/data')) / 'tooth.h5')
    options = parser.parse_args()
    if options.size:
        table(options.size)
    objects = [slices(scans.simulated('width=512 projections=512 supersampling=4'), 256, 'Shepp-Logan', 0.01)]
    if options.tooth.exists():
        tooth = scans.launch(f'read path={options.tooth.resolve()} rows=0:1 ! flat-field')
        objects.append(slices(tooth, 296.5, 'tooth', 0.05))
    else:
        print(f'\nwithout the tooth: {options.tooth} is absent')
    matplotlib.use('Agg')
    draw(ROOT / 'docs/images/fourier-difference.png', objects)


if __name__ == '__main__':
    main()
