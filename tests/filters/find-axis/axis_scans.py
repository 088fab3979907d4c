# SPDX-License-Identifier: LGPL-3.0-or-later
"""Scans of bodies made of ellipsoids, of which the axis is known: noise, drift, bodies that are larger than the field, few views. What is
projected is known in closed form, row by row, so that no kernel of the project has a part in it."""
from dataclasses import dataclass

import numpy as np


@dataclass
class Scan:
    axis: float
    angles: np.ndarray  # degrees
    values: np.ndarray  # attenuation (angle, row, column)
    kind: str


def body(random, radius, rows):
    """One large ellipse and details in it, which end along the rows: x, y, half axes, turn, value, first row, half height."""
    parts = [(0, 0, radius * random.uniform(0.85, 1), radius * random.uniform(0.6, 1), random.uniform(0, np.pi), 1, rows / 2, 1e9)]
    for _ in range(random.integers(4, 16)):
        away, place = radius * random.uniform(0, 0.6), random.uniform(0, 2 * np.pi)
        parts.append((away * np.cos(place), away * np.sin(place), *(radius * random.uniform(0.03, 0.2, 2)), random.uniform(0, np.pi),
                      random.uniform(-0.8, 1.5), random.uniform(0, rows), random.uniform(0.5, 2) * rows))
    return parts


def project(parts, axis, angles, rows, columns):
    turn = np.radians(angles)[:, None, None]
    u = np.arange(columns) + 0.5 - axis
    scan = np.zeros((len(angles), rows, columns))
    for x, y, a, b, tilt, value, middle, high in parts:
        grow = np.sqrt(np.maximum(1 - ((np.arange(rows) - middle) / high) ** 2, 0))[None, :, None]
        square = (a * np.cos(turn + tilt)) ** 2 + (b * np.sin(turn + tilt)) ** 2
        s = u - (x * np.cos(turn) - y * np.sin(turn))
        scan += 2 * value * a * b * np.sqrt(np.maximum(square * grow * grow - s * s, 0)) / square
    return scan


def scan(number):
    """The scan of this number: always the same."""
    random = np.random.default_rng((2026, number))
    columns, rows = int(random.choice((128, 160, 192, 256))), int(random.choice((1, 2, 4, 8, 16)))
    whole, few, wide = random.random() < 0.3, random.random() < 0.3, random.random() < 0.35
    views = int(random.integers(24, 61) if few else random.integers(90, 240))
    if whole:
        views = int(1.5 * views)
        angles = np.arange(views) * 360 / views
    else:
        angles = np.arange(views) * 180 / (views if random.random() < 0.7 else views - 1)
    axis = columns * (0.5 + random.uniform(-0.1, 0.1))
    if whole and random.random() < 0.3:
        axis = columns * random.uniform(0.2, 0.8)
    reach = min(axis, columns - axis)
    radius = reach * (random.uniform(1.1, 1.7) if wide else random.uniform(0.5, 0.95))
    exact = project(body(random, radius, rows), axis, angles, rows, columns)
    exact *= random.uniform(0.5, 3) / exact.max()
    photons = 10 ** random.uniform(2.5, 4.5)
    # The beam's light drifts, and wanders from side to side; columns of the detector are not quite alike.
    light = 10 ** random.uniform(-4, -1.5) / np.sqrt(views) * np.cumsum(random.normal(size=(views, 1, 1)), 0)
    aside = 10 ** random.uniform(-4, -2) / np.sqrt(views) * np.cumsum(random.normal(size=(views, 1, 1)), 0) * np.linspace(-1, 1, columns)
    stripes = 10 ** random.uniform(-4, -2) * random.normal(size=(1, 1, columns))
    counts = random.poisson(photons * np.exp(-(exact + light + aside + stripes)))
    values = -np.log(np.maximum(counts, 0.5) / photons)
    kind = ' '.join([f'{columns}x{rows}', f'{views} views', 'turn' if whole else 'half'] + ['few'] * few + ['wide'] * wide + [f'{photons:.0f} photons'])
    return Scan(axis, angles, values.astype(np.float32), kind)
