#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Whole runs with a neighbourhood filter: cut in any way, on the CPU and on an OpenCL device, from lines and from JSON."""
import json
import os
import tempfile

import h5py
import numpy as np
import tap
from draw import drawn
from program import in_little_memory, sinograph, sinograph_fails

N, ROWS, COLUMNS = 61, 23, 150
DATA = np.random.default_rng(1).integers(0, 5000, (N, ROWS, COLUMNS)).astype(np.uint16)


def scan():
    with h5py.File('scan.h5', 'w') as file:
        file['exchange/data'], file['exchange/theta'] = DATA, np.arange(N) * 180. / N


def medians(data, *reach):
    """Of the values around each, beyond the border the nearest one."""
    edged = np.pad(data, [(r, r) for r in reach], 'edge')
    windows = np.lib.stride_tricks.sliding_window_view(edged, [2 * r + 1 for r in reach])
    return np.median(windows, axis=(3, 4, 5)).astype(data.dtype)


def made(line, *options, device='native'):
    sinograph('launch', '--quiet', f'--device={device}', *options, f'{line} ! write path=out.h5 overwrite=true type=u16')
    with h5py.File('out.h5') as file:
        return file['exchange/data'][:]


def made_in_little_memory(line):
    return in_little_memory(lambda memory: made(line, memory), 'native', f'{line} ! write path=no.h5')


def test_any_memory():
    for words, reach in drawn((('size=5', (0, 2, 2)), ('size=15 direction=angle', (7, 0, 0)), ('size=9', (0, 4, 4))), 2):
        line = f'read path=scan.h5 ! median {words}'
        right = medians(DATA, *reach)
        for result in made(line), made_in_little_memory(line), made(line, '--threads=1'):
            np.testing.assert_array_equal(result, right)


def test_in_a_row():
    """Each asks the one before for its rows and those around."""
    right = medians(medians(medians(DATA, 0, 1, 1), 1, 0, 0), 0, 2, 2)
    line = 'read path=scan.h5 ! median ! median direction=angle ! median size=5'
    for result in made(line), made_in_little_memory(line):
        np.testing.assert_array_equal(result, right)


def test_sinograms():
    right = medians(DATA.transpose(1, 0, 2), 0, 3, 3)
    for lanes in 1, 8:
        np.testing.assert_array_equal(made(f'read path=scan.h5 ! interleave lanes={lanes} ! median size=7'), right)


def test_json():
    nodes = [{'plugin': 'read', 'name': 'read', 'properties': {'path': 'scan.h5'}},
             {'plugin': 'median', 'name': 'median', 'properties': {'size': 7, 'direction': 'angle'}},
             {'plugin': 'write', 'name': 'write', 'properties': {'path': 'json.h5', 'type': 'u16'}}]
    edges = [{'from': {'name': a}, 'to': {'name': b}} for a, b in (('read', 'median'), ('median', 'write'))]
    with open('graph.json', 'w') as file:
        json.dump({'sinograph': 1, 'nodes': nodes, 'edges': edges}, file)
    sinograph('run', '--quiet', '--device=native', 'graph.json')
    with h5py.File('json.h5') as file:
        np.testing.assert_array_equal(file['exchange/data'][:], medians(DATA, 3, 0, 0))


def test_opencl():
    if 'cl:0' not in sinograph('devices'):
        return
    for words, reach in drawn((('size=5 variant=select', (0, 2, 2)), ('size=11 direction=angle variant=bisect', (5, 0, 0))), 2):
        line = f'read path=scan.h5 ! median {words}'
        for options in [], ['--memory=600M', '--threads=1']:
            np.testing.assert_array_equal(made(line, *options, device='cl:0'), medians(DATA, *reach))


def test_errors():
    for words, said in (('size=4', 'size=4 is even: give 3 or 5'), ('size=17', '17'), ('size=1', '1'),
                        ('direction=z', 'direction'),
                        ('variant=select', 'does not run on native')):
        tap.check(said in sinograph_fails('check', '--device=native', f'read path=scan.h5 ! median {words} ! write path=no.h5'), words)


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        scan()
        tap.main(globals())
