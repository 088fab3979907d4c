#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A scan of TIFF files whose flat has zero pixels, against float64: on the CPU, on OpenCL, and from the ready graph."""
import functools
import tempfile

import fbp
import numpy as np
import tap
import tifffile
from program import SOURCE, at_least, data, reconstruct, sinograph, slices

AXIS = 86.25
ROWS = range(0, 135, 9)


@functools.cache
def reference():
    folder = data('savu-tiff')
    projections = np.stack([tifffile.imread(file) for file in sorted(folder.glob('tiffs/raw_*.tiff'))])
    dark, flat = (tifffile.imread(folder / f'{name}_00001.tiff')[None] for name in ('dark', 'flat'))
    assert (flat == 0).any()
    rows = fbp.attenuation(projections, dark, flat)
    angles = np.deg2rad(-88.2 + 2.0 * np.arange(91))
    return {row: fbp.reconstruct(rows[:, row], angles, AXIS, 'shepp-logan') for row in ROWS}


def compare(result):
    assert result.shape == (135, 160, 160) and np.isfinite(result).all(), result.shape
    worst = min(fbp.correlation(result[row], truth, fbp.circle(160, 1)) for row, truth in reference().items())
    at_least(worst, 0.9995, 'correlation of the worst slice')


def line():
    folder = data('savu-tiff')
    return (f'read path={folder}/tiffs darks={folder}/dark_00001.tiff flats={folder}/flat_00001.tiff angles=-88.2:93.8 ! '
            f'flat-field ! ramp-filter window=shepp-logan ! interleave ! back-project axis={AXIS} ! write path=PATH')


def test_native():
    compare(reconstruct(line()))


def test_opencl():
    compare(reconstruct(line(), 'cl:0'))


def test_ready_graph():
    source = data('savu-tiff')
    settings = {'read.path': source / 'tiffs', 'read.darks': source / 'dark_00001.tiff',
                'read.flats': source / 'flat_00001.tiff', 'read.angles': '-88.2:93.8', 'reconstruct.axis': AXIS,
                'reconstruct.method': 'direct', 'reconstruct.window': 'shepp-logan'}
    with tempfile.TemporaryDirectory() as folder:
        settings['write.path'] = f'{folder}/slice-%05i.tif'
        sinograph('run', '--quiet', '--device=native', SOURCE / 'docs/graphs/fbp-tiff.json',
                  *(word for name, value in settings.items() for word in ('--set', f'{name}={value}')))
        compare(slices(folder))


tap.main(globals())
