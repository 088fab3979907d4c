#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Aluminium in water: both materials have their attenuation after the iteration of docs/graphs/two-materials.json."""
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / 'beam-hardening'))
import h5py
import numpy as np
import tap
from hardened import Beam, chords, write
from moving import made, main, refused
from program import SOURCE, at_least, at_most, sinograph

N, PIXEL, ROWS = 200, 1.0, 4
DEGREES = np.arange(300) * 0.6
BEAM = Beam(100)
WATER, INSERTS = (0, 0, 80), ((35, 0, 10), (-35, 0, 10))
TUBE = "voltage=100 filter='Al 2.5 mm'"
GRAPH = SOURCE / 'docs/graphs/two-materials.json'


def lengths():
    dense = sum(chords(DEGREES, N, PIXEL, disc) for disc in INSERTS)
    return chords(DEGREES, N, PIXEL, WATER) - dense, dense


def disc(image, x, y, radius):
    """The mean of a disc."""
    rows, columns = np.mgrid[:N, :N] + 0.5 - N / 2
    return image[np.hypot(columns * PIXEL - x, rows * PIXEL - y) < radius].mean()


def places(image):
    """Inserts; water between them, beside them and at the rim."""
    return [disc(image, 35, 0, 6), disc(image, -35, 0, 6)], [disc(image, 0, 0, 8), disc(image, 0, 40, 8), disc(image, 0, -60, 8), disc(image, 60, 0, 6)]


def test_iteration():
    water, dense = lengths()
    write('scan.h5', 50000 * np.exp(-BEAM.attenuation(H2O=water, Al=dense)), ROWS, DEGREES, rotation_axis=[N / 2],
          data_white=np.full((1, ROWS, N), 50000, 'f4'), data_dark=np.zeros((1, ROWS, N), 'f4'))  # fmt: skip
    before = made(f'read path=scan.h5 pixel-size={PIXEL} ! flat-field ! reconstruct')[1]
    values = places(before.astype(float))[1]
    at_least(np.ptp(values) / np.mean(values), 0.05, 'unevenness of water before')
    settings = {'read.path': 'scan.h5', 'read.pixel-size': PIXEL, 'write.path': 'corrected.h5'}
    for dense, correction in ('dense', 'second'), ('dense-again', 'third'):
        settings |= {f'{correction}.dense': 'Al', f'{dense}.projections': len(DEGREES), f'{dense}.pixel-size': PIXEL}
    sinograph('run', '--device=native', '--quiet', GRAPH, *sum((['--set', f'{name}={value}'] for name, value in settings.items()), []))
    with h5py.File('corrected.h5') as file:
        image = file['exchange/data'][1].astype(float)
    inserts, water = places(image)
    for value in inserts:
        at_most(abs(value / BEAM.thin('Al') - 1), 0.03, f'aluminium, {value:.5f}')
    for value in water:
        at_most(abs(value / BEAM.thin('H2O') - 1), 0.03, f'water, {value:.5f}')


def test_values():
    """Known lengths of both materials, in another unit: the sum of the attenuations of thin objects, or of one energy."""
    water, dense = (values[::20] for values in lengths())
    with h5py.File('data.h5', 'w') as file:
        file['exchange/data'], file['exchange/theta'] = BEAM.attenuation(H2O=water, Al=dense)[:, None].astype('f4'), np.arange(15)
    with h5py.File('lengths.h5', 'w') as file:
        file['exchange/data'], file['exchange/theta'] = 0.1 * dense[:, None].astype('f4'), np.arange(15)
    line = f'[read path=data.h5 values=attenuation, read path=lengths.h5] ! correct-two-materials dense=Al unit=10 {TUBE}'
    seen = water + dense > 5
    for words, one, two in ('', BEAM.thin('H2O'), BEAM.thin('Al')), ('energy=60', 0.02059, 0.2699 * 0.2778):
        got = made(f'{line} {words}')[:, 0]
        at_most(np.abs(got[seen] / (one * water + two * dense)[seen] - 1).max(), 0.03, f'deviation {words}: the models of the tube differ by 2 %')
    np.testing.assert_array_equal(made(line, '--threads=1'), made(line))


def said(line):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', f'{line} ! null'], capture_output=True, text=True)
    tap.check(done.returncode == 0, done.stderr)
    return done.stderr


def test_unit():
    """Lengths in columns have no known unit; those of a pixel size are taken in mm, with a message unless the file says so."""
    water, dense = (values[::20] for values in lengths())
    degrees, node = DEGREES[::20], f'correct-two-materials dense=Al {TUBE}'
    write('data.h5', BEAM.attenuation(H2O=water, Al=dense), ROWS, degrees, rotation_axis=[N / 2])
    write('lengths.h5', dense, ROWS, degrees)
    data = 'read path=data.h5 values=attenuation'
    refused(node, 'the unit of the lengths is unknown', f'[{data}, read path=lengths.h5]')
    sized = f'[{data}, read path=lengths.h5 pixel-size={PIXEL}] ! {node}'
    tap.check('give unit=1 if they are' in said(sized), 'an assumed unit is not said')
    np.testing.assert_array_equal(made(sized), made(f'{sized} unit=1'))
    for words, kind in ('', 'lengths'), (' ! reconstruct', 'slices'):
        sinograph('launch', '--quiet', f'read path={"data" if words else "lengths"}.h5 pixel-size={PIXEL}{words} ! write path={kind}.ome.tif unit=mm')
    known = f'[{data}, read path=lengths.ome.tif angles=0:180] ! {node}'
    projected = f'[{data}, read path=slices.ome.tif axes=slices ! forward-project projections={len(degrees)}] ! {node}'
    for line in known, projected:
        tap.check('in mm' not in said(line), said(line))
    np.testing.assert_array_equal(made(known), made(sized))
    tap.check("although the scan's lengths are in mm" in said(f'{known} unit=0.001'), 'another unit than that of the scan')


def test_refusals():
    water, dense = lengths()
    write('scan.h5', water * 0.02, ROWS, DEGREES)
    scan = 'read path=scan.h5 values=attenuation'
    for words, text in {'': 'give dense=', 'dense=CaF2': 'give its density in g/cm^3', 'dense=Al': 'give the voltage'}.items():
        refused(f'correct-two-materials {words}', text, f'[{scan}, {scan}]')
    refused(f'correct-two-materials dense=Al {TUBE}', "input 'lengths' wants", f'[{scan}, {scan} rows=0:2]')
    refused(f'correct-two-materials dense=Al energy=3 unit=1 {TUBE}', 'attenuation is known from 5 to 500 keV', f'[{scan}, {scan}]')


main(globals())
