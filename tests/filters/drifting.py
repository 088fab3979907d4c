# SPDX-License-Identifier: LGPL-3.0-or-later
"""Balls in an ellipsoid, measured by a parallel or a cone beam whose pictures drift on the detector: exact projections, made by float64 numpy."""
import os
import subprocess

import h5py
import numpy as np
import tap

PHOTONS = 1e4
RANDOM = np.random.default_rng(5)


def balls(size, height, count=9):
    """An ellipsoid of these half axes, and balls in it: centre, half axes, attenuation."""
    parts = [((1.5, -1, 0), (size, .85 * size, height), 1.0 / size)]
    for _ in range(count):
        radius, angle = RANDOM.uniform(.08, .2) * size, RANDOM.uniform(0, 2 * np.pi)
        away, z = RANDOM.uniform(0, .6) * size, RANDOM.uniform(-.65, .65) * height
        parts.append(((away * np.cos(angle), away * np.sin(angle), z), (radius,) * 3, RANDOM.choice([1.2, 1.6, -.8]) / size))
    return parts


class Scan:
    """A detector whose columns have the length 1, with the axis in its middle."""

    def __init__(self, columns, rows, projections, turn=360, source_origin=0, origin_detector=0, inclusive=False, parts=None):
        self.columns, self.rows = columns, rows
        self.degrees = np.linspace(0, turn, projections, endpoint=inclusive)
        self.distances = source_origin, origin_detector
        self.parts = parts

    def lines(self, across=0., down=0.):
        """Attenuation (angle, row, column) of pictures that lie that many pixels further right and down."""
        n = len(self.degrees)
        across, down = (np.broadcast_to(shift, n)[:, None, None] for shift in (across, down))
        total = 0
        for place in (-.25, .25):  # two rays of each pixel
            total = total + self.rays(np.arange(self.columns) + .5 + place - self.columns / 2 - across,
                                      (np.arange(self.rows) + .5 + place - self.rows / 2)[:, None] - down) / 2
        return total

    def rays(self, u, v):
        angle = np.radians(self.degrees)[:, None, None]
        c, s = np.cos(angle), np.sin(angle)
        source, detector = self.distances
        if source:
            at = [u * c - detector * -s, -u * s + detector * c, v]  # points of the detector
            way = [u * c + (source + detector) * s, -u * s + (source + detector) * c, v]
        else:
            at, way = [u * c, -u * s, v], [s, c, 0]
        norm = np.sqrt(sum(w * w for w in way))
        total = 0
        for centre, axes, value in self.parts:
            p = [(x - m) / a for x, m, a in zip(at, centre, axes)]
            d = [w / norm / a for w, a in zip(way, axes)]
            a, b, e = sum(x * x for x in d), sum(x * y for x, y in zip(p, d)), sum(x * x for x in p) - 1
            total = total + value * 2 * np.sqrt(np.maximum(b * b - a * e, 0)) / a
        return total

    def save(self, path, lines, noise=True):
        """The words for `read`. The counts of photons are those of Poisson."""
        if noise:
            lines = -np.log(np.maximum(RANDOM.poisson(PHOTONS * np.exp(-lines)), 1) / PHOTONS)
        with h5py.File(path, 'w') as file:
            file['exchange/data'], file['exchange/theta'] = lines.astype(np.float32), self.degrees
            file['exchange/rotation_axis'] = self.columns / 2
        source, detector = self.distances
        return f'path={path} values=attenuation' + (f' source-origin={source:g} origin-detector={detector:g} pixel-size=1' if source else '')


def drift(n, by=3., jitter=.5):
    """A straight drift over the scan, and jitter."""
    return np.linspace(-by / 2, by / 2, n) + RANDOM.normal(0, jitter, n)


def displaced(got, truth):
    """How far each projection still is from the exact one, to the right and down: least squares."""
    rows, columns = np.gradient(truth, axis=(1, 2))
    inside = np.s_[:, 4:-4, 4:-4]
    a, b, r = (x[inside].reshape(len(got), -1) for x in (-columns, -rows, got - truth))
    aa, bb, ab, ar, br = ((x * y).sum(1) for x, y in ((a, a), (b, b), (a, b), (a, r), (b, r)))
    scale = aa * bb - ab * ab
    return np.stack([(ar * bb - br * ab) / scale, (br * aa - ar * ab) / scale])


def rms(x):
    return float(np.sqrt(np.mean(np.square(x))))


def said(line, *words):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', *words, line], capture_output=True, text=True)
    tap.check(done.returncode == 0, done.stderr)
    return done.stderr
