# SPDX-License-Identifier: LGPL-3.0-or-later
"""The scans of iteration.py, and how far a slice is from the truth: the object, or projections that no method has seen.

Geometry as in tests/reference/fbp.py.
"""
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.ndimage import uniform_filter

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests/reference'))
import phantoms  # noqa: E402

PHOTONS = 2e4


@dataclass
class Scan:
    name: str
    rows: np.ndarray             # attenuation (angle, column)
    degrees: np.ndarray
    axis: float
    truth: np.ndarray            # a slice, or rows at `held`
    held: np.ndarray             # degrees; empty for objects that were made up

    def save(self, path):
        np.savez(path, **vars(self))

    @staticmethod
    def load(path):
        with np.load(path) as file:
            return Scan(**{name: file[name][()] for name in file.files})

    def judge(self, image):
        """(root mean square error, SSIM). For objects, the error is relative to the object's root mean square."""
        image = np.asarray(image, float)
        if self.held.size:
            bins = slice(8, -8)
            # Some methods fill the corners of slices with noise, others with what explains the rows.
            both = [project(each, self.held, self.axis)[:, bins] for each in (image, image * circle(len(image), 1))]
            return min((np.sqrt(np.mean((rows - self.truth[:, bins]) ** 2)), ssim(rows, self.truth[:, bins]).mean()) for rows in both)
        inside = circle(len(image), .96)
        error = np.mean((image - self.truth)[inside] ** 2) / np.mean(self.truth[inside] ** 2)
        return np.sqrt(error), ssim(image, self.truth)[inside].mean()


def circle(n, share):
    place = np.arange(n) + .5 - n / 2
    return np.hypot(place[None], place[:, None]) < share * n / 2


def ssim(image, truth, width=7):
    """Structural similarity (Z. Wang and others, 2004) at each pixel, with means over squares."""
    span = truth.max() - truth.min()
    mean = lambda values: uniform_filter(values, width)  # noqa: E731
    a, b, unbiased = mean(image), mean(truth), width ** 2 / (width ** 2 - 1)
    aa, bb, ab = (unbiased * (mean(p * q) - mean(p) * mean(q)) for p, q in ((image, image), (truth, truth), (image, truth)))
    c, d = (.01 * span) ** 2, (.03 * span) ** 2
    return (2 * a * b + c) * (2 * ab + d) / ((a * a + b * b + c) * (aa + bb + d))


def project(image, degrees, axis):
    """Rows of square pixels on bins: a pixel's shadow is a trapezoid."""
    n = len(image)
    place, rows = np.arange(n) + .5 - n / 2, np.zeros((len(degrees), n + 4))
    y, x = np.nonzero(image)
    values = image[y, x]
    for row, angle in zip(rows, np.radians(degrees)):
        middle = axis + place[x] * np.cos(angle) - place[y] * np.sin(angle)
        wide, narrow = sorted((abs(np.cos(angle)), abs(np.sin(angle))), reverse=True)
        narrow = max(narrow, 1e-6)

        def until(edge):
            """The shadow's share before an edge, from both of its slopes."""
            t = np.clip(edge - middle, -(wide + narrow) / 2, (wide + narrow) / 2)
            ramp = lambda s: np.clip(s, 0, narrow) ** 2 / (2 * narrow) + np.maximum(s - narrow, 0)  # noqa: E731
            return (ramp(t + (wide + narrow) / 2) - ramp(t - (wide - narrow) / 2)) / wide

        first = np.floor(middle - (wide + narrow) / 2).astype(int)
        before = 0.
        for step in range(3):
            share = until(first + step + 1)
            bins = np.clip(first + step + 2, 0, n + 3)
            row += np.bincount(bins, (share - before) * values, n + 4)
            before = share
    return rows[:, 2:-2]


def texture(seed=7):
    """A disc of fine grains and of regions that hardly differ from it: (shapes, blobs)."""
    random = np.random.default_rng(seed)

    def somewhere(most):
        turn, away = 2 * np.pi * random.random(), most * np.sqrt(random.random())
        return away * np.cos(turn), away * np.sin(turn)

    shapes = [(1, .90, .90, 0, 0, 0)]
    for _ in range(40):
        r = .03 + .12 * random.random()
        shapes.append((random.choice([-.06, -.03, .03, .06]), r, r * (.5 + .5 * random.random()), *somewhere(.7), 180 * random.random()))
    return shapes, [(.08 * random.choice([-1, 1]), .004 + .006 * random.random(), *somewhere(.86)) for _ in range(2500)]


OBJECTS = {'foam': phantoms.foam, 'shepp-logan': lambda: (phantoms.SHEPP_LOGAN, []), 'texture': texture}


def made_up(name, views, size, photons=PHOTONS):
    """`views`: a number, or wedge: every degree of 120. `photons`: in each bin of the beam."""
    degrees = np.arange(120.) if views == 'wedge' else np.arange(int(views)) * 180 / int(views)
    shapes = OBJECTS[name]()
    rows, _ = phantoms.noisy(phantoms.sinogram(size, degrees, *shapes), float(photons))
    what = f'{name}, 120 degrees in {len(degrees)} views' if views == 'wedge' else f'{name}, {views} views'
    what += '' if float(photons) == PHOTONS else f', {float(photons):g} photons'
    return Scan(what, rows.astype(np.float32), degrees, size / 2, phantoms.image(size, *shapes), np.array([]))


def attenuation(counts, flat, dark):
    beam = np.where(flat > dark, flat - dark, np.nan)
    return np.nan_to_num(-np.log(np.clip((counts - dark) / beam, 1e-4, None))).astype(np.float32)


def tooth(folder):
    import h5py
    with h5py.File(folder / 'tooth.h5') as file:
        data, flat, dark = (file[f'exchange/{name}'][:, 0].astype(float) for name in ('data', 'data_white', 'data_dark'))
        return attenuation(data, flat.mean(axis=0), dark.mean(axis=0)), np.array(file['exchange/theta']), 296.5


def tube(folder):
    import tifffile
    folder = folder / 'savu-tiff'
    files = sorted((folder / 'tiffs').glob('raw_*.tiff'))
    data, flat, dark = (np.array([tifffile.imread(file)[68] for file in some], float)
                        for some in (files, [folder / 'flat_00001.tiff'], [folder / 'dark_00001.tiff']))
    return attenuation(data, flat[0], dark[0]), -88.2 + 2 * np.arange(len(data)), 86.25


MEASURED = {'tooth': tooth, 'tube': tube}


def measured(name, views, folder):
    """The first of every two (or more) projections are for the methods, up to 30 of the others judge."""
    rows, degrees, axis = MEASURED[name](Path(folder))
    step = max(2, len(rows) // int(views)) if views else 2
    rest = np.flatnonzero(np.arange(len(rows)) % step)
    rest = rest[::max(1, len(rest) // 30)]
    return Scan(f'{name}, {len(rows[::step])} of {len(rows)} views', rows[::step], degrees[::step], axis, rows[rest].astype(float), degrees[rest])


def scan_of(words, size, folder):
    """foam:180, foam:180:1e6, foam:wedge, tooth, tooth:45 ..."""
    name, *how = words.split(':')
    if name in OBJECTS and how:
        return made_up(name, how[0], size, *how[1:])
    if name in MEASURED:
        return measured(name, how[0] if how else None, folder or os.environ.get('SINO_TEST_DATA', '.'))
    raise SystemExit(f"no scan '{words}': {', '.join(OBJECTS)} with a number of views, as foam:180, or :wedge (and of photons, as foam:180:1e6); or {', '.join(MEASURED)}")
