#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Volumes on an OpenCL device are the same, byte for byte, with little of its memory, whatever share of that slices get and
whichever switch is off; what does not fit says how much it needs."""
import functools
import itertools
import json
import os
import re
import tempfile

import tap
from draw import THOROUGH, drawn
from program import sinograph, sinograph_fails
from unittest import SkipTest

COUNTS = 'simulate width=96 height=48 projections=90 type=u16 darks=2 flats=3 ! flat-field variant=opencl'
CONE = 'simulate width=64 height=56 projections=70 type=u16 darks=2 flats=3 angles=0:360 source-origin=400 origin-detector=200 {} ! flat-field ! cone-weight variant=opencl ! ramp-filter'
CHAINS = {
    'direct': f'{COUNTS} ! ramp-filter variant=opencl ! interleave variant=opencl ! back-project variant=reference',
    'fourier': f'{COUNTS} ! interleave variant=opencl ! fourier-reconstruct variant=opencl',
    'iterated': f'{COUNTS} ! interleave variant=opencl ! iterative-reconstruct variant=opencl iterations=3',
    'cone': CONE.format('') + ' ! cone-back-project variant=buffer',
    'columns': CONE.format('') + ' variant=opencl ! cone-back-project variant=columns',
    'adjoint': CONE.format('') + ' ! cone-back-project weights=adjoint variant=gather',
    'tilted': CONE.format('detector-roll=3 axis-tilt=5') + ' ! cone-back-project variant=buffer',
    'phase': f'{COUNTS} absorption=false ! retrieve-phase energy=20 distance=0.1 pixel-size=1e-6 delta-beta=300 variant=opencl',
    'moved': f'{COUNTS} ! remove-outliers variant=select threshold=0.1 sign=both ! crop variant=opencl x=3 width=88 ! rotate variant=opencl angle=1 interpolation=cubic ! shift variant=opencl dx=0.3 dy=0.2 ! '
             'flip variant=opencl ! bin variant=opencl ! pad variant=opencl left=9 mode=reflect',
    'forward': 'phantom object=shepp-logan-3d width=64 height=48 ! forward-project width=96 height=48 projections=40 ! minus-log variant=opencl',
    'rays': 'phantom object=shepp-logan-3d width=64 height=48 ! forward-project width=96 height=48 projections=40 angles=0:360 '
            'source-origin=400 origin-detector=200 variant=buffer',
}
SWITCHES = 'read-ahead=off', 'pinned=off', 'local-tile=off', 'write-combined=on', 'overlap=off', 'devices=1'


@functools.cache
def device():
    if 'cl:0' not in sinograph('devices'):
        raise SkipTest('there is no OpenCL device')
    return '--device=cl:0'


def plan(line, *options):
    return json.loads(sinograph('plan', '--json', device(), *options, f'{line} ! null'))['passes']


def volume(line, *options):
    """The bytes of the file, with what its provenance tells of kernels."""
    sinograph('launch', '--quiet', device(), *options, f'{line} ! write path=out.h5 overwrite=true')
    with open('out.h5', 'rb') as file:
        return file.read()


def least(line):
    """The bytes that the error wants, which are rounded."""
    said = sinograph_fails('plan', device(), '--device-memory=1K', f'{line} ! null')
    found = re.search(r'needs ([\d.]+) (KiB|MiB|bytes?) on (?:the device|cl:0)', said)
    tap.check(found and 'raise --device-memory' in said, said)
    return float(found[1]) * {'K': 1024, 'M': 1 << 20}.get(found[2][0], 1)


def test_same_bytes():
    """Thorough tests take more limits."""
    for name, line in drawn(CHAINS.items(), 3):
        free = plan(line)
        held = max(each['device-memory'] for each in free)
        whole, small = volume(line), 1.05 * least(line)
        tap.check(small < held, f'{name}: {small} bytes are less than the {held} that it takes where there is plenty')
        for limit in (small, (small + held) / 2)[:1 + THOROUGH]:
            limit = int(limit)
            passes = plan(line, f'--device-memory={limit}')
            taken = max(each['device-memory'] for each in passes)
            tap.check(taken <= limit, f'{name}: {taken} of {limit} bytes')
            tap.check(volume(line, f'--device-memory={limit}') == whole, f'{name}: the same volume with {limit} bytes')
        print(f'# {name}: the same from {int(small)} to {int(held)} bytes of the device', flush=True)


def test_smaller_pieces():
    """Little memory leads to fewer slices, smaller blocks, or both."""
    for name in drawn(('direct', 'cone', 'columns', 'tilted'), 2):
        line = CHAINS[name]
        limit = int(1.05 * least(line))
        many, few = (plan(line, *options)[-1] for options in ((), (f'--device-memory={limit}',)))
        tap.check(few['item-rows'] < many['item-rows'] or few['batch'] < many['batch'], f'{name}: smaller pieces')


def test_slice_share():
    """More for slices is less for projections, and the same volume."""
    line = CHAINS['columns']
    limit = f'--device-memory={int(2 * least(line))}'
    whole, rows = volume(line), []
    for share in 0.05, 0.5, 0.95:
        options = limit, f'--slice-share={share}'
        rows.append(plan(line, *options)[-1]['item-rows'])
        tap.check(volume(line, *options) == whole, f'the same volume with a share of {share}')
    tap.check(rows == sorted(rows) and rows[0] < rows[-1], f'slices of a work item: {rows}')


def test_wrong_words():
    for word in '0', 'much', '80%', '-1':
        tap.check(f"--device-memory wants a size such as 512M or 2G, got '{word}'" in
                  sinograph_fails('plan', f'--device-memory={word}', 'phantom ! null'), word)
    for word in '0', '1', 'half':
        tap.check(f"--slice-share wants a number from 0.05 to 0.95, got '{word}'" in
                  sinograph_fails('plan', f'--slice-share={word}', 'phantom ! null'), word)
    for word, said in (('pined=off', "no switch 'pined': did you mean 'pinned'?"), ('pinned', "switch pinned wants on or off, got ''"),
                       ('devices=0', "switch devices wants a number of devices of at least 1, got '0'")):
        tap.check(said in sinograph_fails('plan', f'--switch={word}', 'phantom ! null'), word)


def test_switches():
    """Without each of them, and in thorough tests without each pair, with a kernel that is named."""
    for name in 'direct', 'columns':
        line = CHAINS[name]
        whole = volume(line)
        pairs = itertools.combinations(SWITCHES, 2) if name == 'columns' and THOROUGH else ()
        for off in [*drawn([(each,) for each in SWITCHES], 3), *pairs]:
            tap.check(volume(line, f'--switch={",".join(off)}') == whole, f'{name}: the same volume with {off}')


def test_read_ahead():
    line = 'simulate width=1000 height=300 projections=400 ! ramp-filter'
    on, off = (plan(line, f'--switch=read-ahead={word}')[0]['stages'][0] for word in ('on', 'off'))
    tap.check(off['requests'] == 1 and off['pool-blocks'] == 2 < on['pool-blocks'],
              f'{off["pool-blocks"]} blocks and {on["pool-blocks"]}: one that is read and one that is taken')


def test_rows_that_are_needed():
    """Only rows that are seen are read, and only they go to the device: bytes of the plan and of the run."""
    row = 90 * 96  # values
    for kind, last in ('', 'interleave lanes=1 ! back-project variant=reference roi-z=30 roi-depth=10'), \
            ('angles=0:360 source-origin=400 origin-detector=200', 'cone-back-project variant=buffer roi-z=38 roi-depth=4'):
        sinograph('launch', '--quiet', f'simulate width=96 height=80 projections=90 {kind} type=u16 darks=2 flats=3 ! '
                  'write path=scan.h5 overwrite=true')
        weight = 'cone-weight ! ' if kind else ''
        line = f'read path=scan.h5 ! flat-field ! {weight}ramp-filter ! {last}'
        if not kind:
            line = line.replace('! flat-field', '! crop y=30 height=10 ! flat-field').replace(' roi-z=30 roi-depth=10', '')
        planned, = plan(line)
        rows = planned['bytes-read'] / row / 2
        # 4 voxels are seen on 1.5 rows each, in the middle of the cone, and rows are taken to both sides.
        tap.check(4 * 1.5 <= rows <= 4 * 1.5 + 6 if kind else rows == 10, f'{rows} rows are read')
        tap.same(planned['bytes-needed'], planned['bytes-read'])
        tap.same(planned['bytes-sent'], rows * row * 4)
        said = sinograph('launch', '--stats', device(), f'{line} ! null')
        tap.same(int(re.search(r'^read .*bytes-read=(\d+)', said, re.M)[1]), planned['bytes-read'])


def test_plan():
    """What is told of devices and of storage."""
    line = f'{CHAINS["direct"]} ! write path=told.h5'
    planned, = json.loads(sinograph('plan', '--json', device(), '--device-memory=2M', line))['passes']
    slices = 48 * 96 * 96 * 4
    tap.same((planned['bytes-written'], planned['bytes-back']), (slices, slices))
    tap.same(planned['bytes-sent'], 48 * 90 * 96 * 2)
    said = sinograph('plan', device(), '--device-memory=2M', line)
    tap.check(re.search(r'holds \S+ \S+ of the device\'s 2.0 MiB; 810 KiB are sent to it and 1.7 MiB are sent back', said), said)
    tap.check('writes 1.7 MiB of data to storage' in said, said)


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tap.main(globals())
