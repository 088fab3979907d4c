#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""fourier-reconstruct against exact interpolation in float64, and beside direct back-projection against known objects.
Costs 9 s, whole 19 s.

usage: fourier.py [SIZE ...]: widths that the head is reconstructed at, 256 without any
"""
import json
import sys

import exact
import fbp
import numpy as np
import tap
from draw import drawn, in_turn
from fourier_scans import DENSITY, FOLDER, direct, fourier, padded_length, phantom, regions, simulated, sinograms
from program import at_most

SIZES = [int(word) for word in sys.argv[1:]] or [256]
ACCURACIES = 1e-3, 2e-4, 5e-5
WINDOWS = 'sinc', 'ram-lak'


def root_mean_square(values):
    return np.sqrt(np.mean(np.asarray(values, np.float64)**2))


def test_accuracy():
    """Objects and usual noise come out as exactly as stated, with a window and without."""
    for n in (n for n in SIZES if n <= 1024):  # the truth takes n^3
        inside = fbp.circle(n)
        files = [simulated(f'width={n} projections={n}', noise) for noise in (False, True)]
        rows, angles = sinograms(files[0])
        both = np.concatenate([rows, sinograms(files[1])[0]])
        for window in drawn(WINDOWS, 2):
            truths = exact.reconstruct(both, angles, n / 2, window=window, where=inside, length=padded_length(n))
            for file, truth, noise in zip(files, truths, ('clean', 'with noise')):
                for accuracy in ACCURACIES:
                    got = fourier(file, f'window={window} accuracy={accuracy}')[0]
                    at_most(fbp.relative_rmse(got, truth, inside), accuracy, f'{n}, {window}, {noise}')


def test_accuracy_decides():
    """The settings differ: none is better than stated because it is another one."""
    n = SIZES[0]
    file = simulated(f'width={n} projections={n}')
    rough, middle, fine = (fourier(file, f'accuracy={accuracy}')[0] for accuracy in ACCURACIES)
    inside = fbp.circle(n)
    assert fbp.relative_rmse(rough, fine, inside) > 2 * fbp.relative_rmse(middle, fine, inside) > 1e-5


def test_head():
    """Nearer to the head than direct back-projection: at edges, in flat regions, and in all."""
    for n in SIZES:
        truth = phantom(f'width={n} supersampling=8')[0]
        scan = f'width={n} projections={n} supersampling=8'  # bins are integrals over their width
        where = regions(truth)
        ways = {'direct': direct, 'fourier': fourier}
        clean = {name: way(simulated(scan))[0] for name, way in ways.items()}
        noisy = {name: way(simulated(scan, True))[0] for name, way in ways.items()}
        for name, region in where.items():
            # The window is chosen for equal noise, which leaves it 2 % where noise is nearly all of the error.
            for images, what, tolerance in (clean, 'clean', 1), (noisy, 'with noise', 1.03):
                error = {way: fbp.relative_rmse(image, truth, region) for way, image in images.items()}
                print(f'# {n}, {name}, {what}: direct {error["direct"]:.4f}, fourier {error["fourier"]:.4f}')
                at_most(error['fourier'] / error['direct'], tolerance, 'their ratio')
        noise = {way: root_mean_square((noisy[way] - clean[way])[where['flat']]) for way in ways}
        at_most(noise['fourier'] / noise['direct'], 1.03, f'{n}, noise in flat regions relative to direct')


def check_ghosts(n, place, radius):
    file = FOLDER / f'disc-{place[0]}-{place[1]}-{radius}.json'
    file.write_text(json.dumps([{'centre': place, 'half-axes': [radius, radius], 'value': 1}]))
    scan = simulated(f'object={file} width={n} projections={n}')
    inside = fbp.circle(n)
    contrast = DENSITY * 2 / n
    rows, angles = sinograms(scan)
    truths = {window: exact.reconstruct(rows[0], angles, n / 2, window=window, where=inside, length=padded_length(n))
              for window in WINDOWS}
    for accuracy in ACCURACIES:
        largest = max(np.abs(fourier(scan, f'window={window} accuracy={accuracy}')[0] - truth)[inside].max()
                      for window, truth in truths.items())
        at_most(largest / contrast, accuracy, f'{n}, disc of {radius} at {place}: largest difference')


def test_no_ghosts():
    """No pixel shows more than the accuracy of a dense disc's contrast: far off centre, tiny, and by the circle's edge."""
    for place, radius in drawn((((0.6, 0.45), 0.03), ((0.7, -0.5), 0.008), ((-0.3, 0.9), 0.03)), 3):
        check_ghosts(SIZES[0], place, radius)


def test_no_ghosts_from_outside():
    """The same of discs outside the circle, which some projections do not see, or see a part of."""
    for place, radius in drawn((((0.8, 0.8), 0.05), ((-0.95, 0.6), 0.04)), 2):
        check_ghosts(SIZES[0], place, radius)


def check_truncated(full, cut):
    """Of a head `cut` columns are missing on both sides."""
    n = full - 2 * cut
    scan = simulated(f'width={full} projections={full} supersampling=4')
    truth = phantom(f'width={full} supersampling=4')[0][cut:-cut, cut:-cut]
    columns = f'columns={cut}:{full - cut}'
    images = {'direct': direct(scan, 'padding-mode=edge', '', columns)[0],
              'fourier': fourier(scan, 'padding-mode=edge', columns)[0]}
    inside = fbp.circle(n, 0.02 * n)
    error = {way: fbp.relative_rmse(image, truth, inside) for way, image in images.items()}
    # What is cut off leaves an almost constant error, which depends on the length of the padding above all.
    shape = {way: np.std((image - truth)[inside]) / np.std(truth[inside]) for way, image in images.items()}
    said = (f'{way} errs {error[way]:.4f}, without the mean {shape[way]:.4f}' for way in error)
    print(f'# {n} of {full} columns:', ', '.join(said))
    at_most(shape['fourier'] / shape['direct'], 1, 'without the mean, relative to direct')
    return error['fourier'] / error['direct'], images['fourier'], scan


def test_truncated():
    """Objects wider than the detector, with edge padding: not worse than direct."""
    for full, cut in (512, 60), (1024, 260):
        ratio, _, _ = check_truncated(full, cut)
        at_most(ratio, 1, 'with it')
    # Here the two pad to different lengths.
    check_truncated(400, 120)


def test_truncated_is_exact():
    """Where the rows do not end in zeros, the square is full up to its corners, and errors in the circle are larger."""
    in_turn(0, 2)
    full, cut = 512, 60
    n = full - 2 * cut
    _, image, scan = check_truncated(full, cut)
    rows, angles = sinograms(scan)
    inside = fbp.circle(n)
    truth = exact.reconstruct(rows[0, :, cut:-cut], angles, n / 2, window='sinc', mode='edge', where=inside,
                              length=padded_length(n))
    at_most(fbp.relative_rmse(image, truth, inside), 4e-3, 'four times accuracy')


tap.main(globals())
