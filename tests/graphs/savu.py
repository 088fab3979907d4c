#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A scan of TIFF files whose flat has zero pixels, against float64: on the CPU, on OpenCL, and from the ready graph. Where the
measured one is absent, a simulated one stands for it."""
import functools
import tempfile
from pathlib import Path
from unittest import SkipTest

import fbp
import h5py
import numpy as np
import tap
import tifffile
from program import SOURCE, at_least, data, reconstruct, sinograph, slices

AXIS = 86.25
TEMPORARY = tempfile.TemporaryDirectory()


@functools.cache
def scan():
    """The folder of the scan, and the rows that are looked at."""
    try:
        return data('savu-tiff'), slice(0, 135, 9)
    except SkipTest as why:
        print(f'# {why}: a simulated one is taken', flush=True)
    folder = Path(TEMPORARY.name)
    sinograph('launch', '--quiet', f'simulate object=shepp-logan-3d width=160 height=9 projections=91 angles=-88.2:93.8 axis={AXIS} '
              f'type=u16 bits=16 photons=20000 darks=1 flats=1 structure=0.3 dead-pixels=0.005 ! write path={folder}/scan.h5')
    (folder / 'tiffs').mkdir()
    with h5py.File(folder / 'scan.h5') as file:
        for i, frame in enumerate(file['exchange/data']):
            tifffile.imwrite(folder / f'tiffs/raw_{i:05d}.tiff', frame)
        for name, dataset in ('dark', 'data_dark'), ('flat', 'data_white'):
            tifffile.imwrite(folder / f'{name}_00001.tiff', file['exchange'][dataset][0])
    return folder, slice(0, 9, 1)


# 0 and 180 degrees are one direction.
ONCE = np.array([[0.5]] + [[1.0]] * 89 + [[0.5]]) * 91 / 90


@functools.cache
def reference(once):
    folder, looked_at = scan()
    projections = np.stack([tifffile.imread(file) for file in sorted(folder.glob('tiffs/raw_*.tiff'))])
    dark, flat = (tifffile.imread(folder / f'{name}_00001.tiff')[None] for name in ('dark', 'flat'))
    assert (flat == 0).any()
    rows = fbp.attenuation(projections, dark, flat)
    angles = np.deg2rad(-88.2 + 2.0 * np.arange(91))
    every = range(looked_at.start, looked_at.stop, looked_at.step)
    return {row: fbp.reconstruct(rows[:, row] * (ONCE if once else 1), angles, AXIS, 'shepp-logan') for row in every}


def compare(result, once=True):
    """`once`: each direction counts once, else each projection."""
    assert result.shape == (scan()[1].stop, 160, 160) and np.isfinite(result).all(), result.shape
    worst = min(fbp.correlation(result[row], truth, fbp.circle(160, 1)) for row, truth in reference(once).items())
    at_least(worst, 0.9995, 'correlation of the worst slice')


def line(weights='auto'):
    folder, _ = scan()
    return (f'read path={folder}/tiffs darks={folder}/dark_00001.tiff flats={folder}/flat_00001.tiff angles=-88.2:93.8 ! '
            f'flat-field ! ramp-filter window=shepp-logan ! interleave ! back-project axis={AXIS} weights={weights} ! write path=PATH')


def test_native():
    compare(reconstruct(line('uniform')), once=False)
    compare(reconstruct(line()))


def test_opencl():
    compare(reconstruct(line(), 'cl:0'))


def test_ready_graph():
    source, _ = scan()
    settings = {'read.path': source / 'tiffs', 'read.darks': source / 'dark_00001.tiff',
                'read.flats': source / 'flat_00001.tiff', 'read.angles': '-88.2:93.8', 'reconstruct.axis': AXIS,
                'reconstruct.method': 'direct', 'reconstruct.window': 'shepp-logan'}
    with tempfile.TemporaryDirectory() as folder:
        settings['write.path'] = f'{folder}/slice-%05i.tif'
        sinograph('run', '--quiet', '--device=native', SOURCE / 'docs/graphs/fbp-tiff.json',
                  *(word for name, value in settings.items() for word in ('--set', f'{name}={value}')))
        compare(slices(folder))


tap.main(globals())
