#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Two OpenCL devices make the same slices as one, bit for bit, with the kernel that is chosen and with others; the
benchmark of whole runs takes both."""
import json
import os
import tempfile

os.environ['POCL_DEVICES'] = 'pthread pthread'  # before any device is seen

import tap
from program import sinograph
from unittest import SkipTest

LINE = ('simulate width=50 height=120 projections=23 type=f32 ! ramp-filter ! interleave ! back-project {} ! '
        'write path=out.h5 overwrite=true')


def slices(device, properties):
    if os.path.exists('trace.json'):
        os.unlink('trace.json')
    sinograph('launch', '--quiet', f'--device={device}', '--trace=trace.json', LINE.format(properties))
    with open('out.h5', 'rb') as file:
        return file.read()


def two_devices():
    pocl = [line.split()[0] for line in sinograph('devices').splitlines() if 'Portable Computing Language' in line]
    if len(pocl) < 2:
        raise SkipTest('there are no two devices of PoCL')
    return pocl[:2]


def test_same_bytes():
    pocl = two_devices()
    for properties in '', 'variant=reference', 'variant=local variant-parameters=UNROLL=1':
        one = slices(pocl[0], properties)
        two = slices(','.join(pocl), properties)
        with open('trace.json', encoding='utf-8') as file:
            tap.check(pocl[1] in file.read(), f'the second device takes part with {properties or "the chosen kernel"}')
        tap.check(one == two, f'the files are the same with {properties or "the chosen kernel"}')


def test_bench():
    both = ','.join(two_devices())
    words = ['--size=50', '--slices=40', '--projections=23', '--runs=1', f'--device={both}', '--method=direct', '--to=null', '--json']
    found = json.loads(sinograph('bench', 'pipeline', *words))
    tap.same(found['device'], both)
    # They work in the host's memory, so that there is no bus; kernels are timed by the devices' clocks.
    tap.same(list(found['limits']), ['read', 'kernels', 'cpu'])
    tap.check(all(seconds > 0 for seconds in found['limits'].values()), f'limits are measured: {found["limits"]}')
    tap.check(found['relative_rmse'] < 1e-5, f'slices are right: {found["relative_rmse"]}')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tap.main(globals())
