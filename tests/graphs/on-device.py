#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Filters on an OpenCL device: the slices are those of the native kernels, and data stays there between the nodes. Costs 13 s,
most of it PoCL's compiler; whole 45 s."""
import json
import os
import re
import subprocess
import tempfile

import h5py
import numpy as np
import tap
from draw import drawn, in_turn
from program import at_most, in_little_memory, sinograph, sinograph_fails
from unittest import SkipTest

# With a density of 1e6 values overflow as halves in places.
SCAN = 'simulate object=shepp-logan-3d width=83 height=21 projections=40 density={density} type=f32'
CHAIN = (SCAN + ' ! ramp-filter {0} {filter} !{pack} interleave {1} {lanes} ! back-project {2} ! '
         'write path=out.h5 overwrite=true')


# Counts with dead pixels and flats before and after, to slices as integers.
COUNTS = ('simulate object=shepp-logan-3d width=83 height=21 projections=40 type=u16 darks=2 flats=4 dead-pixels=0.01 ! '
          'flat-field {0} {1} ! ramp-filter {0} ! interleave {0} {2} ! back-project {3} ! '
          'rescale {0} type=u16 min=-0.002 max=0.02 ! write path=out.h5 overwrite=true')


def chain(ramp, lay, slices='variant=reference', *, filter='', pack='', lanes='', density=2):
    return CHAIN.format(ramp, lay, slices, filter=filter, pack=pack, lanes=lanes, density=density)


def slices(device, line, *options):
    said = sinograph('launch', '--quiet', f'--device={device}', *options, line)
    with h5py.File('out.h5') as file:
        found = []
        file.visititems(lambda _, item: found.append(item[...]) if isinstance(item, h5py.Dataset) and item.ndim == 3 else None)
    return found[0].astype(float), said


def error(a, b):
    return np.sqrt(np.square(a - b).mean() / np.square(b).mean())


def need_opencl():
    if 'cl:0' not in sinograph('devices'):
        raise SkipTest('no OpenCL device')


def test_same_slices():
    need_opencl()
    there, here = 'variant=opencl', 'variant=native'
    for filter, lanes in drawn([('', ''), ('padding-mode=edge window=hann', 'lanes=4'), ('window=none', 'lanes=2')], 3):
        truth, _ = slices('native', chain(here, here, '', filter=filter))
        for ramp in there, here:
            for lay in there, here:
                got, _ = slices('cl:0', chain(ramp, lay, filter=filter, lanes=lanes))
                at_most(error(got, truth), 1e-5, f'ramp-filter {ramp}, interleave {lay} {lanes}, {filter}')


def test_half():
    need_opencl()
    truth, _ = slices('native', chain('', '', ''))
    for pack in drawn(('variant=opencl', 'variant=native'), 2):
        got, _ = slices('cl:0', chain('variant=opencl', 'variant=opencl', pack=f' half-pack {pack} !', lanes='lanes=4'))
        at_most(error(got, truth), 5e-4, f'half-pack {pack}')


def test_sinograms():
    """Lanes that come in: of another interleave, through the filter."""
    in_turn(0, 2)
    need_opencl()
    truth, _ = slices('native', chain('', '', ''))
    line = (SCAN.format(density=2) + ' ! interleave variant=opencl lanes=8 ! ramp-filter variant=opencl ! '
            'interleave variant=opencl lanes=2 ! back-project variant=reference ! write path=out.h5 overwrite=true')
    got, _ = slices('cl:0', line)
    at_most(error(got, truth), 1e-5, 'from eight lanes to two')


def test_same_bytes():
    """However the work is cut."""
    need_opencl()
    line = chain('variant=opencl', 'variant=opencl', pack=' half-pack variant=opencl !', lanes='lanes=2')
    whole, _ = slices('cl:0', line)
    little, _ = in_little_memory(lambda memory: slices('cl:0', line, memory), 'cl:0', line)
    tap.check(np.array_equal(whole, little), 'the slices are the same with little memory')


def test_counts():
    """Counts go up and integers come down; what is told of them is the same."""
    need_opencl()
    counted = []

    def told(device, variant, properties, lanes=''):
        kernel = 'variant=reference' if device == 'cl:0' else ''
        got, said = slices(device, COUNTS.format(variant, properties, lanes, kernel), '--stats')
        counted.append(sorted(re.findall(r'(dead-pixels|clamped|clipped)\D*(\d+)', said)))
        return got

    for properties in drawn(('', 'reduce=median interpolate=false'), 2):
        truth = told('native', 'variant=native', properties)
        for lanes in '', 'lanes=4':
            got = told('cl:0', 'variant=opencl', properties, lanes)
            at_most(np.abs(got - truth).max(), 2, f'{properties} {lanes}')
            at_most(np.abs(got - truth).mean(), 0.1, f'{properties} {lanes}, on average')
            tap.check(counted[-1][1] == counted[0][1] and len(counted[0]) >= 2, f'the same counters: {counted}')
    line = COUNTS.format('variant=opencl', '', 'lanes=2', 'variant=reference')
    whole, _ = slices('cl:0', line)
    little, _ = in_little_memory(lambda memory: slices('cl:0', line, memory), 'cl:0', line)
    tap.check(np.array_equal(whole, little), 'counts give the same integers with little memory')


STRIPES = ('simulate object=shepp-logan-3d width=83 height=21 projections=40 type=u16 darks=2 flats=4 dead-pixels=0.01 ! '
           'flat-field variant={0} ! interleave variant={0} {1} ! remove-stripes variant={0} {2} ! ramp-filter variant={0} ! '
           'back-project {3} ! write path=out.h5 overwrite=true')


def test_stripes():
    """Sinograms stay on the device through all methods that have kernels, in lanes of any number."""
    need_opencl()
    for method in drawn(('offset', 'sorting', 'all', 'large', 'dead', 'offset bridge=true', 'wavelet-fourier'), 2):
        truth, _ = slices('native', STRIPES.format('native', '', f'method={method}', ''))
        line = STRIPES.format('opencl', 'lanes=4', f'method={method}', 'variant=reference')
        got, _ = slices('cl:0', line)
        at_most(error(got, truth), 1e-5, f'remove-stripes method={method}')
        little, _ = in_little_memory(lambda memory: slices('cl:0', line, memory), 'cl:0', line)  # pylint: disable=cell-var-from-loop
        tap.check(np.array_equal(got, little), f'method={method} gives the same slices with little memory')
    plan = sinograph('plan', '--device=cl:0', line)
    node = re.search(r"^ *'remove-stripes'.*$", plan, re.M)[0]
    tap.check("in the device's memory" in node and 'OpenCL kernels' in node, node)


def test_circles():
    """The message about circles of the object is that of the native kernels."""
    need_opencl()
    columns = np.arange(256) + 0.5 - 135.5
    circles = sum(2 * np.sqrt(np.maximum(r * r - columns * columns, 0)) for r in (21.3, 44.6, 75.2)) / 64
    with h5py.File('circles.h5', 'w') as file:
        file['exchange/data'] = np.tile(circles, (90, 70, 1)).astype(np.float32) + np.random.default_rng(2).normal(0, 0.01, (90, 70, 256)).astype(np.float32)
        file['exchange/theta'] = np.arange(90) * 2

    def told(device, variant, lanes=''):
        line = f'read path=circles.h5 ! interleave {lanes} ! remove-stripes variant={variant} method=all ! null'
        done = subprocess.run([os.environ['SINOGRAPH'], 'launch', f'--device={device}', line], capture_output=True, text=True)
        return re.findall('the removed stripes are symmetric about column.*', done.stderr)

    here = told('native', 'native')
    tap.check(len(here) == 1, here)
    for lanes in '', 'lanes=4':  # also in fewer blocks than the device keeps sums of
        tap.same(told('cl:0', 'opencl', lanes), here)


def test_many_small_images():
    """A block has more tiles than a launch has lines of groups."""
    need_opencl()
    np.random.default_rng(5).integers(0, 256, 33 * 40000, np.uint8).tofile('many.raw')
    found = []
    for variant in 'native', 'opencl':
        sinograph('launch', '--quiet', '--device=cl:0', 'read path=many.raw raw=u8:33x1 axes=projections angles=0:180 ! '
                  f'transpose variant={variant} ! write path=many.h5 overwrite=true')
        with h5py.File('many.h5') as file:
            found.append(file['exchange/data'][...])
    tap.check(np.array_equal(*found), 'transpose of many small images')


def test_frames_from_the_device():
    """Darks and flats that a kernel made lie in the device's memory, where the host fetches them."""
    need_opencl()
    scan = 'simulate width=83 height=9 projections={} type=u16 {}'
    line = ('[{0}, {1} ! median {3} size=3, {2} ! median {3} size=3] ! flat-field {3} ! write path=out.h5 overwrite=true').format(
        scan.format(40, ''), scan.format(5, 'density=1000000'), scan.format(7, 'density=0'), '{0}')
    truth, _ = slices('native', line.format('variant=native'))
    got, _ = slices('cl:0', line.format('variant=opencl').replace('median variant=opencl', 'median variant=select'))
    at_most(np.abs(got - truth).max(), 1e-6 * max(1, np.abs(truth).max()), 'frames from the device')


def test_overflows():
    need_opencl()
    counts = []
    for device, variant in ('native', 'native'), ('cl:0', 'opencl'):
        line = SCAN.format(density=1e6) + f' ! half-pack variant={variant} ! null'
        said = sinograph('launch', '--stats', f'--device={device}', line)
        counts.append(re.search(r'overflows\D*(\d+)', said)[1])
    tap.check(int(counts[0]) > 0 and counts[0] == counts[1], f'as many overflows: {counts}')


def test_devices():
    need_opencl()
    said = sinograph('devices').split('cl:0', 1)[1]
    for node in 'flat-field', 'ramp-filter', 'half-pack', 'interleave', 'minus-log', 'remove-stripes', 'rescale', 'cone-weight', 'bin', 'rotate', 'pad', 'transpose':
        tap.check(re.search(rf"^    {node}\n      (native kernel|OpenCL kernels?)\b.+", said, re.M), f'{node} says how it would run')


def test_trace():
    """When commands ran on the device, by the host's clock, below the node whose they are."""
    need_opencl()
    line = ('simulate width=100 height=16 projections=60 type=f32 ! ramp-filter variant=opencl ! interleave variant=opencl lanes=4 ! '
            'back-project variant=reference ! null')
    sinograph('launch', '--quiet', '--device=cl:0', '--trace=trace.json', line)
    with open('trace.json', encoding='utf-8') as file:
        events = json.load(file)['traceEvents']
    end = next(event['ts'] for event in events if event['name'] == 'end')
    spans = {}
    for event in events:
        if event['ph'] == 'X':
            spans.setdefault(event['name'], []).append((event['ts'], event['ts'] + event['dur']))
    for node in 'ramp-filter', 'interleave', 'back-project':
        there = spans[f'{node} kernels']
        tap.check(all(0 <= a <= b <= end for a, b in there) and there == sorted(there), f'{node} ran on the device in the run')
        tap.check(min(there)[0] >= min(spans[node])[0], f'{node} began on the host')
    tap.check(not {'simulate kernels', 'null kernels', 'interleave upload'} & set(spans), 'no lane of what did not happen')


def test_plan():
    need_opencl()
    pack = ' half-pack variant=opencl !'
    plan = sinograph('plan', '--device=cl:0', chain('variant=opencl', 'variant=opencl', pack=pack))
    for node, runs in ('ramp-filter', 'OpenCL kernels'), ('half-pack', 'OpenCL kernel'), ('interleave', 'OpenCL kernel'):
        line = re.search(rf"^ *'{node}'.*$", plan, re.M)[0]
        tap.check("in the device's memory" in line and runs in line, f'{node} leaves its data there')
    for words, runs in ('', ', clFFT'), (' variant-parameters=FFT=1', ' (FFT=1), own transforms'):  # 'auto' is clFFT on CPUs
        plan = sinograph('plan', '--device=cl:0', chain(f'variant=opencl{words}', 'variant=opencl', pack=pack))
        line = re.search(r"^ *'ramp-filter'.*$", plan, re.M)[0]
        tap.check(f'OpenCL kernels{runs}' in line, line)
    corrected = ['crop x=2', 'rotate angle=1', 'shift dx=0.3', 'remove-outliers threshold=1 variant=select', 'stitch-360 axis=60', 'bin']
    line = ' ! '.join(node if 'variant' in node else f'{node} variant=opencl' for node in corrected)
    plan = sinograph('plan', '--device=cl:0', f'{SCAN.format(density=2)} angles=0:360 ! {line} ! ramp-filter variant=opencl ! null')
    for node in corrected:
        node = node.split()[0]
        line = re.search(rf"^ *'{node}'.*$", plan, re.M)[0]
        tap.check("in the device's memory" in line and 'OpenCL' in line, f'{node} leaves its data there: {line}')
    for node, graph in ('ramp-filter', ' ! ramp-filter variant=opencl'), ('half-pack', ' ! half-pack variant=opencl'), \
            ('interleave', ' ! interleave variant=opencl'):
        said = sinograph_fails('plan', '--device=native', SCAN.format(density=2) + graph + ' ! null')
        wanted = fr"sinograph: '{node}': variant=opencl does not run on native \(.*\): it runs 'native'\n"
        tap.check(re.fullmatch(wanted, said), f'{node} without OpenCL: {said!r}')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tap.main(globals())
