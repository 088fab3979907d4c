# SPDX-License-Identifier: LGPL-3.0-or-later
"""A body with round pores: as means over voxels, and its cone-beam projections as means over pixels, from formulas.

Lengths are in voxels of a volume of n^3, whose unit is a pixel at the axis; shapes in units of n / 2.
"""
import numpy as np

SOURCE, DETECTOR, PIXEL = 3, 1.5, 1.5  # distances from the axis in n, width of a pixel
BODY = np.array([.88, .88, .92])


def foam(seed=1, pores=60, least=.06, most=.16):
    """Pores (x, y, z, radius) that do not meet."""
    random, placed = np.random.default_rng(seed), []
    for _ in range(20000):
        radius, middle = random.uniform(least, most), random.uniform(-.85, .85, 3)
        if np.sum((middle / (BODY - radius - .02)) ** 2) < 1 and all(
                np.linalg.norm(middle - other[:3]) > radius + other[3] + .01 for other in placed):
            placed.append(np.array([*middle, radius]))
        if len(placed) == pores:
            break
    return placed


def chord(source, rays, half_axes):
    """Lengths of rays inside an ellipsoid at the origin."""
    s, d = source / half_axes, rays / half_axes
    a, b = np.sum(d * d, axis=-1), np.sum(d * s, axis=-1)
    return 2 * np.sqrt(np.maximum(b * b - a * (np.sum(s * s) - 1), 0)) / a


def project(pores, n, degrees, fine=2):
    """Line integrals, (angle, row, column)."""
    at = ((np.arange(n * fine) + .5) / fine - n / 2) * PIXEL
    rays = np.stack(np.broadcast_arrays(at[None, :], (SOURCE + DETECTOR) * n, at[:, None]), axis=-1)
    rays = rays / np.linalg.norm(rays, axis=-1, keepdims=True)
    source = np.array([0, -SOURCE * n, 0.])
    out = []
    for turn in np.radians(degrees):
        cos, sin = np.cos(turn), np.sin(turn)
        sums = chord(source, rays, BODY * n / 2)  # as wide in x as in y: it looks the same from everywhere
        for x, y, z, radius in pores:
            middle = np.array([cos * x - sin * y, sin * x + cos * y, z]) * n / 2
            sums -= chord(source - middle, rays, radius * n / 2)
        out.append(sums.reshape(n, fine, n, fine).mean(axis=(1, 3)))
    return np.array(out)


def volume(pores, n, fine=3):
    at = ((np.arange(n * fine) + .5) / fine - n / 2) / (n / 2)
    z, y, x = np.meshgrid(at, at, at, indexing='ij', sparse=True)
    inside = (x / BODY[0]) ** 2 + (y / BODY[1]) ** 2 + (z / BODY[2]) ** 2 < 1
    for a, b, c, radius in pores:
        inside &= (x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2 >= radius ** 2
    return inside.reshape(n, fine, n, fine, n, fine).mean(axis=(1, 3, 5))
