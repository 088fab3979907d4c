#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A simulated scan of a real detector goes into an HDF5 file and comes out as slices, right against its object."""
import tempfile

import fbp
import h5py
import numpy as np
import tap
from program import at_least, at_most, reconstruct, sinograph
from scipy import ndimage

OBJECT = 'object=shepp-logan-3d z=-0.25 width=256 height=6'
SCAN = (f'simulate {OBJECT} projections=400 axis=120.75 type=u16 photons=100000 bits=16 darks=3 flats=8 '
        'structure=0.5 dead-pixels=0.0002 ! write path={}')
LINE = 'read path={} ! flat-field ! ramp-filter ! interleave ! back-project axis=120.75 ! write path=PATH'


def test_scan():
    with tempfile.TemporaryDirectory() as folder:
        file = f'{folder}/scan.h5'
        sinograph('launch', '--quiet', SCAN.format(file))
        result = reconstruct(LINE.format(file))
        with h5py.File(file) as scan:
            exchange = {name: data[:] for name, data in scan['exchange'].items()}
    assert exchange['data'].shape == (400, 6, 256) and exchange['data'].dtype == np.uint16
    assert len(exchange['data_white']) == 8 and len(exchange['data_dark']) == 3
    np.testing.assert_allclose(exchange['theta'], np.arange(400) * 180 / 400, atol=1e-4)
    rows = fbp.attenuation(exchange['data'], exchange['data_dark'], exchange['data_white'])
    inside = fbp.circle(256, 1)
    for row in (0, 5):
        truth = fbp.reconstruct(rows[:, row], np.deg2rad(exchange['theta']), 120.75)
        at_least(fbp.correlation(result[row], truth, inside), 0.9995, f'correlation of slice {row}')

    head = reconstruct(f'phantom {OBJECT} ! write path=PATH')
    for value in np.unique(head[3]):
        where = ndimage.binary_erosion(head[3] == value, iterations=4) & inside
        if value > 0.001 and where.sum() >= 100:
            # Noise leaves 0.1 % on the mean of a hundred pixels, sampling 256 columns some more.
            at_most(abs(result[3][where].mean() / value - 1), 0.01, f'error of the mean {value:.6f}')


tap.main(globals())
