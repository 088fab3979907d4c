# SPDX-License-Identifier: LGPL-3.0-or-later
"""A body with inserts and two metal rods, measured with a spectrum and photons: exact projections, made by float64 numpy."""
import h5py
import numpy as np

# Attenuation per cm at 40, 60, 80 and 100 keV (NIST XCOM, rounded), and the share of photons at each.
SHARES = np.array([.2, .4, .3, .1])
WATER = np.array([.268, .206, .184, .171])
BONE = np.array([1.28, .604, .428, .356])
IRON = np.array([28.6, 9.5, 4.69, 2.93])
SIZE = 16  # cm, width of the body
# Ellipsoids: centre and half axes as parts of half the body's width, rotation about z, and what they add to water.
LONG = 30.0
BODY = (((0, 0, 0), (1, .75, 1.5), 0, WATER),
        ((-.45, .25, .1), (.16, .16, .3), 0, -.12 * WATER), ((.1, -.45, 0), (.14, .14, .5), 0, BONE - WATER),
        ((0, .42, -.2), (.2, .1, .4), .3, .6 * (BONE - WATER)), ((-.1, -.05, .2), (.08, .08, .2), 0, .06 * WATER),
        ((.5, .25, 0), (.06, .06, .1), 0, -.5 * WATER))
RODS = (((-.4, -.15, 0), (.045, .045, LONG), 0, IRON - WATER), ((.38, -.1, 0), (.045, .045, LONG), 0, IRON - WATER))


class Scan:
    """Rays of a scan, in columns: a parallel beam, or a cone from `source_origin` to a detector `origin_detector` behind the axis."""

    def __init__(self, n, rows, projections, axis=None, source_origin=0, origin_detector=0, turn=180):
        self.n, self.rows, self.axis = n, rows, n / 2 if axis is None else axis
        self.distances = source_origin, origin_detector
        self.degrees = np.arange(projections) * turn / projections
        self.voxels = .38 * n  # half of the body's width, in voxels
        self.half = self.voxels * (source_origin / (source_origin + origin_detector) if source_origin else 1)  # in columns of the detector

    def lengths(self, centre, axes, turn, thinner=2):
        """Of the rays inside an ellipsoid, in half body widths: (angle, row, column, ray of the column)."""
        u = ((np.arange(self.n * thinner) + .5) / thinner - self.axis) / self.half
        v = (np.arange(self.rows) + .5 - self.rows / 2) / self.half
        angle = np.radians(self.degrees)[:, None, None]
        u, v = u[None, None, :], v[None, :, None]
        across, along = (np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))
        source, detector = (d / self.half for d in self.distances)
        on_detector = [u * across[i] + (detector if source else 0) * along[i] for i in (0, 1)] + [v + 0 * angle]
        if source:
            from_source = [-source * along[i] + 0 * u for i in (0, 1)] + [0 * v]
            way = [d - s for d, s in zip(on_detector, from_source)]
        else:
            way = [along[0] + 0 * u, along[1] + 0 * u, 0 * v]
        norm = np.sqrt(sum(w * w for w in way))
        c, s = np.cos(turn), np.sin(turn)
        p = [d - m for d, m in zip(on_detector, centre)]
        p = [(c * p[0] + s * p[1]) / axes[0], (c * p[1] - s * p[0]) / axes[1], p[2] / axes[2]]
        d = [w / norm for w in way]
        d = [(c * d[0] + s * d[1]) / axes[0], (c * d[1] - s * d[0]) / axes[1], d[2] / axes[2]]
        a, b, e = sum(x * x for x in d), sum(x * y for x, y in zip(p, d)), sum(x * x for x in p) - 1
        length = 2 * np.sqrt(np.maximum(b * b - a * e, 0)) / a
        return length.reshape(len(self.degrees), self.rows, self.n, thinner)

    def attenuation(self, parts, photons, seed=0, energies=SHARES):
        """-ln of the share of photons that arrive. photons=0: without noise. `energies`: share of photons at each energy."""
        to_cm = SIZE / 2
        sums = sum(self.lengths(*part[:3])[..., None] * to_cm * part[3] for part in parts)
        arrived = (np.exp(-sums) @ energies).mean(-1)
        if photons:
            arrived = np.maximum(np.random.default_rng(seed).poisson(arrived * photons), 1) / photons
        return -np.log(arrived)

    def words(self, path):
        """The file, for `read`."""
        source, detector = self.distances
        return f'path={path} source-origin={source:g} origin-detector={detector:g}' if source else f'path={path}'

    def save(self, path, attenuation):
        with h5py.File(path, 'w') as file:
            file['exchange/data'] = attenuation.astype(np.float32)
            file['exchange/theta'] = self.degrees
            file['exchange/rotation_axis'] = self.axis
        return self.words(path)

    def outside_rods(self, slices):
        """Voxels of the inscribed circle that are more than two voxels away from rods."""
        n = slices.shape[-1]
        place = np.arange(n) + .5 - n / 2
        x, y = place[None, :], place[:, None]
        outside = x * x + y * y < (n / 2) ** 2
        for centre, axes, *_ in RODS:
            outside = outside & (np.hypot(x - centre[0] * self.voxels, y - centre[1] * self.voxels) > axes[0] * self.voxels + 2)
        return np.broadcast_to(outside, slices.shape)
