#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Exact interpolation against the sum that it stands for, term by term, and against a disc."""
import unittest

import numpy as np

import exact
import fbp

N = 24
RANDOM = np.random.default_rng(7)
ANGLES = np.array([0.3, 1.1, -0.4, 2.9, 4.0])
AXIS = np.array([12.0, 11.3, 14.9, 9.0, 12.6])
ROWS = RANDOM.normal(size=(2, len(ANGLES), N))


def by_terms(row, at, length, response):
    """The trigonometric polynomial through the filtered row at bins `at`, from the transform by its definition."""
    total = np.zeros(np.shape(at), complex)
    for k in range(-length // 2, length // 2 + 1):
        half = 0.5 if abs(2 * k) == length else 1
        term = np.sum(row * np.exp(-2j * np.pi * k * np.arange(len(row)) / length))
        total += half * response(abs(k)) * term * np.exp(2j * np.pi * k * at / length) / length
    return total.real


def response_of(length, window):
    ramp = np.fft.fft(fbp.ramp(length)).real
    return lambda k: ramp[k] * window(2 * k / length)


class Exact(unittest.TestCase):
    def check(self, factor, length=64, mode='zero', rows=ROWS, weights=None, **options):
        got = exact.reconstruct(ROWS, ANGLES, AXIS, weights, length=length, mode=mode, **options)
        middle = np.arange(N) + 0.5 - N / 2
        x, y = middle[None, :], middle[:, None]
        for image, sinogram in zip(got, rows):
            want = np.zeros((N, N))
            for k, (row, theta, axis) in enumerate(zip(sinogram, ANGLES, AXIS)):
                at = axis + x * np.cos(theta) - y * np.sin(theta) - 0.5
                share = np.pi / len(ANGLES) if weights is None else weights[k]
                want += share * by_terms(row, at, length, response_of(length, factor))
            # The series ends after its third term.
            self.assertLess(fbp.relative_rmse(image, want, np.ones((N, N), bool)), 2e-6)

    def test_sum(self):
        self.check(lambda x: 1)

    def test_windows(self):
        self.check(lambda x: np.sinc(x / 2)**1.5, window='sinc')
        self.check(lambda x: np.sinc(x / 2)**3, window='sinc', power=3)
        self.check(lambda x: np.sinc(x / 2), window='shepp-logan', length=50)
        self.check(lambda x: 0.5 + 0.5 * np.cos(np.pi * x / 0.6) if x <= 0.6 else 0, window='hann', cutoff=0.6)

    def test_edge(self):
        length = 60  # 36 values beyond the row: 18 like its last, 18 like its first
        padded = np.concatenate([ROWS, np.repeat(ROWS[..., -1:], 18, -1), np.repeat(ROWS[..., :1], 18, -1)], -1)
        self.check(lambda x: 1, length=length, mode='edge', rows=padded)

    def test_weights(self):
        self.check(lambda x: 1, weights=RANDOM.uniform(0.1, 1, len(ANGLES)))
        degrees = [0, 10, 50, 200, -30, 90]
        np.testing.assert_allclose(np.rad2deg(exact.spacing(np.deg2rad(degrees))), [20, 10, 35, 20, 45, 50])
        np.testing.assert_allclose(exact.spacing(np.arange(9) * np.pi / 9), np.pi / 9)

    def test_where(self):
        inside = fbp.circle(N)
        whole = exact.reconstruct(ROWS[0], ANGLES, AXIS)
        np.testing.assert_array_equal(exact.reconstruct(ROWS[0], ANGLES, AXIS, where=inside), whole * inside)

    def test_disc(self):
        """Nearer to a disc than linear interpolation without a window, whose edge is softer."""
        n, r = 128, 40.3
        angles = np.arange(200) * np.pi / 200
        s = (np.arange(4 * n) + 0.5) / 4 - n / 2 - 9.2 * np.cos(angles)[:, None]
        rows = 2 * np.sqrt(np.maximum(r**2 - s**2, 0)).reshape(200, n, 4).mean(axis=2)
        fine = np.hypot((np.arange(8 * n) + 0.5)[None] / 8 - n / 2 - 9.2, (np.arange(8 * n) + 0.5)[:, None] / 8 - n / 2) < r
        truth = fine.reshape(n, 8, n, 8).mean(axis=(1, 3))
        inside = fbp.circle(n, 2)
        sharp = fbp.relative_rmse(exact.reconstruct(rows, angles, n / 2), truth, inside)
        soft = fbp.relative_rmse(fbp.reconstruct(rows, angles, n / 2), truth, inside)
        self.assertLess(sharp, 0.95 * soft)
        self.assertLess(sharp, 0.03)


if __name__ == '__main__':
    unittest.main()
