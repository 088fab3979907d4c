#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The reference against discs, whose projections are known: 2 value sqrt(r^2 - s^2) at distance s from the centre."""
import unittest

import numpy as np

import fbp

N, AXIS = 200, 93.25
DISCS = [(10.0, -30.0, 40.0, 0.02), (-35.0, 20.0, 12.0, 0.05)]  # x, y (down), radius, value
ANGLES = np.arange(300) * np.pi / 300


def sinogram():
    u = np.arange(N) + 0.5
    rows = np.zeros((len(ANGLES), N))
    for x, y, r, value in DISCS:
        s = u[None, :] - (AXIS + x * np.cos(ANGLES) - y * np.sin(ANGLES))[:, None]
        rows += 2 * value * np.sqrt(np.maximum(r**2 - s**2, 0))
    return rows


def distance(x, y):
    middle = np.arange(N) + 0.5 - N / 2
    return np.hypot(middle[None, :] - x, middle[:, None] - y)


class Fbp(unittest.TestCase):
    def check(self, tolerance, **options):
        image = fbp.reconstruct(sinogram(), ANGLES, AXIS, **options)
        inside = np.zeros((N, N), bool)
        for x, y, r, value in DISCS:
            # Away from the edge by what the widest window spreads.
            disc = distance(x, y) < r - 5
            self.assertAlmostEqual(image[disc].mean() / value, 1, delta=tolerance)
            inside |= distance(x, y) < r + 5
        empty = fbp.circle(N, 10) & ~inside
        self.assertLess(abs(image[empty].mean()), 0.02 * 0.005)

    # Sampled line integrals and 300 angles leave means right to a few parts in a thousand.
    def test_windows_keep_the_value(self):
        for window in fbp.WINDOWS:
            with self.subTest(window=window):
                self.check(0.003, window=window)

    def test_nearest(self):
        self.check(0.003, interpolation='nearest')

    def test_long_padding_changes_little(self):
        rows = sinogram()[:3]
        self.assertLess(np.abs(fbp.ramp_filter(rows, 'hann', length=8192) - fbp.ramp_filter(rows, 'hann')).max(), 1e-5)
        long, short = fbp.ramp_filter(rows, length=8192), fbp.ramp_filter(rows)
        self.assertLess(np.abs(long - short).max(), 1e-12)  # without a window the convolution is exact

    def test_counts(self):
        p = np.array([[[0.1, 1.0, 2.0, 0.5]]])
        dark, gain = np.array([[[10.0, 20, 30, 40]]]), np.array([[[500.0, 400, 300, 200]]])
        counts = dark + gain * np.exp(-p)
        flats = np.repeat(dark + gain, 2, 0)
        result = fbp.attenuation(counts, np.repeat(dark, 3, 0), flats)
        np.testing.assert_allclose(result, p, rtol=1e-12)
        flats[:, 0, 1] = 20  # dead between neighbours
        flats[:, 0, 3] = 0  # dead at the end
        result = fbp.attenuation(counts, dark, flats)
        np.testing.assert_allclose(result[0, 0], [0.1, (0.1 + 2) / 2, 2, 2], rtol=1e-12)
        flats[:] = 0
        np.testing.assert_array_equal(fbp.attenuation(counts, dark, flats), 0 * p)

    def test_nothing_passes(self):
        dark, flat = np.full((1, 1, 2), 100, np.uint16), np.full((1, 1, 2), 1100, np.uint16)
        result = fbp.attenuation(np.array([[[90, 600]]], np.uint16), dark, flat)
        np.testing.assert_allclose(result[0, 0], np.log([2000, 2]), rtol=1e-12)
        result = fbp.attenuation(np.array([[[90, 600]]], np.float32), dark, flat)
        np.testing.assert_allclose(result[0, 0], [16 * np.log(2), np.log(2)], rtol=1e-12)


if __name__ == '__main__':
    unittest.main()
