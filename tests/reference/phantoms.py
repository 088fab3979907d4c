# SPDX-License-Identifier: LGPL-3.0-or-later
"""Objects of ellipses and soft blobs, as means over pixels, and their projections as means over columns, from formulas.

Geometry as in fbp.py. Shapes are (value, half axis, other half axis, x, y, degrees), blobs (value, standard deviation, x, y), in
units of 0.98 times half of a slice, with y to the top.
"""
import numpy as np
from scipy.special import erf

SHEPP_LOGAN = [(1, .69, .92, 0, 0, 0), (-.8, .6624, .8740, 0, -.0184, 0), (-.2, .11, .31, .22, 0, -18), (-.2, .16, .41, -.22, 0, 18),
               (.1, .21, .25, 0, .35, 0), (.1, .046, .046, 0, .1, 0), (.1, .046, .046, 0, -.1, 0), (.1, .046, .023, -.08, -.605, 0),
               (.1, .023, .023, 0, -.606, 0), (.1, .023, .046, .06, -.605, 0)]


def foam(seed=1, pores=260, grains=900):
    """A disc with pores and inclusions of all sizes, and a texture of blobs, which no method likes more than others: (shapes, blobs)."""
    random = np.random.default_rng(seed)
    shapes, placed = [(1, .90, .90, 0, 0, 0)], []
    for _ in range(20000):
        if len(placed) >= pores:
            break
        r = .012 + .10 * random.random() ** 4
        turn, away = 2 * np.pi * random.random(), (.88 - r) * np.sqrt(random.random())
        x, y = away * np.cos(turn), away * np.sin(turn)
        if all(np.hypot(x - u, y - v) > 1.02 * (r + q) for u, v, q in placed):
            placed.append((x, y, r))
            flat = .7 + .3 * random.random()
            shapes.append((random.choice([-.9, -.6, .5, .9]), r, r * flat, x, y, 180 * random.random()))
    blobs = []
    for _ in range(grains):
        turn, away = 2 * np.pi * random.random(), .84 * np.sqrt(random.random())
        blobs.append((.12 * random.choice([-1, 1]), .006 + .014 * random.random(), away * np.cos(turn), away * np.sin(turn)))
    return shapes, blobs


def image(n, shapes, blobs=(), fine=4):
    """Means over fine x fine samples of each pixel."""
    place = ((np.arange(n * fine) + .5) / fine - n / 2) / (.49 * n)
    out = np.zeros((n * fine, n * fine))

    def near(x, y, reach):
        columns = slice(*np.searchsorted(place, [x - reach, x + reach]))
        lines = slice(*np.searchsorted(place, [-y - reach, -y + reach]))
        return out[lines, columns], place[None, columns] - x, -place[lines, None] - y

    for value, a, b, x, y, degrees in shapes:
        part, u, v = near(x, y, max(a, b))
        cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        part += value * (((u * cos + v * sin) / a) ** 2 + ((v * cos - u * sin) / b) ** 2 < 1)
    for value, wide, x, y in blobs:
        part, u, v = near(x, y, 5 * wide)
        part += value * np.exp(-u * u / (2 * wide * wide)) * np.exp(-v * v / (2 * wide * wide))
    return out.reshape(n, fine, n, fine).mean(axis=(1, 3))


def sinogram(n, degrees, shapes, blobs=(), axis=None, width=None):
    """Integrals along rays, in pixels, of an object in n x n pixels. `axis`: a number, or one per projection."""
    width = width or n
    scale = .49 * n
    turn = np.radians(np.asarray(degrees, float))[:, None]
    axis = np.reshape(width / 2 if axis is None else axis, (-1, 1))
    edges = (np.arange(width + 1) - axis) / scale
    cos, sin = np.cos(turn), np.sin(turn)
    sums = np.zeros((len(turn), width + 1))  # of all up to an edge
    for value, a, b, x, y, tilt in shapes:
        square = (a * np.cos(turn - np.radians(tilt))) ** 2 + (b * np.sin(turn - np.radians(tilt))) ** 2
        d = np.clip((edges - x * cos - y * sin) / np.sqrt(square), -1, 1)
        sums += value * a * b * (d * np.sqrt(1 - d * d) + np.arcsin(d))
    for value, wide, x, y in blobs:
        sums += value * np.pi * wide * wide * erf((edges - x * cos - y * sin) / (wide * np.sqrt(2)))
    return np.diff(sums) * scale * scale


def noisy(rows, photons, attenuation=3.0, seed=0):
    """Rows as they are counted with so many photons per column of the beam, where the longest ray has this attenuation; and the
    standard deviation of each value."""
    unit = attenuation / rows.max()
    counts = np.maximum(np.random.default_rng(seed).poisson(photons * np.exp(-rows * unit)), 1)
    return -np.log(counts / photons) / unit, 1 / np.sqrt(counts) / unit
