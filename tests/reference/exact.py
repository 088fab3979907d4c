# SPDX-License-Identifier: LGPL-3.0-or-later
"""Filtered back-projection with exact interpolation, in float64: what gridding in Fourier space stands for.

    slice (x, y) = sum over rays of  weight  q (axis + x cos (theta) - y sin (theta) - 1/2)

where q is the filtered row as the trigonometric polynomial through its values: a band-limited function, which linear
interpolation only approaches. Geometry as in fbp.py. A polynomial of degree P / 2 at millions of places is slow to sum:
it is evaluated, with three derivatives, at 16 places per column, and between them by its Taylor series, to
(pi / 32)^4 / 4! = 4e-6 at the highest frequency, and to far less below.
"""
import fbp
import numpy as np

FINE = 16  # places per column
TERMS = 4  # terms of the Taylor series


def window_at(x, window, power, cutoff=1.0, order=2):
    """The factor at a frequency x in units of Nyquist's."""
    x = x / cutoff
    factor = np.sinc(x / 2)**power if window == 'sinc' else fbp.WINDOWS[window](x, order)
    return factor if window == 'butterworth' else np.where(x > 1 + 1e-12, 0, factor)


def padded(rows, length, mode):
    width = rows.shape[-1]
    result = np.zeros((*rows.shape[:-1], length))
    result[..., :width] = rows
    if mode == 'edge':
        middle = width + (length - width) // 2
        result[..., width:middle] = rows[..., -1:]
        result[..., middle:] = rows[..., :1]
    return result


def taylor(rows, window='ram-lak', power=1.5, length=None, mode='zero', **options):
    """Of each row, at every 1 / FINE of a column: the TERMS coefficients of its series, filtered; (row, place, term)."""
    n = length or 1 << (2 * rows.shape[-1] - 1).bit_length()
    k = np.arange(n // 2 + 1)
    response = np.fft.rfft(fbp.ramp(n)).real * window_at(2 * k / n, window, power, **options)
    spectrum = np.fft.rfft(padded(rows.astype(np.float64), n, mode)) * response * FINE
    spectrum[..., -1] /= 2  # its two halves are at both ends of the band
    result = np.empty((*rows.shape[:-1], n * FINE, TERMS))
    for term in range(TERMS):
        wide = np.zeros((*rows.shape[:-1], n * FINE // 2 + 1), complex)
        wide[..., :n // 2 + 1] = spectrum
        result[..., term] = np.fft.irfft(wide)
        spectrum = spectrum * (2j * np.pi * k / n) / (term + 1)
    return result


def reconstruct(sinograms, angles, axis, weights=None, size=None, where=None, chunk=1 << 14, **filtered):
    """Slices of sinograms (slice, angle, column), or one of (angle, column); angles in radians.

    axis: a number, or one per projection; weights: pi / N each, or one per projection. Pixels outside `where` (all of them
    are inside if it is None) are 0. Further options are those of the filter: window, power, length, mode ...
    """
    single = sinograms.ndim == 2
    if single:
        sinograms = sinograms[None]
    count, width = sinograms.shape[1:]
    n = size or width
    where = np.ones((n, n), bool) if where is None else where
    j, i = np.nonzero(where)
    x, y = i + 0.5 - n / 2, j + 0.5 - n / 2
    axis = np.broadcast_to(axis, count)
    weights = np.broadcast_to(np.pi / count if weights is None else weights, count)
    sums = np.zeros((len(sinograms), len(x)))
    for ray, theta in enumerate(angles):
        lines = taylor(sinograms[:, ray], **filtered)
        cos, sin = np.cos(theta) * FINE, np.sin(theta) * FINE
        for first in range(0, len(x), chunk):  # so many pixels stay in the cache
            part = slice(first, first + chunk)
            at = (axis[ray] - 0.5) * FINE + x[part] * cos - y[part] * sin
            place = np.rint(at)
            rest = (at - place) / FINE
            place = place.astype(np.intp) % lines.shape[1]
            for line, total in zip(lines, sums):
                terms = line[place]
                value = terms[:, -1]
                for term in reversed(range(TERMS - 1)):
                    value = value * rest + terms[:, term]
                total[part] += weights[ray] * value
    result = np.zeros((len(sinograms), n, n))
    result[:, j, i] = sums
    return result[0] if single else result


def spacing(angles):
    """Half the angles to the neighbours on the half circle: weights for angles that are not even."""
    on_circle = np.mod(angles, np.pi)
    order = np.argsort(on_circle, kind='stable')
    gaps = np.diff(np.append(on_circle[order], on_circle[order[0]] + np.pi))
    weights = np.empty(len(angles))
    weights[order] = (gaps + np.roll(gaps, 1)) / 2
    return weights
