# SPDX-License-Identifier: LGPL-3.0-or-later
"""Draws a slice, a profile through it, and how far precisions and interpolations are from float64."""
import io

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

# Colours of Okabe and Ito, which the colour-blind tell apart.
COLOURS = {'single': '#0072B2', 'int16': '#E69F00', 'half-storage': '#009E73', 'oversample': '#CC79A7',
           'nearest': '#D55E00'}
# The panels below the profile: each its own scale.
PANELS = [('single',), ('half-storage', 'int16'), ('nearest', 'oversample')]


def chosen(images, name):
    return images[('single', name) if name in ('oversample', 'nearest') else (name, 'linear')]


def power(values):
    """The power of ten below the largest of them."""
    return int(np.floor(np.log10(np.abs(values).max())))


def show(figure, axes, image, title, unit, limits, colours):
    step = max(1, image.shape[0] // 320)  # pixels are left out, not averaged, which would hide noise
    n = image.shape[0]
    drawn = axes.imshow(image[::step, ::step], cmap=plt.get_cmap(colours, 41), vmin=limits[0], vmax=limits[1], interpolation='nearest',
                        extent=(0, n, n, 0))
    axes.set(title=title, xticks=[], yticks=[])
    figure.colorbar(drawn, ax=axes, label=unit, shrink=0.9)


def draw(path, scan, images, truth):
    plt.rcParams.update({'font.size': 9, 'axes.titlesize': 9.5})
    right = truth['linear']
    largest, column, zoom = np.abs(right).max(), scan['column'], scan['zoom']
    rows = np.arange(right.shape[0])
    figure = plt.figure(figsize=(11, 9.6), layout='constrained')
    figure.suptitle(scan['title'])
    grid = figure.add_gridspec(1, 2, width_ratios=[1, 2.1])
    pictures = grid[0].subgridspec(3, 1).subplots()
    plots = grid[1].subgridspec(5, 1, height_ratios=[1.3, 1.3, 1, 1, 1]).subplots()

    show(figure, pictures[0], right * 1e3, f'float64; profile: column {column}', '$10^{-3}$ per pixel',
         np.percentile(right * 1e3, [0.2, 99.9]), 'gray')
    pictures[0].axvline(column, color='#D55E00', linewidth=1)
    for axes, name in zip(pictures[1:], ('int16', 'oversample')):
        difference = (chosen(images, name) - right) / largest
        limit = np.percentile(np.abs(difference), 99.5)
        p = power(limit)
        limit /= 10.0**p
        show(figure, axes, difference / 10.0**p, f'{name} $-$ float64 linear', f'$10^{{{p}}}$ of the largest value',
             (-limit, limit), 'PuOr')

    for axes in plots[:2]:
        axes.plot(rows, right[:, column] * 1e3, color='black', linewidth=2.4, label='float64, linear')
        for (name, colour), style in zip(COLOURS.items(), ('-', '--', ':', '-', '-')):
            axes.plot(rows, chosen(images, name)[:, column] * 1e3, style, color=colour, linewidth=1.1, label=name)
        axes.set_ylabel('attenuation\n($10^{-3}$ per pixel)')
    low, high = plots[0].get_ylim()
    plots[0].set(xlim=(0, rows[-1]), ylim=(low, high + 0.35 * (high - low)), title='Profile')
    plots[0].legend(ncols=6, fontsize=8, loc='upper center', columnspacing=1)
    plots[0].axvspan(zoom, zoom + 40, color='0.85')
    part = right[zoom:zoom + 41, column] * 1e3
    room = 0.15 * (part.max() - part.min())
    plots[1].set(xlim=(zoom, zoom + 40), ylim=(part.min() - room, part.max() + room), title='Its grey part enlarged')
    for axes, names in zip(plots[2:], PANELS):
        lines = {name: (chosen(images, name) - right)[:, column] / largest for name in names}
        p = power(np.concatenate(list(lines.values())))
        for name, line in lines.items():
            axes.plot(rows, line / 10.0**p, color=COLOURS[name], linewidth=0.7, label=name)
        axes.axhline(0, color='black', linewidth=0.5)
        axes.set(xlim=(0, rows[-1]), ylabel=f'$10^{{{p}}}$ of the\nlargest value')
        for handle in axes.legend(loc='upper right', ncols=2, fontsize=8).get_lines():
            handle.set_linewidth(2)
    plots[2].set_title('Difference from float64, linear, along the profile; each panel has its own scale')
    plots[-1].set_xlabel('row (pixels)')
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=90)
    plt.close(figure)
    # A palette keeps noise small in the file.
    Image.open(drawn).convert('RGB').quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
