#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""fourier-reconstruct on measured scans, against exact interpolation in float64 and against direct back-projection.

Linear interpolation is a window of sinc^2 on average only: with the frequencies next to Nyquist's it leaves images of them
elsewhere. In slices with few projections, where noise is much of what there is, that is a difference of its own:
direct with plain ram-lak correlates with exact interpolation and sinc^2 to 0.998 in the tooth and 0.956 where the tube is
empty. A window of sinc^2 on both sides takes most of those frequencies away, and what is left is compared. Costs 8 s, whole 16 s.
"""
import exact
import fbp
import numpy as np
import tap
from draw import drawn
from fourier_scans import direct, fourier, launch, padded_length, sinograms
from program import at_least, at_most, data, tooth


def tooth_scan():
    return f'read path={tooth()}', 296.5


def tube():
    folder = data('savu-tiff')
    return (f'read path={folder}/tiffs darks={folder}/dark_00001.tiff flats={folder}/flat_00001.tiff angles=-88.2:93.8',
            86.25)


def seen_by_all(width, axis):
    """Direct back-projection leaves rays beyond the detector out."""
    middle = np.arange(width) + 0.5 - width / 2
    return np.hypot(middle[None, :], middle[:, None]) <= min(axis, width - axis) - 2


def correlations(a, b, where):
    return np.array([fbp.correlation(x, y, where) for x, y in zip(a, b, strict=True)])


def check_direct(source, axis, padding):
    scan = launch(f'{source} ! flat-field')
    width = sinograms(scan)[0].shape[2]
    where, padding = seen_by_all(width, axis), f'padding-mode={padding}'

    def compare(filter_options, options, what):
        got = fourier(scan, f'axis={axis} {padding} {options}')
        truth = direct(scan, f'{padding} {filter_options}', f'axis={axis}')
        found = correlations(got, truth, where)
        whole = fbp.correlation(got, truth, np.broadcast_to(where, got.shape))
        print(f'# {padding}, {what}: correlation {whole:.5f}, of single slices {found.min():.5f} to {found.max():.5f}')
        return whole

    compare('', '', 'defaults of both')
    compare('', 'power=2', 'ram-lak and linear against power=2')
    at_least(compare('window=sinc power=2', 'power=4', 'sinc^2 and linear against power=4'), 0.999, 'that')
    # Half a bin off is another slice.
    off = fourier(scan, f'axis={axis + 0.5} {padding} power=4')
    truth = direct(scan, f'{padding} window=sinc power=2', f'axis={axis}')
    at_most(fbp.correlation(off, truth, np.broadcast_to(where, off.shape)), 0.998, 'correlation half a bin off')


def check_exact(source, axis, step):
    scan = launch(f'{source} ! flat-field')
    rows, angles = sinograms(scan)
    width = rows.shape[2]
    where = seen_by_all(width, axis)
    weights = np.full(len(angles), np.pi / len(angles))
    if abs(angles[-1] - angles[0] - np.pi) < 1e-6:  # one direction
        weights = np.full(len(angles), np.pi / (len(angles) - 1))
        weights[[0, -1]] /= 2
    for window, power in drawn((('sinc', 1.5), ('ram-lak', 0)), 2):
        truth = exact.reconstruct(rows[::step], angles, axis, weights, window=window, power=power, where=where,
                                  length=padded_length(width))
        for accuracy in 1e-3, 2e-4, 5e-5:
            got = fourier(scan, f'axis={axis} window={window} accuracy={accuracy}')[::step]
            worst = max(fbp.relative_rmse(a, b, where) for a, b in zip(got, truth, strict=True))
            at_most(worst, accuracy, f'{window}, accuracy={accuracy}: error of the worst slice')
            if accuracy == 1e-3:
                at_least(correlations(got, truth, where).min(), 0.999999, 'correlation of the worst slice')


def test_tooth_exact():
    check_exact(*tooth_scan(), 1)


def test_tooth_direct():
    check_direct(*tooth_scan(), 'zero')


def test_tube_exact():
    check_exact(*tube(), 27)


def test_tube_direct():
    """The tube is wider than the detector in some rows."""
    for padding in drawn(('zero', 'edge'), 2):
        check_direct(*tube(), padding)


tap.main(globals())
