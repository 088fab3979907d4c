#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Planes that an OpenCL device makes beside those of the processors. Costs 5 s, most of it the compiler's."""
import re
import time
import warnings
from unittest import SkipTest

import numpy as np
import sinograph
import tap
from scans import ANGLES, COLUMNS, RANDOM, ROWS, SCAN, VIEWS, close, geometry, graph_of, shown, volume

warnings.simplefilter('ignore', sinograph.Doubt)
PLANES = 'z=0 z=20 z=9.4 x=3.5 y=2 x=2,y=-3,z=15,angle=30,tilt=20'
# Largest error (RMS), as a share of the largest value. Values lie on the border between two halves now and then.
MOST = 1e-5


def on_device(planes, values=SCAN, angles=ANGLES, device='cl:0', **properties):
    graph = graph_of('live', values, angles, planes=planes, variant='opencl', **properties)
    try:
        graph.run(device, threads=2)
    except sinograph.Error as error:
        if error.code == sinograph.Code.DEVICE:
            raise SkipTest('there is no OpenCL device') from None
        raise
    return [graph['live'].pull(number).array for number in range(len(planes.split()))]


def test_equals_processors():
    for properties in ({}, {'precision': 'single'}, {'row_bin': 2}, {'row_bin': 4}, {'window': 'none'}, {'window': 'hann'},
                       {'padding_mode': 'edge'}, {'size': 100, 'pixel': .7}, {'weights': 'uniform', 'angle_offset': 20}):
        for a, b in zip(on_device(PLANES, **properties), shown(PLANES, **properties)):
            close(a, b, MOST)


def test_variant_parameters():
    for a, b in zip(on_device(PLANES, variant_parameters='WIDE=8,HIGH=2'), on_device(PLANES)):
        tap.check(np.array_equal(a, b), 'bytes depend on the size of groups')


def test_holes():
    """Values that are no numbers are filled in their rows, also at the ends."""
    values = SCAN.copy()
    values[RANDOM.random(values.shape) < .02] = np.nan
    values[3, :, :2] = np.inf
    values[4, 5] = np.nan
    for a, b in zip(on_device(PLANES, values), shown(PLANES, values)):
        close(a, b, MOST)


def test_small_and_large_values():
    """Halves hold values of any size; first projections of zeros do not settle it."""
    for scale in 1e-9, 1e6:
        values = SCAN * np.float32(scale)
        values[:20] = 0
        a, b = on_device('z=9', values)[0], shown('z=9', values)[0]
        close(a / scale, b / scale, MOST)


def test_overflow():
    values = SCAN.copy()
    values[1:] *= 1e6
    graph = graph_of('live', values, planes='z', variant='opencl')
    try:
        graph.run('cl:0')
    except sinograph.Error as error:
        if error.code == sinograph.Code.DEVICE:
            raise SkipTest('there is no OpenCL device') from None
        raise
    tap.check(np.isfinite(graph['live'].pull().array).all(), 'values that are not finite')


def test_blocks_on_the_device():
    """Blocks of nodes that compute on the device, too, are taken there."""
    def graph(words):
        return sinograph.Graph(f'simulate width=64 height=20 projections=70 type=u16 darks=2 flats=3 angles=0:180 ! flat-field {words} ! '
                               f'live name=live {words} planes="z=7 x=3"')
    there, here = graph('variant=opencl'), graph('')
    try:
        said = there.check('cl:0')
        there.run('cl:0', threads=2)
    except sinograph.Error as error:
        if error.code == sinograph.Code.DEVICE:
            raise SkipTest('there is no OpenCL device') from None
        raise
    here.run('native', threads=2)
    tap.check(re.search("'flat-field'.* in the device's memory", said), said)
    for plane in range(2):
        wanted = here['live'].pull(plane).array
        close(there['live'].pull(plane).array / wanted.max(), wanted / wanted.max(), MOST)


def test_during_a_scan():
    """Frames are in pictures as they come; planes and the axis are moved; a ring."""
    step, views = 3., 60
    values = np.concatenate([SCAN[:views] + t for t in range(4)])
    angles = np.arange(len(values)) * step
    graph = sinograph.Graph(f'app-source name=camera rows={ROWS} columns={COLUMNS} element=f32 frames={len(values)} ! '
                            'live name=live mode=ring variant=opencl planes="z=9 x=.5"')
    camera, live = graph['camera'], graph['live']
    camera.set_geometry(geometry(angles))
    end = time.monotonic() + 60

    def holding(plane, wanted):
        while time.monotonic() < end:
            picture = live.pull(0, timeout=1)
            if picture and picture.plane == plane and np.abs(picture.array - wanted).max() < 1e-3:
                return picture
        raise AssertionError(f'no picture of {plane} came')
    try:
        run = graph.start('cl:0', threads=2)
    except sinograph.Error as error:
        if error.code == sinograph.Code.DEVICE:
            raise SkipTest('there is no OpenCL device') from None
        raise
    with run:
        camera.push(values[:100])
        wanted = volume(values[40:100], angles[40:100])
        holding('z=9', wanted[9])
        live.move(0, 'z=20')
        close(holding('z=20', wanted[20]).array, wanted[20], 5e-5)
        camera.push(values[100:])
    fresh = shown('z=20 x=.5', values[-views:], angles[-views:])
    for plane in range(2):
        close(live.pull(plane).array, fresh[plane], 5e-5)


def test_many_planes():
    """Planes that come and go take the same memory again."""
    graph = sinograph.Graph(f'app-source name=s element=f32 rows={ROWS} columns={COLUMNS} frames={VIEWS} ! '
                            'live name=live planes=z=9 variant=opencl')
    graph['s'].set_geometry(geometry())
    camera, live, number = graph['s'], graph['live'], 0
    try:
        with graph.start('cl:0', threads=2):
            camera.push(SCAN[:20])
            for place in range(12):
                live.remove(number)
                number = live.add(f'z={place}')
                live.pull(number)
            camera.push(SCAN[20:])
        close(live.pull(number).array, shown('z=11')[0], MOST)
    except sinograph.Error as error:
        if error.code == sinograph.Code.DEVICE:
            raise SkipTest('there is no OpenCL device') from None
        raise


def test_memory():
    """The plan counts the device's memory, and averages rows where it is short."""
    values, angles = np.zeros((100, 512, 512), 'f4'), np.linspace(0, 180, 100, endpoint=False)

    def plan(memory=None):
        try:
            return graph_of('live', values, angles, variant='opencl').check('cl:0', memory, 2)
        except sinograph.Error as error:
            if error.code == sinograph.Code.DEVICE:
                raise SkipTest('there is no OpenCL device') from None
            raise
    plan()  # the process now has all that planning takes
    said = plan()
    most = float(re.search(r'memory: (\S+) MiB at most', said)[1])
    stored = 100 * 513 * 576 * 2 / 2**20
    tap.check('100 projections of 512 x 512 as halves' in said and 'OpenCL kernels' in said, said)
    tap.check('averages 2 rows, because memory is short' in plan(f'{most - .4 * stored:.0f}M'), 'rows are not averaged')


def test_other_places():
    """Beside another device, and for cone beams, the processors make them."""
    graph = graph_of('live', planes='z=9')
    try:
        said = graph.check('native,cl:0')
    except sinograph.Error as error:
        if error.code == sinograph.Code.DEVICE:
            raise SkipTest('there is no OpenCL device') from None
        raise
    tap.check('as halves' in said, said)
    close(on_device('z=9', device='cl:0,native')[0], shown('z=9')[0], MOST)
    cone = geometry(np.linspace(0, 360, VIEWS, endpoint=False)).cone(300, 100, ROWS / 2)
    for words, wanted in ({}, None), ({'variant': 'opencl'}, 'variant=opencl does not have cone and tilted beams: leave it out'):
        graph = sinograph.Graph()
        source = graph.add_array(SCAN, geometry=cone)
        graph.add('live', 'live', offset_detector='no', **words)
        graph.connect(source, 'live')
        try:
            graph.run('cl:0')
            tap.check(not wanted, 'it was accepted')
        except sinograph.Error as error:
            tap.check(wanted and wanted in str(error), error)


tap.main(globals())
