#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Sinks get sinograms as they are, however the rows lie side by side in memory, and for whatever other consumer."""
import os
import re
import tempfile

import h5py
import numpy as np
import tap
import tifffile
from program import sinograph, sinograph_fails

N, ROWS, COLUMNS = 20, 37, 33  # the last group of lanes is never full
DATA = np.random.default_rng(1).normal(size=(N, ROWS, COLUMNS)).astype(np.float32)
TRUTH = DATA.transpose(1, 0, 2)


def scan():
    with h5py.File('scan.h5', 'w') as file:
        file['exchange/data'], file['exchange/theta'] = DATA, np.arange(N) * 180. / N


def hdf5(path):
    with h5py.File(path) as file:
        return file['exchange/data'][:]


def provenance(path):
    with h5py.File(path) as file:
        return file['exchange/data'].attrs['provenance']


def launch(line, *options):
    sinograph('launch', '--quiet', '--device=native', *options, line)


def test_write():
    for lanes in 1, 2, 4, 16, 32:
        for middle in '', 'half-pack ! ', 'ramp-filter window=none ! ':
            launch(f'read path=scan.h5 ! interleave lanes={lanes} ! {middle}write path=out.h5 overwrite=true type=f32')
            np.testing.assert_array_equal(hdf5('out.h5'), TRUTH.astype(np.float16 if 'half' in middle else np.float32))
    launch('read path=scan.h5 ! interleave lanes=4 ! write path=stack.tif')
    np.testing.assert_array_equal(tifffile.imread('stack.tif'), TRUTH)
    launch('read path=scan.h5 rows=2:: ! interleave lanes=8 ! write path=row-%i.tif')
    np.testing.assert_array_equal([tifffile.imread(f'row-{row}.tif') for row in range(2, ROWS)], TRUTH[2:])


def test_preview():
    launch('read path=scan.h5 ! interleave lanes=1 ! preview path=right.png slice=19')
    with open('right.png', 'rb') as file:
        right = file.read()
    for lanes in 4, 16:
        launch(f'read path=scan.h5 ! interleave lanes={lanes} ! preview path=out.png slice=19 overwrite=true')
        with open('out.png', 'rb') as file:
            tap.same(file.read(), right)


def test_beside_a_consumer_that_wants_lanes():
    """And the slices do not change by it."""
    launch('read path=scan.h5 ! interleave ! back-project ! write path=right.h5')
    line = ('read path=scan.h5 ! interleave name=rows ! back-project ! write path=slices.h5 overwrite=true '
            'rows. ! write path=sinograms.h5 overwrite=true rows. ! preview path=out.png slice=19 overwrite=true')
    # What the process holds before the run is another 100 MiB in a build with a sanitizer.
    least = re.search(r'needs ([\d.]+) MiB', sinograph_fails('launch', '--device=native', '--memory=1M', line))
    for options in [], [f'--memory={float(least[1]) + 5}M']:
        launch(line, *options)
        np.testing.assert_array_equal(hdf5('sinograms.h5'), TRUTH)
        np.testing.assert_array_equal(hdf5('slices.h5'), hdf5('right.h5'))
        with open('out.png', 'rb') as out, open('right.png', 'rb') as right:
            tap.same(out.read(), right.read())


def test_fewer_where_memory_is_short():
    """Those of kernels that give the same bits with them, and no others."""
    line = 'simulate width=700 height=34 projections=60 ! ramp-filter ! interleave{} ! back-project ! write path=out.h5 overwrite=true'
    auto = line.format('')
    launch(auto)
    right, told = hdf5('out.h5'), provenance('out.h5')
    least, of_16 = (float(re.search(r'needs ([\d.]+) MiB', sinograph_fails('plan', '--device=native', '--memory=1M', some))[1])
                    for some in (auto, line.format(' lanes=16')))
    tap.check(least + 20 < of_16, f'{least} MiB are less than {of_16}')
    little = f'--memory={least + 8}M'
    tap.check(re.search(r"'interleave'.*, [248] lanes", sinograph('plan', '--device=native', little, auto)), 'the plan says it')
    launch(auto, little)
    np.testing.assert_array_equal(hdf5('out.h5'), right)
    tap.same(provenance('out.h5'), told)


def test_plan_tells():
    plan = sinograph('plan', '--device=native', 'read path=scan.h5 ! interleave lanes=4 ! write path=new.h5')
    tap.check("'write'" in plan and 'separates 4 lanes' in plan, 'the plan says that lanes are taken apart')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        scan()
        tap.main(globals())
