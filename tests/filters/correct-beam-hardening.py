#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Cylinders that beams of many energies make darker in the middle: flat afterwards, whichever way the correction comes from."""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / 'beam-hardening'))
import h5py
import numpy as np
import tap
import tifffile
from hardened import Beam, away, chords, cupping, rings, unevenness, write
from moving import main, made, refused
from program import at_least, at_most, sinograph, sinograph_fails

N, PIXEL, RADIUS, ROWS = 160, 0.016, 1.0, 6
HALF, WHOLE = np.arange(240) * 0.75, np.arange(360) * 1.0
BEAM = Beam(60)
DISTANCES = 20, 10
CONE = f'source-origin={DISTANCES[0]} origin-detector={DISTANCES[1]}'
TUBE = "material=Fe voltage=60 filter='Al 1 mm'"
rng = np.random.default_rng(3)


def parallel(path, noise=0, disc=(0, 0, RADIUS)):
    values = BEAM.attenuation(Fe=chords(HALF, N, PIXEL, disc))
    write(path, values + noise * rng.standard_normal(values.shape), ROWS, HALF, rotation_axis=[N / 2])
    return f'read path={path} values=attenuation pixel-size={PIXEL}'


def cone(path):
    """A cylinder in a cone of 3 degrees: the rays of all rows are those of the middle one, nearly."""
    values = BEAM.attenuation(Fe=chords(WHOLE, N, PIXEL * 1.5, (0, 0, RADIUS), DISTANCES))
    write(path, values, ROWS, WHOLE, rotation_axis=[N / 2])
    return f'read path={path} values=attenuation pixel-size={1.5 * PIXEL} {CONE}'


def middle(line, *options):
    return made(f'{line} ! reconstruct', *options)[ROWS // 2].astype(float)


def said(line):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', f'{line} ! null'], capture_output=True, text=True)
    tap.check(done.returncode == 0, done.stderr)
    return done.stderr


def flat(image, what, most=0.01):
    at_most(unevenness(image, RADIUS, PIXEL), most, f'unevenness {what}')


def test_before():
    """The cylinder is the case that is asked for: 30 % darker in the middle."""
    for line in parallel('parallel.h5'), cone('cone.h5'):
        at_least(cupping(middle(line), RADIUS, PIXEL), 0.28, 'cupping')


def test_material():
    """By the spectrum that the node computes, of a scan with another spectrum. Thin objects keep their values: within 2 %, by which
    the models of the tube differ."""
    for line in parallel('parallel.h5'), cone('cone.h5'):
        image = middle(f'{line} ! correct-beam-hardening {TUBE}')
        flat(image, 'by the material')
        at_most(abs(rings(image, RADIUS, PIXEL).mean() / BEAM.thin('Fe') - 1), 0.03, 'attenuation of thin objects')
    truth = 0.1 * 7.874 * 8.176  # at 30 keV, NIST
    image = middle(f"{line} ! correct-beam-hardening {TUBE} energy=30")
    at_most(abs(rings(image, RADIUS, PIXEL).mean() / truth - 1), 0.03, 'attenuation at 30 keV')


def test_wedge():
    """Nine steps, as attenuation and as transmission."""
    steps = np.array([0.025, 0.05, 0.1, 0.2, 0.35, 0.6, 1, 1.5, 2.1])
    values = BEAM.attenuation(Fe=steps)
    Path('wedge.txt').write_text('# mm attenuation\n' + ''.join(f'{a} {b:.5f}\n' for a, b in zip(steps, values)))
    Path('light.txt').write_text('thickness transmission\n0 1\n' + ''.join(f'{a} {np.exp(-b):.6f}\n' for a, b in zip(steps, values)))
    for line, name in (parallel('parallel.h5'), 'wedge.txt'), (cone('cone.h5'), 'light.txt'):
        image = middle(f'{line} ! correct-beam-hardening wedge={name}')
        flat(image, f'by {name}')
        at_most(abs(rings(image, RADIUS, PIXEL).mean() / (values[0] / steps[0]) - 1), 0.01, 'attenuation of the thinnest step')


def test_found():
    """From the scan alone, with noise, off the middle, in a cone; and again by the numbers of the message."""
    scans = {'parallel': parallel('parallel.h5'), 'noisy': parallel('noisy.h5', 0.02), 'cone': cone('cone.h5')}
    for name, line in scans.items():
        text = said(f'{line} ! correct-beam-hardening')
        image, before = middle(f'{line} ! correct-beam-hardening'), middle(line)
        inside = away(image) < RADIUS / PIXEL - 4
        at_most(abs(image[inside].mean() / before[inside].mean() - 1), 0.03, 'change of the mean, of the object without its rim')
        flat(image, f'found, {name}')
        words = re.search(r'coefficients=\S+ highest=[\d.]+', text)[0]
        tap.check('darker than its rim' in text and 'in doubt' not in text, text)
        if name == 'noisy':
            np.testing.assert_array_equal(middle(f'{line} ! correct-beam-hardening {words}'), image)
    line = parallel('aside.h5', disc=(0.1, -0.08, RADIUS))
    tap.check('in doubt' not in said(f'{line} ! correct-beam-hardening'), 'off the axis')


def test_monochromatic():
    """Nothing is corrected where there is nothing."""
    values = 1.3 * chords(HALF, N, PIXEL, (0, 0, RADIUS))
    write('one.h5', values, ROWS, HALF, rotation_axis=[N / 2])
    line = f'read path=one.h5 values=attenuation pixel-size={PIXEL}'
    before, after = middle(line), middle(f'{line} ! correct-beam-hardening')
    at_most(np.abs(rings(after, RADIUS, PIXEL) / rings(before, RADIUS, PIXEL) - 1).max(), 0.01, 'change')


def test_doubt():
    """Two materials, an object beyond the field of view, and none."""
    disc, part = (chords(HALF, N, PIXEL, where) for where in ((0, 0, RADIUS), (0.4, 0, 0.3)))
    two = BEAM.attenuation(Al=disc - part, Fe=0.3 * part)
    wide = BEAM.attenuation(Fe=chords(HALF, N, PIXEL, (0.2, 0, 1.5)))
    for name, values, text in ('two', two, 'several materials'), ('wide', wide, 'field of view'), ('none', 0.01 * rng.standard_normal(disc.shape), 'too little of an object'):
        write(f'{name}.h5', values, ROWS, HALF, rotation_axis=[N / 2])
        line = f'read path={name}.h5 values=attenuation ! correct-beam-hardening'
        words = sinograph_fails('launch', '--device=native', '--strict', f'{line} ! null')
        tap.check(text in words and 'or leave --strict out' in words, f'{name}: {words}')


def test_values():
    """Against float64: polynomials, their straight lines, and the table of a material. Ones change nothing."""
    data = rng.uniform(-1, 6, (5, 7, 33)).astype('f4')
    data[0, 0, :3] = np.nan, np.inf, 0
    with h5py.File('values.h5', 'w') as file:
        file['exchange/data'], file['exchange/theta'] = data, np.arange(5)
    line = 'read path=values.h5 values=attenuation'
    np.testing.assert_array_equal(made(f'{line} ! correct-beam-hardening coefficients=1'), data)
    x = data.astype(float)

    def polynomial(x, end):
        y = np.clip(x, 0, end)
        return 1.1 * y + 0.2 * y**2 - 0.004 * y**3 + (x - y) * np.where(x > 0, 1.1 + 0.4 * end - 0.012 * end**2, 1.1)

    for end in 4, 20:
        got = made(f'{line} ! correct-beam-hardening coefficients=1.1,0.2,-0.004 highest={end}')
        keep = np.isfinite(x)
        np.testing.assert_allclose(got[keep], polynomial(x, end)[keep], rtol=2e-6, atol=2e-6)
        tap.check(np.isnan(got[0, 0, 0]) and got[0, 0, 1] == np.inf and got[0, 0, 2] == 0, 'no numbers')
    text = said(f'{line} ! correct-beam-hardening coefficients=1.1,0.2,-0.004')
    tap.check('falls where the attenuation rises above 36' in text and 'a straight line above 12' in text, text)
    usual, limited = (made(f'{line} ! calculate expression=10*x ! correct-beam-hardening coefficients=1.1,0.2,-0.004 {words}') for words in ('', 'highest=12'))
    np.testing.assert_array_equal(usual, limited)
    tap.check('falls' not in said(f'{line} ! correct-beam-hardening coefficients=1,0.1'), 'a curve that rises everywhere')
    lengths = np.linspace(0, 2.4, 99)
    with h5py.File('thick.h5', 'w') as file:
        file['exchange/data'], file['exchange/theta'] = BEAM.attenuation(Fe=lengths)[None, None].astype('f4'), [0.0]
    got = made(f'read path=thick.h5 values=attenuation ! correct-beam-hardening {TUBE}')[0, 0]
    at_most(np.abs(got[9:] / lengths[9:] / (got[40] / lengths[40]) - 1).max(), 0.015, 'deviation from a straight line, with another model of the tube')


def test_same_bytes():
    """Also what is found does not depend on threads, memory, or where the rows come from."""
    line = f'{parallel("noisy.h5", 0.02)} ! correct-beam-hardening'
    usual = made(line)
    np.testing.assert_array_equal(made(line, '--threads=1'), usual)
    said = sinograph_fails('launch', '--device=native', '--memory=44M', f'{line} ! write path=no.h5')
    least = float(re.search(r'needs ([\d.]+) MiB', said)[1])
    np.testing.assert_array_equal(made(line, f'--memory={least + 4}M'), usual)
    for lanes in 1, 16:
        np.testing.assert_array_equal(made(line.replace(' ! ', f' ! interleave lanes={lanes} ! ')).swapaxes(0, 1), usual)


def test_reconstruct():
    parallel('parallel.h5')
    with h5py.File('parallel.h5', 'a') as file:
        del file['exchange/rotation_axis']  # found before
    for words in 'auto', 'rows=4', TUBE:
        sinograph('reconstruct', '--device=native', '--overwrite', '--values=attenuation', f'--beam-hardening={words}', 'parallel.h5', 'out')
        flat(tifffile.imread(sorted(Path('out/slices').glob('*.tif'))[ROWS // 2]).astype(float), f'--beam-hardening={words}')
    text = sinograph_fails('reconstruct', '--values=attenuation', '--beam-hardening=steel', 'parallel.h5', 'other')
    tap.check('--beam-hardening=steel: give properties of correct-beam-hardening' in text, text)


def test_refusals():
    line = parallel('parallel.h5')
    Path('bad.txt').write_text('1 0.5\n2 1.5\n3 1.2\n4 2\n')
    Path('odd.txt').write_text('1 0.5 2\n')
    for words, text in {
            'coefficients=1 material=Al': 'give only one of them',
            'highest=3': 'highest=3 belongs to coefficients=',
            'voltage=60': 'belong to material=',
            'coefficients=one': 'give up to 16 numbers',
            'coefficients=1,-0.5': 'the corrected value falls',
            'material=Xx voltage=60': "is no element from H to U",
            'material=(SiO2 voltage=60': 'a parenthesis is not closed',
            'material=Fe voltage=60 energy=3': 'attenuation is known from 5 to 500 keV',
            'material=SiO2': 'give the voltage of the tube in kV',
            'material=Al voltage=60 filter=Al': 'give each layer as material, thickness and unit',
            'material=Al voltage=60 filter="MgB2 1 mm"': 'the density of MgB2 is unknown',
            'material=Al voltage=60 filter="Pb 1 cm, Pb 100 cm"': 'lets no photon through',
            'material=Al voltage=60 detector=film': 'give each layer',
            'wedge=none.txt': 'none.txt',
            'wedge=odd.txt': 'has 3 numbers',
            'wedge=bad.txt': 'the attenuation does not rise from thickness 2 to 3',
    }.items():  # fmt: skip
        refused(f'correct-beam-hardening {words}', text, line)
    refused('correct-beam-hardening coefficients=1', 'wants attenuation, got emission', 'read path=parallel.h5 values=emission')
    refused('correct-beam-hardening coefficients=1', "put 'minus-log' before this node", 'read path=parallel.h5 values=transmission')
    with h5py.File('parallel.h5', 'a') as file:
        del file['exchange/rotation_axis']
    refused('correct-beam-hardening', "put 'find-axis' before this node", 'read path=parallel.h5 values=attenuation')


main(globals())
