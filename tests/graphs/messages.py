#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What is said of scans that would be reconstructed wrong without a word."""
import os
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap
from program import sinograph_fails

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
WIDTH = 64


def said(line, *words):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', *words, line], capture_output=True, text=True)
    tap.check(done.returncode == 0, f'{line}\n{done.stderr}')
    return done.stderr


def wants(line, *texts):
    got = said(line)
    for text in texts:
        tap.check(text in got, f'{line}\nsays {got}\nnot {text}')


def quiet(line):
    got = said(line)
    tap.check(not got, f'{line}\nsays {got}')


def save(scan, angles, **more):
    with h5py.File(PATH / 'scan.h5', 'w') as file:
        file['exchange/data'] = scan
        file['exchange/theta'] = angles
        for name, values in more.items():
            file[f'exchange/{name}'] = values
    return PATH / 'scan.h5'


def disc(count=90, turn=180., width=WIDTH, radius=24., value=.02):
    u = np.arange(width) + .5 - width / 2
    row = 2 * value * np.sqrt(np.maximum(radius ** 2 - u ** 2, 0))
    return np.tile(row, (count, 2, 1)).astype(np.float32), np.arange(count) * turn / count


def test_axis_assumed():
    path = save(*disc())
    for method in 'ramp-filter ! interleave ! back-project', 'interleave ! fourier-reconstruct':
        wants(f'read path={path} ! {method} ! null', "the scan does not give its axis: column 32, the middle, is assumed; give axis=")
        quiet(f'read path={path} axis=32 ! {method} ! null')


def test_directions():
    scan, angles = disc()
    chain = 'ramp-filter ! interleave ! back-project axis=32 ! null'
    wants(f'read path={save(scan, angles * 2 / 3)} ! {chain}', 'directions from 118.7 to 180 degrees are missing, 61.3 of 180')
    wants(f'read path={save(scan, np.where(angles < 90, angles, angles + 30))} ! {chain}', 'directions from 88 to 120 degrees are missing')
    wants(f'read path={save(scan, np.radians(angles * 90 / 89))} ! {chain}',
          'the angles end at half a turn or a whole turn in radians: give degrees')
    quiet(f'read path={save(scan, angles)} ! {chain}')
    quiet(f'read path={save(np.delete(scan, 40, 0), np.delete(angles, 40))} ! {chain}')
    quiet(f'read path={save(scan[::10], angles[::10])} ! {chain}')


def test_counts():
    scan, angles = disc()
    wants(f'read path={save(scan + 3e4, angles)} ! reconstruct ! null', 'values are about 3e+04', "'flat-field' turns counts into "
                                                                                                  "attenuation")


def test_flats_of_another_exposure():
    scan, angles = disc()
    for light in 0.5, 0.9:
        wants(f'read path={save(scan + np.log(light), angles)} ! find-axis ! reconstruct ! null',
              f'as if the flats had {100 * light:.0f} % of the light of the projections', "'correct-dose'")


def test_truncated():
    scan, angles = disc(radius=60.)
    path = save(scan, angles)
    wants(f'read path={path} ! find-axis ! reconstruct ! null', 'values do not fall to zero at the borders of the detector', 'padding-mode=auto')
    slices = {}
    for mode in 'auto', 'edge', 'zero':
        said(f'read path={path} ! find-axis ! reconstruct method=direct padding-mode={mode} ! write path={PATH}/{mode}.h5')
        with h5py.File(PATH / f'{mode}.h5') as file:
            slices[mode] = file['exchange/data'][0]
    tap.check(np.array_equal(slices['auto'], slices['edge']), 'auto is not edge')
    rim = slices['auto'][32, 2:6].mean(), slices['zero'][32, 2:6].mean()
    tap.check(abs(rim[0] / .02 - 1) < .4 and abs(rim[1] / .02 - 1) > 1, f'values at the rim: {rim}, .02 wanted')
    path = save(*disc())
    tap.check('fall to zero' not in said(f'read path={path} ! find-axis ! reconstruct ! null'), 'a disc within the detector')


def test_truncated_in_any_order():
    """Rows that show little of the object do not count, whether they come before or after those that show it."""
    scan, angles = disc(count=64)
    scan = np.repeat(scan[:, :1], 32, 1)
    scan[:, :16] = 0.1 * scan.max()
    for rows in scan, scan[:, ::-1]:
        text = said(f'read path={save(rows, angles)} axis=32 ! reconstruct method=direct ! null', '--threads=1')
        tap.check('fall to zero' not in text, text)


def test_clamped():
    scan, angles = disc()
    counts = np.round(20000 * np.exp(-scan)) + 100
    counts[:, :, 30:32] = 90
    path = save(counts.astype(np.uint16), angles, data_white=np.full((2, 2, WIDTH), 20100, np.uint16), data_dark=np.full((2, 2, WIDTH), 100, np.uint16))
    wants(f'read path={path} ! flat-field ! null', '3.1 % of the values are not above')
    wants(f'read path={path} ! flat-field ! reconstruct axis=32 ! null', '3.1 % of the values are not above')


def test_empty():
    scan, angles = disc()
    for values in np.zeros_like(scan), np.full_like(scan, np.nan):
        line = f'read path={save(values, angles)} axis=32 ! reconstruct method=direct ! write path={PATH}/empty.h5'
        got = sinograph_fails('launch', '--device=native', line)
        tap.check('all values of the slices are zero, NaN or infinite' in got and 'allow-empty=true' in got, got)
        sinograph_fails('launch', '--device=native', line.replace('empty.h5', 'empty/%05i.tif'))
        tap.check(not (PATH / 'empty.h5').exists() and not (PATH / 'empty').exists(), 'a file is left')
        forced = f'{line} overwrite=true allow-empty=true'
        wants(forced, '11520 values of the projections (100 %) are NaN or infinite') if np.isnan(values).any() else quiet(forced)
        (PATH / 'empty.h5').unlink()


tap.main(globals())
