# SPDX-License-Identifier: LGPL-3.0-or-later
"""Scans with beams of many energies, in float64, by numbers that the project does not use: spectra of SpekPy 2.5.4 (MIT licence;
G. Poludniowski and others, Medical Physics 48, 2021, 3630) for a tungsten anode of 12 degrees, and mass attenuation coefficients of
NIST (J. H. Hubbell, S. M. Seltzer, NISTIR 5632), between whose energies the logarithms are interpolated."""
import h5py
import numpy as np

# 60 kV behind 1 mm of Al, and 100 kV behind 2.5 mm: photons in steps of 2 keV from 3 keV on, and those of the energy 11 keV first.
SPECTRA = {
    60: (11, [.01662, .06892, .2249, .4462, .6631, .8316, .9385, .9911, 1, .9771, .9331, .8764, .813, .7448, .676, .6075, .5402, .4747, .4106, .3481,
              .2868, .2262, .1657, .1036, .03833]),
    100: (13, [.0002992, .00578, .0342, .1041, .2143, .3456, .477, .5915, .6805, .7432, .7826, .8041, .8065, .7985, .7811, .7569, .7292, .6974, .6646,
               .6308, .5966, .5631, .8114, 1, .4658, .4352, .4058, .5587, .3876, .2913, .2704, .2499, .2296, .2095, .1895, .1697, .15, .1304, .1108,
               .09119, .07146, .0517, .03186, .01183]),
}  # fmt: skip
ENERGIES = [10, 15, 20, 30, 40, 50, 60, 80, 100]
DENSITY = {'Al': 2.699, 'Fe': 7.874, 'H2O': 1}
MASS = {'Al': [26.23, 7.955, 3.441, 1.128, .5685, .3681, .2778, .2018, .1704],
        'Fe': [170.6, 57.08, 25.68, 8.176, 3.629, 1.958, 1.205, .5952, .3717],
        'H2O': [5.329, 1.673, .8096, .3756, .2683, .2269, .2059, .1837, .1707]}  # fmt: skip


class Beam:
    """A detector that measures energy."""

    def __init__(self, voltage):
        first, photons = SPECTRA[voltage]
        self.energies = first + 2.0 * np.arange(len(photons))
        self.weights = self.energies * photons / np.sum(self.energies * photons)

    def per_mm(self, material):
        return 0.1 * DENSITY[material] * np.exp(np.interp(np.log(self.energies), np.log(ENERGIES), np.log(MASS[material])))

    def thin(self, material):
        """Attenuation of thin objects, per mm."""
        return np.sum(self.weights * self.per_mm(material))

    def attenuation(self, **lengths):
        """Of rays through lengths of materials in mm."""
        depth = sum(np.multiply.outer(self.per_mm(material), length) for material, length in lengths.items())
        return -np.log(np.tensordot(self.weights, np.exp(-depth), 1))


def chords(degrees, columns, pixel, disc, distances=None):
    """Lengths of the rays in the middle plane through a disc (x, y, radius), by angle and column: in a parallel beam, or from a
    source at the first of two distances from the axis to a detector at the second."""
    x, y, radius = disc
    turn = np.deg2rad(degrees)[:, None]
    across, along = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
    u = (np.arange(columns)[None] + 0.5 - columns / 2) * pixel
    if distances:
        source, detector = distances
        slope = u / (source + detector)
        away = np.abs(across - slope * (source + along)) / np.hypot(1, slope)
    else:
        away = np.abs(u - across)
    return 2 * np.sqrt(np.maximum(radius**2 - away**2, 0))


def write(path, sinogram, rows, degrees, **more):
    """A scan whose rows are all alike."""
    with h5py.File(path, 'w') as file:
        file['exchange/data'] = np.repeat(sinogram[:, None], rows, 1).astype('f4')
        file['exchange/theta'] = degrees
        for name, value in more.items():
            file['exchange/' + name] = value


def away(image):
    """Distances of pixels from the middle, in pixels."""
    y, x = np.mgrid[:image.shape[0], :image.shape[1]]
    return np.hypot(x - (image.shape[1] - 1) / 2, y - (image.shape[0] - 1) / 2)


def cupping(image, radius, pixel):
    """How much darker the middle is than the rim, where the edge is no longer blurred."""
    r = away(image)
    return 1 - image[r < 5].mean() / image[np.abs(r - radius / pixel + 3.25) < 0.75].mean()


def rings(image, radius, pixel, edge=4):
    """Means over rings of four pixels, from the middle to near the edge."""
    r = away(image)
    ends = np.arange(radius / pixel - edge, 0, -4)[::-1]
    return np.array([image[(r >= a) & (r < b)].mean() for a, b in zip(ends, ends[1:])])


def unevenness(image, radius, pixel):
    """Greatest deviation of a ring from the mean, as a share of it."""
    values = rings(image, radius, pixel)
    return np.abs(values / values.mean() - 1).max()
