#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The tooth, from its HDF5 file to TIFF slices, against float64: on the CPU, on OpenCL, and from the ready graph. Costs 6 to 11 s,
whole 16 s: each window takes 5 s of numpy."""
import functools
import tempfile

import fbp
import h5py
import numpy as np
import tap
from draw import drawn, in_turn
from program import SOURCE, at_least, at_most, reconstruct, sinograph, slices, tooth

LINE = ('read path={} ! flat-field ! ramp-filter window=shepp-logan ! interleave ! back-project axis={} ! '
        'write path=PATH')


@functools.cache
def reference(window='shepp-logan'):
    with h5py.File(tooth()) as file:
        scan = file['exchange']
        angles = np.deg2rad(scan['theta'][:])
        rows = fbp.attenuation(scan['data'][:], scan['data_dark'][:], scan['data_white'][:])
    return np.stack([fbp.reconstruct(rows[:, row], angles, 296.5, window) for row in range(rows.shape[1])])


def compare(result, truth=None):
    truth = reference() if truth is None else truth
    assert result.shape == truth.shape and result.dtype == np.float32, (result.shape, result.dtype)
    inside = fbp.circle(640, 1)
    for row in range(len(truth)):
        at_least(fbp.correlation(result[row], truth[row], inside), 0.9995, f'correlation of slice {row}')
        # Values, not only their pattern: filters padded to other lengths differ in the fifth digit.
        at_most(fbp.relative_rmse(result[row], truth[row], inside), 1e-3, f'relative error of slice {row}')


def test_native():
    compare(reconstruct(LINE.format(tooth(), 296.5)))


def test_opencl():
    compare(reconstruct(LINE.format(tooth(), 296.5), 'cl:0'))


def test_half_a_pixel_is_seen():
    """The comparison would find a wrong convention: half a pixel costs a few per cent."""
    wrong = reconstruct(LINE.format(tooth(), 296.0))
    at_most(fbp.correlation(wrong[0], reference()[0], fbp.circle(640, 1)), 0.99, 'correlation half a pixel off')


def ready_graph(*settings):
    with tempfile.TemporaryDirectory() as folder:
        sinograph('run', '--quiet', '--device=native', SOURCE / 'docs/graphs/fbp-hdf5.json',
                  '--set', f'read.path={tooth()}', '--set', 'reconstruct.axis=296.5',
                  '--set', f'write.path={folder}/slice-%05i.tif', *(f'--set=reconstruct.{s}' for s in settings))
        return slices(folder)


def test_ready_graph():
    for window, settings in drawn((('ram-lak', ()), ('shepp-logan', ('window=shepp-logan',))), 3):
        compare(ready_graph('method=direct', *settings), reference(window))


def test_fourier():
    """With a window that leaves little of what interpolation changes, where all projections see the object."""
    in_turn(2, 3)
    result, truth = ready_graph('method=fourier', 'window=hann'), reference('hann')
    for row in range(len(truth)):
        at_least(fbp.correlation(result[row], truth[row], fbp.circle(640, 24)), 0.999, f'correlation of slice {row}')


def test_auto_is_one_of_them():
    assert ready_graph().tobytes() in [ready_graph(f'method={method}').tobytes() for method in ('direct', 'fourier')]


tap.main(globals())
