#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Stripes that wavelets tell, against the algorithm of their paper (B. Muench, P. Trtik, F. Marone and M. Stampanoni, Optics
Express 17, 2009, 8567) in float64, with the borders of PyWavelets."""
import math
import os
import tempfile

import h5py
import numpy as np
import tap
from program import sinograph

RNG = np.random.default_rng(4)


def written(line, out='out.h5'):
    sinograph('launch', '--quiet', '--device=native', f'{line} ! write path={out} overwrite=true')
    with h5py.File(out) as file:
        return file['exchange/data'][:]


def save(projections, path):
    with h5py.File(path, 'w') as file:
        file['exchange/data'] = projections.astype(np.float32)
        file['exchange/theta'] = np.arange(len(projections)) * 180 / len(projections)


def daubechies(moments):
    """The scaling filter: the spectral factor of least phase, from the zeros of its polynomial."""
    taps = np.ones(1, complex)
    for y in np.roots([math.comb(moments - 1 + k, k) for k in reversed(range(moments))]):
        b = 1 - 2 * y
        taps = np.convolve(taps, [1, -min(b + np.sqrt(b * b - 1), b - np.sqrt(b * b - 1), key=abs)])
    for _ in range(moments):
        taps = np.convolve(taps, [1, 1])
    return taps.real / taps.real.sum() * np.sqrt(2)


def halves(image, taps):
    """Both halves along the first axis, as PyWavelets has them in its mode `symmetric`."""
    size = len(taps)
    both = np.concatenate([image, image[::-1]])  # which goes on for ever
    padded = both[np.arange(1 - size, len(image) + size - 1) % len(both)]
    return [sum(tap * padded[size - j:][:len(image) + size - 1:2][:(len(image) + size - 1) // 2]
                for j, tap in enumerate(reversed(half))) for half in (taps, mirror(taps))]


def mirror(taps):
    return taps[::-1] * (-1) ** np.arange(len(taps))


def joined(low, high, taps):
    out = np.zeros((2 * len(low) + len(taps) - 2,) + low.shape[1:])
    for half, filtered in (low, taps), (high, mirror(taps)):
        for j, tap in enumerate(filtered):
            out[j:j + 2 * len(low):2] += tap * half
    return out[len(taps) - 2:len(out) - len(taps) + 2]


def without_stripes(sinogram, wavelet=5, levels=3, sigma=0.5):
    taps, kept, image = daubechies(wavelet), [], sinogram.astype(np.float64)
    for _ in range(levels):
        (low, high) = halves(image, taps)
        (image, vertical), (horizontal, diagonal) = ([half.T for half in halves(part.T, taps)] for part in (low, high))
        frequencies = np.fft.fftfreq(len(vertical)) * len(vertical)
        damping = 1 - np.exp(-frequencies**2 / (2 * sigma**2))
        vertical = np.fft.ifft(np.fft.fft(vertical, axis=0) * damping[:, None], axis=0).real
        kept.append((horizontal, vertical, diagonal))
    for horizontal, vertical, diagonal in reversed(kept):
        image = image[:vertical.shape[0], :vertical.shape[1]]
        low, high = (joined(a.T, b.T, taps).T for a, b in ((image, vertical), (horizontal, diagonal)))
        image = joined(low, high, taps)
    return image[:sinogram.shape[0], :sinogram.shape[1]]


def test_wavelets():
    """Of any size and order; values are about 1."""
    for angles, columns, settings in ((97, 130, {}), (97, 130, {'levels': 5, 'sigma': 2}),
                                      (64, 83, {'wavelet': 1, 'levels': 3, 'sigma': 0.6}),
                                      (33, 50, {'wavelet': 10, 'levels': 6, 'sigma': 40}),
                                      (120, 41, {'wavelet': 2, 'levels': 2, 'sigma': 3.5}), (1, 7, {'levels': 2})):
        scan = RNG.normal(0, 0.05, (angles, 5, columns)) + np.sin(np.arange(columns) / 9) + RNG.normal(0, 0.3, (5, columns))
        save(scan, 'scan.h5')
        words = ' '.join(f'{name}={"db" if name == "wavelet" else ""}{value}' for name, value in settings.items())
        node = f'remove-stripes method=wavelet-fourier {words}'
        got = written(f'read path=scan.h5 ! interleave ! {node}')
        for row in range(5):
            error = np.abs(got[row] - without_stripes(scan[:, row].astype(np.float32), **settings)).max()
            tap.check(error < 1e-5, (angles, columns, settings, row, error))
    stripes = np.repeat(RNG.normal(0, 1, (1, 5, 200)), 90, axis=0)
    save(stripes, 'scan.h5')
    left = written('read path=scan.h5 ! interleave ! remove-stripes method=wavelet-fourier levels=6')
    tap.check(np.std(left) < 0.2, np.std(left))  # what is left is wider than the coarsest wavelet


def test_no_numbers():
    """They stay where they are and do no harm to others, unless their column is bridged."""
    scan = RNG.normal(0, 0.05, (60, 2, 80)) + np.sin(np.arange(80) / 9)
    expected = scan.astype(np.float32)
    scan[7, 1, 30] = np.nan
    scan[9:12, 1, 0] = np.inf
    expected[7, 1, 30], expected[9:12, 1, 0] = expected[7, 1, 29], expected[9:12, 1, 1]
    save(scan, 'scan.h5')
    got = written('read path=scan.h5 ! interleave ! remove-stripes method=wavelet-fourier')
    broken = ~np.isfinite(scan.transpose(1, 0, 2))
    tap.check(np.isnan(got[1, 7, 30]) and np.isinf(got[1, 9:12, 0]).all(), got[1, 7, 30])
    for row in range(2):
        error = np.abs(got[row] - without_stripes(expected[:, row]))[~broken[row]].max()
        tap.check(error < 1e-5, (row, error))
    got = written('read path=scan.h5 ! interleave ! remove-stripes method=wavelet-fourier bridge=true la-size=9')
    tap.check(np.isfinite(got[1, :, 30]).all(), got[1, 7, 30])


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tap.main(globals())
