#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Two OpenCL devices make the same slices as one, bit for bit, with the kernel that is chosen and with others."""
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


def test_same_bytes():
    pocl = [line.split()[0] for line in sinograph('devices').splitlines() if 'Portable Computing Language' in line]
    if len(pocl) < 2:
        raise SkipTest('there are no two devices of PoCL')
    for properties in '', 'variant=reference', 'variant=local variant-parameters=UNROLL=1':
        one = slices(pocl[0], properties)
        two = slices(','.join(pocl[:2]), properties)
        with open('trace.json', encoding='utf-8') as file:
            tap.check(pocl[1] in file.read(), f'the second device takes part with {properties or "the chosen kernel"}')
        tap.check(one == two, f'the files are the same with {properties or "the chosen kernel"}')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tap.main(globals())
