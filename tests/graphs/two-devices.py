#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Several devices in a run: two OpenCL devices make the same slices as one, bit for bit, with the kernel that is chosen and with
others; unlike ones make nearly the same, each with its own kernels and lanes; a slow one gets fewer work items; the benchmark of
whole runs takes both."""
import json
import os
import re
import tempfile

os.environ['POCL_DEVICES'] = 'pthread pthread'  # before any device is seen

import h5py
import numpy as np
import tap
from program import at_most, sinograph, sinograph_fails
from unittest import SkipTest

LINE = ('simulate width=50 height=120 projections=23 type=f32 ! ramp-filter ! interleave ! back-project {} ! '
        'write path=out.h5 overwrite=true')


def pocl():
    found = [line.split()[0] for line in sinograph('devices').splitlines() if 'Portable Computing Language' in line]
    if len(found) < 2:
        raise SkipTest('there are no two devices of PoCL')
    return found[:2]


def run(device, line):
    """What it says, with --stats."""
    if os.path.exists('trace.json'):
        os.unlink('trace.json')
    return sinograph('launch', '--stats', f'--device={device}', '--trace=trace.json', line)


def slices(device, properties):
    run(device, LINE.format(properties))
    with open('out.h5', 'rb') as file:
        return file.read()


def items(said):
    """Work items and rows by device."""
    return {device: (int(number), int(rows)) for device, number, rows in re.findall(r'(\S+) did (\d+) work items?, (\d+) rows', said)}


def traced(name):
    """Work items that a node took, by device, as the trace has them."""
    with open('trace.json', encoding='utf-8') as file:
        events = json.load(file)['traceEvents']
    devices = {e['pid']: e['args']['name'] for e in events if e['name'] == 'process_name'}
    rows = {device: set() for device in devices.values()}
    for event in events:
        if event['ph'] == 'X' and event['name'] == name:
            rows[devices[event['pid']]].add(event['args']['rows'])
    return {device: len(found) for device, found in rows.items()}


def test_same_bytes():
    devices = pocl()
    for properties in '', 'variant=reference', 'variant=local variant-parameters=UNROLL=1':
        one = slices(devices[0], properties)
        two = slices(','.join(devices), properties)
        tap.check(traced('back-project')[devices[1]] > 0, f'the second device takes part with {properties or "the chosen kernel"}')
        tap.check(one == two, f'the files are the same with {properties or "the chosen kernel"}')


def test_stripes():
    """Each device keeps sinograms and what it sorts in its own memory."""
    devices = pocl()
    line = LINE.replace('interleave', 'interleave variant=opencl ! remove-stripes variant=opencl method=sorting').format('variant=reference')
    files = []
    for device in devices[0], ','.join(devices):
        run(device, line)
        with open('out.h5', 'rb') as file:
            files.append(file.read())
    tap.check(traced('remove-stripes')[devices[1]] > 0, 'the second device removes stripes, too')
    tap.check(files[0] == files[1], 'the files are the same')


def values():
    """The slices and their provenance."""
    with h5py.File('out.h5') as file:
        data = file['exchange/data']
        return data[()], json.loads(data.attrs['provenance'])


def slow(delay, *devices):
    return ''.join(f'test-slow device={device} delay={delay} ! ' for device in devices)


SLOWED = LINE.replace('interleave ! ', 'interleave ! {}').replace('back-project {}', 'back-project')


def test_slow_device():
    devices = pocl()
    line = SLOWED.format(slow(300, devices[1]))
    run(devices[0], line)
    alone, origin = values()
    did = items(run(','.join(devices), line))
    tap.same(sum(rows for _, rows in did.values()), 120)
    tap.same(traced('back-project'), {device: number for device, (number, _) in did.items()})
    tap.check(did[devices[1]][0] < did[devices[0]][0], f'the device that is slow does less: {did}')
    both, of_both = values()
    tap.check(np.array_equal(alone, both), 'the slices are the same')
    tap.same(of_both, origin)


def test_unlike_devices():
    device = pocl()[0]
    line = SLOWED.format(slow(40, 'native', device))  # else one might do it all
    run('native', line)
    alone, origin = values()
    assert 'beside' not in origin
    for devices in f'native,{device}', f'{device},native':
        did = items(run(devices, line))
        tap.check(all(number > 0 for number, _ in did.values()) and len(did) == 2, f'both take part: {did}')
        both, of_both = values()
        at_most(np.abs(both - alone).max() / np.abs(alone).max(), 1e-5, f'{devices}: error of the slices against native')
        kinds = [of_both, *of_both['beside']]
        tap.same([kind['device'] for kind in kinds], ['native' if name == 'native' else 'opencl' for name in devices.split(',')])
        assert all('back-project' in kind['variants'] for kind in kinds), of_both
        said = sinograph('plan', f'--device={devices}', line)
        for name in devices.split(','):
            tap.check(f' on {name}: ' in said and f' for {name}' in said, f'the plan shows what {name} takes')


def test_resumed():
    """Results name kinds of devices in their order, so that a run is gone on with in the same; how many are alike is no matter."""
    one, other = pocl()
    line = LINE.format('').replace('out.h5 overwrite=true', 'slices/%03i.tif')
    for devices in f'native,{one}', f'native,{one},{other}', f'native,{other}':
        sinograph('launch', '--resume', f'--device={devices}', line)
        os.unlink('slices/007.tif')
    said = sinograph_fails('launch', '--resume', f'--device={one},native', line)
    tap.check('the run that wrote it had another kind of devices' in said, said)


def test_lists():
    said = sinograph('plan', '--device=all', LINE.format(''))
    tap.check(said.split('\n')[0].count('native') == 1, 'all devices are GPUs and native')
    device = pocl()[0]
    said = sinograph_fails('plan', f'--device={device},native', LINE.format('variant=reference'))
    tap.check("'back-project': variant=reference does not run on native" in said, said)


def test_bench():
    both = ','.join(pocl())
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
