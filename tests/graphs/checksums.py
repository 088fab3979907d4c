#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The bytes of results, held to a table: what changes them, a compiler or a library as well, is noticed.

usage: checksums.py [--renew]

checksums.json has, for each case, a checksum for every place where it was recorded (a device and its instruction set), and
some values. Where a place is unknown the values are compared, to a tolerance. --renew records this machine's places anew;
say in the commit why results may change.
"""
import functools
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import SkipTest

import h5py
import numpy as np
import tap
from program import SOURCE, TOOTH_SLICE, data, sinograph, slices

TABLE = Path(__file__).with_name('checksums.json')
FOLDER = tempfile.TemporaryDirectory()
SAMPLES = 24

# Odd sizes, so that every loop has a remainder; noise, dead pixels, flats before and after.
SCAN = ('simulate object=shepp-logan-3d z=-0.2 width=203 height=37 projections=149 axis=99.25 type=u16 bits=12 photons=20000 '
        'darks=3 flats=4 structure=0.3 dead-pixels=0.001 ! write path={}')
RAMP = 'ramp-filter ! interleave lanes={} ! '
SINGLE, PACKED = 1e-5, 1e-3  # shares of the largest value: single precision, and what is rounded to 16 bits


def read(more=''):
    return f'read path={scan()} {more} ! flat-field ! '


@functools.cache
def scan():
    path = f'{FOLDER.name}/scan.h5'
    sinograph('launch', '--quiet', SCAN.format(path))
    return path


def cases(place):
    """Names, launch lines without their end, tolerances."""
    native = place == 'native'
    yield 'flat-field', read(), SINGLE
    for words in 'reduce=median', 'interpolate=false', 'absorption=false':
        yield f'flat-field {words}', read().replace('flat-field', f'flat-field {words}'), SINGLE
    for words in 'window=hann cutoff=0.7', 'window=butterworth order=3', 'padding-mode=edge', 'window=sinc power=2':
        yield f'ramp-filter {words}', f'{read()}ramp-filter {words} ! ', SINGLE
    for lanes in 1, 2, 4, 8, 16, 32:
        yield f'direct lanes={lanes}', f'{read()}{RAMP.format(lanes)}back-project axis=99.25 ! ', SINGLE
        packed = f'{read()}{RAMP.format(lanes)}half-pack ! back-project axis=99.25 ! '
        yield f'direct halves lanes={lanes}', packed, PACKED
        if native:
            yield (f'direct int16 lanes={lanes}',
                   f'{read()}{RAMP.format(lanes)}back-project axis=99.25 precision=int16 ! ', PACKED)
    for words in ('interpolation=nearest', 'interpolation=oversample', 'mask=true', 'weights=spacing angle-offset=12.5',
                  'roi-x=17 roi-y=31 roi-width=99 roi-height=45 mask=true', 'axis=70'):
        yield f'direct {words}', f'{read()}{RAMP.format("auto")}back-project axis=99.25 {words} ! '.replace(
            'axis=99.25 axis', 'axis'), SINGLE
    for words in ('', 'accuracy=2e-4', 'precision=half-storage', 'mask=true', 'padding-mode=edge window=hann', 'weights=spacing angle-offset=12.5',
                  'roi-x=17 roi-y=31 roi-width=99 roi-height=45', 'axis=70'):
        line = f'{read()}interleave ! fourier-reconstruct axis=99.25 {words} ! '.replace('axis=99.25 axis', 'axis')
        yield f'fourier {words}'.strip(), line, PACKED
    for words in 'rows=5', 'rows=3:36:4 projections=10:140:3', 'columns=20:180':
        yield f'part {words}', read(words) + 'reconstruct axis=90 method=direct ! ', SINGLE
    for method in 'direct', 'fourier':
        yield f'tooth slice {method}', f'read path=SLICE ! flat-field ! reconstruct axis=296.5 method={method} ! ', PACKED
        yield f'tooth {method}', f'read path=TOOTH ! flat-field ! reconstruct axis=296.5 method={method} ! ', PACKED
        yield (f'savu {method}', 'read path=SAVU/tiffs darks=SAVU/dark_00001.tiff flats=SAVU/flat_00001.tiff '
               f'angles=-88.2:93.8 rows=0:135:9 ! flat-field ! reconstruct axis=86.25 weights=uniform method={method} ! ', PACKED)
    if native:
        yield 'scan', f'read path={scan()} ! ', 0.5
        yield 'scan darks', f'read path={scan()} dataset=/exchange/data_dark angles=0:1 ! ', 0.5
        yield 'scan flats', f'read path={scan()} dataset=/exchange/data_white angles=0:1 ! ', 0.5
        yield 'phantom', 'phantom object=shepp-logan-3d width=97 height=11 supersampling=2 ! ', SINGLE
        for precision in 'int16', 'auto', 'half-storage':
            yield (f'reconstruct precision={precision}',
                   f'{read()}reconstruct axis=99.25 method=direct precision={precision} mask=true ! ', PACKED)
    else:
        for variant in 'reference', 'texture', 'local', 'hybrid', 'window', 'blocked':
            yield (f'direct variant={variant}',
                   f'{read()}{RAMP.format(4)}back-project axis=99.25 variant={variant} ! ', PACKED)
        there = 'variant=opencl ! '
        yield 'ramp-filter on the device', f'{read()}ramp-filter {there}', SINGLE
        yield 'lanes on the device', f'{read()}ramp-filter ! interleave {there}back-project axis=99.25 ! ', SINGLE
        yield 'halves on the device', f'{read()}ramp-filter ! interleave ! half-pack {there}back-project axis=99.25 ! ', PACKED
        yield 'fourier on the device', f'{read()}interleave ! fourier-reconstruct axis=99.25 {there}', PACKED


@functools.cache
def places():
    """The devices that results are recorded for: their numbers, and what decides the bits there."""
    found = {}
    for device in json.loads(sinograph('devices', '--json')):
        nodes = device['nodes']
        if device['id'] == 'native':  # native kernel, AVX3, ...
            sets = [nodes[node][0].split(', ')[1] for node in ('back-project', 'fourier-reconstruct')]
            found['native'] = 'native', ' and '.join(sets)
        elif device['name'].endswith('Portable Computing Language'):
            found.setdefault('pocl', (device['id'], device['name']))
    return found


def result(place, line):
    line = line.replace('SLICE', str(TOOTH_SLICE))
    for word, name in ('TOOTH', 'tooth.h5'), ('SAVU', 'savu-tiff'):
        if word in line:
            line = line.replace(word, str(data(name)))
    path = f'{FOLDER.name}/out.h5'
    sinograph('launch', '--quiet', f'--device={places()[place][0]}', f'{line}write path={path} overwrite=true')
    with h5py.File(path) as file:
        return file['exchange/data'][:]


def ready_graphs():
    """What the ready graphs give, natively."""
    tiffs = f'{FOLDER.name}/tiffs'
    if not os.path.exists(tiffs):
        for name, what in ('', 'data'), ('darks', 'data_dark'), ('flats', 'data_white'):
            sinograph('launch', '--quiet', f'read path={scan()} dataset=/exchange/{what} angles=0:1 ! write path={tiffs}/{name}/%05i.tif')
    wanted = {'fbp-hdf5': {'read.path': scan()},
              'nmar': {'read.path': scan(), 'read.axis': 99.25},
              'correct-drift': {'read.path': scan(), 'read.axis': 99.25},
              'fbp-tiff': {'read.path': tiffs, 'read.darks': f'{tiffs}/darks', 'read.flats': f'{tiffs}/flats'}}
    for settings in wanted.values():
        settings['reconstruct.axis'] = 99.25
    for name, (height, beam) in {'fdk': (24, ''), 'fan': (1, ''), 'laminography': (24, 'axis-tilt=25'), 'helical': (24, 'helical-pitch=9')}.items():
        path = f'{FOLDER.name}/{name}.h5'
        sinograph('launch', '--quiet', f'simulate object=shepp-logan-3d width=70 height={height} projections=120 angles=0:720 source-origin=300 '
                  f'origin-detector=90 darks=1 flats=1 photons=20000 {beam} ! write path={path} overwrite=true')
        wanted[name] = {'read.path': path}
    others = {'two-materials'}  # which filters/correct-two-materials compares with the object
    tap.same(sorted({*wanted} | others), sorted(path.stem for path in SOURCE.glob('docs/graphs/*.json')))
    for name, settings in wanted.items():
        with tempfile.TemporaryDirectory() as folder:
            settings['write.path'] = f'{folder}/slice-%05i.tif'
            sinograph('run', '--quiet', '--device=native', SOURCE / f'docs/graphs/{name}.json',
                      *(f'--set={key}={value}' for key, value in settings.items()))
            yield f'graph {name}', slices(folder)


def checksum(array):
    return hashlib.sha256(str((array.dtype.str, array.shape)).encode() + array.tobytes()).hexdigest()[:20]


def samples(array):
    where = np.random.default_rng(7).integers(0, array.size, SAMPLES)
    return [float(value) for value in array.ravel()[where].astype(np.float64)]


class Table:
    def __init__(self):
        self.rows = json.loads(TABLE.read_text()) if TABLE.exists() else {}
        self.unknown = []

    def check(self, place, name, array, tolerance):
        row = self.rows.get(f'{place}: {name}')
        tap.check(row is not None, f'{place}: {name} is not in the table: renew it')
        tap.same(list(array.shape), row['shape'])
        tap.check(bool(np.isfinite(array).all()), f'{place}: {name} has values that are not numbers')
        key = places()[place][1]
        if key in row['checksums']:
            tap.check(checksum(array) == row['checksums'][key], f'{place}: {name} has other bytes on {key}')
            return
        self.unknown.append(name)
        error = np.abs(np.array(samples(array)) - row['samples']).max() / max(row['largest'], 1e-30)
        tap.check(error <= tolerance, f'{place}: {name} differs by {error:.2g} of its largest value')

    def record(self, place, name, array):
        row = self.rows.setdefault(f'{place}: {name}', {'checksums': {}})
        row['checksums'][places()[place][1]] = checksum(array)
        row |= {'shape': list(array.shape), 'largest': float(np.abs(array).max()), 'samples': samples(array)}

    def write(self):
        lines = ',\n'.join(f'  {json.dumps(name)}: {json.dumps(row)}' for name, row in sorted(self.rows.items()))
        TABLE.write_text(f'{{\n{lines}\n}}\n')


def each(place, use):
    if place not in places():
        raise SkipTest(f'there is no {place}')
    skipped = []
    for name, line, tolerance in cases(place):
        try:
            use(place, name, result(place, line), tolerance)
        except SkipTest as why:
            skipped.append(str(why))
    if place == 'native':
        for name, array in ready_graphs():
            use(place, name, array, PACKED)
    return skipped


def checked(place):
    table = Table()
    for why in each(place, table.check):
        print(f'# {why}', flush=True)
    if table.unknown:
        print(f'# {len(table.unknown)} cases compared by values: {places()[place][1]} is not in the table', flush=True)


def test_native():
    checked('native')


def test_pocl():
    checked('pocl')


if __name__ == '__main__':
    if sys.argv[1:] == ['--renew']:
        table = Table()
        for place in places():
            each(place, lambda place, name, array, _: table.record(place, name, array))
        table.write()
    else:
        tap.main(globals())
