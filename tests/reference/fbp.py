# SPDX-License-Identifier: LGPL-3.0-or-later
"""Filtered back-projection in float64, written from the formulas and apart from the C++ code: a truth for tests.

Geometry: detector column u spans [u, u + 1). Pixel (column i, row j) of an n x n slice sits at x = i + 1/2 - n/2,
y = j + 1/2 - n/2 and is seen at axis + x cos(theta) - y sin(theta).
"""
import numpy as np


def attenuation(projections, darks, flats):
    """-log of what passes, from counts and the means of several darks and flats, all (frame, row, column).

    Where the flat is not above the dark, a pixel takes the mean of its nearest live neighbours in the row (or of the one
    that there is); counts are at least half a count, and float data, which has no unit, lets at least 2^-16 pass.
    """
    dark = np.mean(darks, axis=0, dtype=np.float64)
    beam = np.mean(flats, axis=0, dtype=np.float64) - dark
    live = beam > 0
    least = 0.5 / np.where(live, beam, 1) if projections.dtype.kind == 'u' else 2.0**-16
    passed = (projections.astype(np.float64) - dark) / np.where(live, beam, 1)
    result = -np.log(np.maximum(passed, least))
    for row, column in np.argwhere(~live):
        columns = np.flatnonzero(live[row])
        near = [*columns[columns < column][-1:], *columns[columns > column][:1]]
        result[:, row, column] = result[:, row, near].mean(axis=1) if near else 0
    return result


WINDOWS = {
    'ram-lak': lambda x, order: np.ones_like(x),
    'shepp-logan': lambda x, order: np.sinc(x / 2),
    'cosine': lambda x, order: np.cos(np.pi * x / 2),
    'hann': lambda x, order: 0.5 + 0.5 * np.cos(np.pi * x),
    'hamming': lambda x, order: 0.54 + 0.46 * np.cos(np.pi * x),
    'parzen': lambda x, order: np.where(x <= 0.5, 1 - 6 * x**2 * (1 - x), 2 * (1 - x)**3),
    'butterworth': lambda x, order: 1 / (1 + x**(2 * order)),
}


def ramp(n):
    """The band-limited ramp in space: Kak and Slaney (1988), equation 61, for a circle of n pixels."""
    distance = np.minimum(np.arange(n), n - np.arange(n))
    h = np.zeros(n)
    h[0] = 0.25
    odd = distance % 2 == 1
    h[odd] = -1 / (np.pi * distance[odd])**2
    return h


def ramp_filter(rows, window='ram-lak', cutoff=1.0, order=2, length=None):
    """Filters along the last axis, padded by zeros to `length` (a power of two of at least twice the width)."""
    if window == 'none':
        return rows.astype(np.float64)
    width = rows.shape[-1]
    n = length or 1 << (2 * width - 1).bit_length()
    x = np.fft.rfftfreq(n) * 2 / cutoff
    response = np.fft.rfft(ramp(n)).real * WINDOWS[window](x, order)
    if window != 'butterworth':
        response[x > 1 + 1e-12] = 0
    return np.fft.irfft(np.fft.rfft(rows, n) * response, n)[..., :width]


def back_project(sinogram, angles, axis, size=None, interpolation='linear'):
    """A slice from a sinogram (angle, column), angles in radians, weights pi / N. What is outside the detector is 0."""
    count, width = sinogram.shape
    n = size or width
    middle = np.arange(n) + 0.5 - n / 2
    x, y = middle[None, :], middle[:, None]
    result = np.zeros((n, n))
    margin = n + width
    for row, theta in zip(sinogram, angles):
        line = np.pad(row.astype(np.float64), margin)
        at = axis + x * np.cos(theta) - y * np.sin(theta) + margin
        if interpolation == 'nearest':
            result += line[np.clip(np.floor(at).astype(int), 0, line.size - 1)]
        else:
            at = np.clip(at - 0.5, 0, line.size - 2)
            left = np.floor(at).astype(int)
            result += line[left] + (at - left) * (line[left + 1] - line[left])
    return result * np.pi / count


def reconstruct(sinogram, angles, axis, window='ram-lak', **options):
    return back_project(ramp_filter(sinogram, window), angles, axis, **options)


def circle(n, margin=0.0):
    """The pixels whose centres are inside the circle that fits the slice."""
    middle = np.arange(n) + 0.5 - n / 2
    return np.hypot(middle[None, :], middle[:, None]) <= n / 2 - margin


def correlation(a, b, where):
    """Pearson's coefficient."""
    return np.corrcoef(np.asarray(a, np.float64)[where], np.asarray(b, np.float64)[where])[0, 1]


def relative_rmse(a, b, where):
    """Root mean square of the difference, of that of b."""
    a, b = np.asarray(a, np.float64)[where], np.asarray(b, np.float64)[where]
    return np.sqrt(np.mean((a - b)**2) / np.mean(b**2))
