# SPDX-License-Identifier: LGPL-3.0-or-later
"""Least squares of a parallel beam, with and without total variation, in float64: sums are written out, and iterations go on until
nothing changes. Written from the formulas and apart from the C++ code.

Pixels are squares and columns are bins, for the frequencies that rows of a period of P bins have:

    (A x)_k = H (v) sum over pixels of x e^(-2 pi i v (x cos - y sin)),  v = k / P,  |k| < P / 2
    H (v) = sinc (v) sinc (v cos) sinc (v sin)

Geometry as in fbp.py. Slices are zero outside of a circle of 0.99 times their width.
"""
import numpy as np
import scipy.fft as sf


class Scan:
    def __init__(self, columns, angles, axis=None, period=None, weights=None):
        self.columns, n = columns, columns
        count = len(angles)
        self.period = period or 2 * columns
        self.axis = np.broadcast_to(columns / 2 if axis is None else axis, count)
        self.weights = np.full(count, 1 / count) if weights is None else np.asarray(weights)
        self.k = np.arange(1 - self.period // 2, self.period // 2)
        v = self.k[None] / self.period
        cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
        self.response = np.sinc(v) * np.sinc(v * cos) * np.sinc(v * sin)
        self.vx, self.vy = (v * cos).ravel(), (-v * sin).ravel()
        place = np.arange(n) + .5 - n / 2
        self.circle = np.hypot(place[None], place[:, None]) < .495 * n
        self.place = place
        self.kernel = self.sums(np.arange(1 - n, n), self.response ** 2)
        self.transform = sf.rfft2(np.roll(np.pad(self.kernel, (1, 0)), (-n, -n), (0, 1)))

    def sums(self, place, terms):
        """Sums over rays and frequencies at all (y, x)."""
        terms = (terms * self.weights[:, None] / self.period).ravel()
        waves_x = np.exp(2j * np.pi * np.outer(self.vx, place))
        waves_y = np.exp(2j * np.pi * np.outer(self.vy, place))
        return ((waves_y * terms[:, None]).T @ waves_x).real

    def data(self, rows):
        """c = A^T b: what T x equals where rows are fitted best."""
        at = np.arange(self.columns)[None] + .5 - self.axis[:, None]
        spectra = np.stack([np.exp(-2j * np.pi / self.period * np.outer(self.k, u)) @ row for u, row in zip(at, rows)])
        return self.sums(self.place, spectra * self.response)

    def normal(self, x):
        """T x, T = A^T A."""
        n = self.columns
        return sf.irfft2(sf.rfft2(x, (2 * n, 2 * n)) * self.transform, (2 * n, 2 * n))[..., :n, :n]

    def weight(self, strength, noise, pixels=2):
        """Of TV: strength times so many standard deviations of a pixel of c, and the square root of the columns beside 512."""
        pixel = np.sqrt(self.kernel[self.columns - 1, self.columns - 1] / len(self.weights))
        return pixels * strength * noise * pixel * np.sqrt(self.columns / 512)

    def cgls(self, rows, iterations):
        c = self.circle * self.data(rows)
        x, r = np.zeros_like(c), c
        p = r
        for _ in range(iterations):
            q = self.circle * self.normal(p)
            step = np.sum(r * r) / np.sum(p * q)
            x = x + step * p
            last, r = r, r - step * q
            p = r + np.sum(r * r) / np.sum(last * last) * p
        return x

    def tv(self, rows, weight, non_negative=True, enough=1e-8, most=60000):
        """The minimum of x.Tx / 2 - c.x + weight TV (x), of a sinogram, or in three dimensions of a stack of them: primal and dual
        steps of L. Condat and B. C. Vu, with steps of their own for frequencies, which change how soon it comes, and not where. Ends
        when a step changes x by `enough` of its norm."""
        n, c = self.columns, np.stack([self.data(row) for row in rows.reshape(-1, *rows.shape[-2:])])
        f = sf.fftfreq(n)
        laplacian = 4 - 2 * np.cos(2 * np.pi * f)[:, None] - 2 * np.cos(2 * np.pi * f)[None] + (4 if len(c) > 1 else 0)
        lags = self.kernel * np.outer(n - abs(np.arange(1 - n, n)), n - abs(np.arange(1 - n, n))) / n ** 2
        wrapped = np.pad(lags, (1, 0)).reshape(2, n, 2, n).sum(axis=(0, 2))  # lag -n is at 0, and is 0
        # Half of the largest eigenvalue of T bounds what a circulant misses of it.
        steps = 1 / (np.maximum(2.5 * sf.fft2(wrapped).real, 2e-3 * self.transform.real.max()) + 2.2 * (laplacian + .1))[:, :n // 2 + 1]
        x = q = np.zeros_like(c)
        duals, below = np.zeros((3, *c.shape)), np.zeros_like(c)
        ends = [tuple(slice(*(part if axis == other else (None,))) for axis in range(3)) for part in ((None, -1), (1, None)) for other in range(3)]
        for _ in range(most):
            for dual, first, second in zip(duals, ends[:3], ends[3:]):
                dual[first] += 2 * (q[second] - q[first])
            duals /= np.maximum(1, np.sqrt(np.sum(duals ** 2, axis=0)) / weight)
            if non_negative:
                below = np.minimum(below + .2 * q, 0)
            gradient = self.normal(x) - c + below - duals.sum(axis=0)
            for dual, first, second in zip(duals, ends[:3], ends[3:]):
                gradient[second] += dual[first]
            now = x - self.circle * sf.irfft2(sf.rfft2(self.circle * gradient) * steps, (n, n))
            change, x, q = np.linalg.norm(now - x), now, 2 * now - x
            if change < enough * np.linalg.norm(x):
                return (np.maximum(x, 0) if non_negative else x).reshape(*rows.shape[:-2], n, n)
        raise AssertionError('it does not end')
