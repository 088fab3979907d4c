# SPDX-License-Identifier: LGPL-3.0-or-later
"""Transmission some way behind ellipsoids, in float64: their exact thickness, as a wave, through free space.

A wave of length lambda behind an object of thickness T, index 1 - delta + i beta, is exp (-(2 pi / lambda) (beta + i delta) T).
Free space of length z multiplies its spectrum by exp (-i pi lambda z f^2) (J. W. Goodman, Introduction to Fourier Optics, 4.2, the
constant phase left out). Detector pixels see the mean intensity of FINE x FINE points.
"""
import h5py
import numpy as np

ENERGY = 20.  # keV
WAVELENGTH = 12.39841984e-10 / ENERGY
DELTA, BETA = 5.76e-7, 4.0e-10  # about water
PIXEL, DISTANCE = 1e-6, 0.02  # m
WORDS = f'energy={ENERGY} distance={DISTANCE} pixel-size={PIXEL} delta-beta={DELTA / BETA}'
MU = 4 * np.pi * BETA / WAVELENGTH  # per m
FINE = 4


def thickness(ellipsoids, width, height, fine=1, angle=0.):
    """Of ellipsoids (x, y, z, half axes a, b, c along these) in pixels from the middle, seen along y after a turn about z, in m."""
    u = (np.arange(width * fine) + 0.5) / fine - width / 2
    v = (np.arange(height * fine) + 0.5) / fine - height / 2
    total = np.zeros((height * fine, width * fine))
    cosine, sine = np.cos(angle), np.sin(angle)
    for x, y, z, a, b, c in ellipsoids:
        half = np.hypot(a * cosine, b * sine)  # of the shadow
        inside = 1 - ((u[None, :] - x * cosine + y * sine) / half)**2 - ((v[:, None] - z) / c)**2
        total += 2 * a * b / half * np.sqrt(np.maximum(inside, 0))
    return total * PIXEL


def intensity(thick):
    """On pixels, of a thickness in m that is FINE times as fine."""
    wave = np.exp(-2 * np.pi / WAVELENGTH * (BETA + 1j * DELTA) * thick)
    v, u = (np.fft.fftfreq(n, PIXEL / FINE) for n in wave.shape)
    spectrum = np.fft.fft2(wave) * np.exp(-1j * np.pi * WAVELENGTH * DISTANCE * (u[None, :]**2 + v[:, None]**2))
    height, width = (n // FINE for n in wave.shape)
    return (np.abs(np.fft.ifft2(spectrum))**2).reshape(height, FINE, width, FINE).mean(axis=(1, 3))


def transmission(ellipsoids, width, height):
    return intensity(thickness(ellipsoids, width, height, FINE))


def write(path, images, degrees):
    with h5py.File(path, 'w') as file:
        file['exchange/data'] = np.asarray(images, np.float32)
        file['exchange/theta'] = np.asarray(degrees, float)
