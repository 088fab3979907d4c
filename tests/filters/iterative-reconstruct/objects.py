# SPDX-License-Identifier: LGPL-3.0-or-later
"""Noisy scans of objects from formulas, and how far slices are from these."""
import numpy as np
import phantoms

FOAM = phantoms.foam()


def error(got, truth):
    """Relative to the object, inside the circle of all but its border."""
    n = len(truth)
    place = np.arange(n) + .5 - n / 2
    circle = np.hypot(place[None], place[:, None]) < .48 * n
    return np.sqrt(np.mean((got - truth)[circle] ** 2) / np.mean(truth[circle] ** 2))


def scan_of(n, degrees, shapes, photons=2e4, seed=0):
    rows, sigma = phantoms.noisy(phantoms.sinogram(n, degrees, *shapes), photons, seed=seed)
    return rows, np.sqrt(np.mean(sigma ** 2)), phantoms.image(n, *shapes)
