#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Live properties of `live`, and grey values. Costs 2 s."""
import glob
import os
import tempfile
import time
import warnings

import numpy as np
import sinograph
import tap
import tifffile
from scans import AXIS, COLUMNS, HALF, ROWS, SCAN, VIEWS, close, geometry, shown, volume

warnings.simplefilter('error', sinograph.Doubt)


def scan_of(settings):
    graph = sinograph.Graph(f'app-source name=s element=f32 rows={ROWS} columns={COLUMNS} frames={VIEWS} ! '
                            f'live name=live planes=z=9 {settings}')
    graph['s'].set_geometry(geometry())
    return graph, graph['s'], graph['live']


def refused(words, call, *arguments, **more):
    try:
        call(*arguments, **more)
    except sinograph.Error as error:
        tap.check(words in error.message and error.node == 'live', f'{error.node}: {error.message}')
        return
    raise AssertionError(f'not refused: {words}')


def test_axis():
    """The axis is a live property: a number, or auto for that of the scan. The newest wish of the program wins."""
    graph, source, live = scan_of('axis=30')
    with graph.start('native'):
        source.push(SCAN[:60])
        graph.set('live', axis='33')
        live.set_axis(34)
        graph.set('live', axis='auto')
        refused('give auto or a number', graph.set, 'live', axis='axes.txt')
        refused('cannot be at column', graph.set, 'live', axis='1e9')
        source.push(SCAN[60:])
    close(live.pull(0).array, volume(axis=AXIS)[9], HALF)
    graph.set('live', axis=33)
    source.begin()
    with graph.start('native'):
        source.push(SCAN)
    close(live.pull(0).array, volume(axis=33)[9], HALF)
    live.set_axis(31)
    graph.set('live', axis=32.5)
    source.begin()
    with graph.start('native'):
        source.push(SCAN)
    close(live.pull(0).array, volume(axis=32.5)[9], HALF)


def grey_of(values, black, white):
    return np.floor(np.clip((values - black) * (255 / (white - black)), 0, 255) + .5)


def test_grey_files():
    """Files of 8 bits follow the contrast, also while the pictures stay as they are."""
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/%i.tif'
        graph, source, live = scan_of(f'path={path} every=0.02 type=u8')
        def file(wanted):
            end = time.monotonic() + 20
            while time.monotonic() < end:
                values = live.pull(0).array
                if os.path.exists(path % 0):
                    got = tifffile.imread(path % 0)
                    if got.dtype == 'u1' and abs(grey_of(values, *wanted(values)) - got).max() <= 1:
                        return
                time.sleep(.01)
            raise AssertionError('no such file')
        with graph.start('native'):
            source.push(SCAN[:50])
            file(lambda values: np.percentile(values, (.1, 99.9), method='nearest'))
            graph.set('live', contrast='0:0.01')
            file(lambda values: (0, .01))
            graph.set('live', contrast='10%:60%')
            refused('neither auto, nor two values', graph.set, 'live', contrast='10%:60')
            refused('the smaller one first', graph.set, 'live', contrast='2:1')
            tap.same(live['contrast'], '10%:60%')
            file(lambda values: np.percentile(values, (10, 60), method='nearest'))
            graph.set('live', contrast='5%:95%')
            source.push(SCAN[50:])
        file(lambda values: np.percentile(values, (5, 95), method='nearest'))
        refused('from 0% to 100%', scan_of('contrast=0%:101%')[0].check, 'native')
        tap.same(len(glob.glob(f'{folder}/*')), 1)


tap.main(globals())
