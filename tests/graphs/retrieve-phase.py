#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Phase retrieval of objects that are known: their thickness from intensities that were propagated in float64, slices of
attenuation, the same bytes in little memory, and what is said of sizes that cannot be."""
import os
import re
import subprocess
import tempfile

import h5py
import numpy as np
import phase_objects as objects
import tap
from program import at_least, at_most, in_little_memory, sinograph, sinograph_fails

WIDTH, HEIGHT = 250, 190
SPHERES = [(-30, 0, -15, 55, 55, 55), (70, 10, 40, 25, 40, 30)]
# Where pixels see neither an edge nor what it does around it.
EDGE = 12


def made(line, *options):
    sinograph('launch', '--quiet', '--device=native', *options, f'{line} ! write path=out.h5 overwrite=true')
    with h5py.File('out.h5') as file:
        return file['exchange/data'][:].astype(float)


def retrieved(words):
    return made(f'read path=spheres.h5 ! retrieve-phase {objects.WORDS} {words}')[0]


def regions():
    """Inside and outside of both objects, away from their edges."""
    def shadow(grown):
        parts = [(x, y, z, a + grown, b + grown, c + grown) for x, y, z, a, b, c in SPHERES]
        return objects.thickness(parts, WIDTH, HEIGHT) > 0
    return shadow(-EDGE), ~shadow(EDGE)


def error(image, truth, where):
    return np.sqrt(np.mean((image - truth)[where]**2)) / np.mean(truth[regions()[0]])


def test_thickness():
    truth = objects.thickness(SPHERES, WIDTH, HEIGHT)
    thick = retrieved('') / objects.MU
    inside, outside = regions()
    at_most(error(thick, truth, inside), 0.01, 'paganin, inside')
    at_most(error(thick, truth, outside), 0.01, 'paganin, outside')
    plain = -np.log(objects.transmission(SPHERES, WIDTH, HEIGHT)) / objects.MU
    everywhere = np.ones_like(inside)
    at_least(error(plain, truth, everywhere) / error(thick, truth, everywhere), 20, 'fringes against what is left of them')


def test_phase():
    truth = 2 * np.pi / objects.WAVELENGTH * objects.DELTA * objects.thickness(SPHERES, WIDTH, HEIGHT)
    inside, outside = regions()
    phase = retrieved('method=tie')
    at_most(error(phase, truth, inside), 0.02, 'tie, inside')
    at_most(error(phase, truth, outside), 0.02, 'tie, outside')


def test_aided():
    """Attenuation of what is left when the fringes are divided by those of the phase."""
    truth = objects.MU * objects.thickness(SPHERES, WIDTH, HEIGHT)
    plain = -np.log(objects.transmission(SPHERES, WIDTH, HEIGHT))
    aided = retrieved('method=bronnikov-aided')
    everywhere = np.ones(truth.shape, bool)
    at_least(error(plain, truth, everywhere) / error(aided, truth, everywhere), 20, 'fringes against what is left of them')


def test_slices():
    """A sphere about the axis, which looks alike from everywhere, becomes a disc of its attenuation coefficient."""
    sphere = [(0, 0, 0, 40, 40, 40)]
    image = objects.transmission(sphere, 128, 96)
    objects.write('sphere.h5', [image] * 150, np.arange(150) * 1.2)
    middle = made(f'read path=sphere.h5 ! retrieve-phase {objects.WORDS} ! reconstruct axis=64')[48]
    place = np.arange(128) + 0.5 - 64
    radius = np.hypot(place[:, None], place[None, :])
    expected = objects.MU * objects.PIXEL
    at_most(abs(middle[radius < 30].mean() / expected - 1), 0.01, 'mean inside')
    at_most(middle[radius < 30].std() / expected, 0.02, 'deviation inside')
    at_most(abs(middle[(radius > 50) & (radius < 60)].mean() / expected), 0.02, 'mean outside')


def test_any_memory():
    images = np.random.default_rng(3).uniform(0.3, 1, (23, 61, 150))
    objects.write('noise.h5', images, np.arange(23) * 7.)
    for method in 'paganin', 'qp':
        line = f'read path=noise.h5 ! retrieve-phase {objects.WORDS} method={method}'
        right = made(line)
        for result in (made(line, '--threads=1'),
                       in_little_memory(lambda memory: made(line, memory), 'native', f'{line} ! write path=no.h5')):
            np.testing.assert_array_equal(result, right)
        sinograms = made(f'{line} ! interleave', '--memory=600M')
        np.testing.assert_array_equal(sinograms.transpose(1, 0, 2), right)


def test_pixel_of_the_scan():
    """NXtomo files say it in any unit, which the stream has in mm."""
    image = objects.transmission(SPHERES, WIDTH, HEIGHT).astype(np.float32)
    with h5py.File('nx.h5', 'w') as file:
        detector = file.create_group('entry/instrument/detector')
        file['entry'].attrs['definition'] = 'NXtomo'
        detector['data'] = image[None]
        detector['x_pixel_size'] = 1.
        detector['x_pixel_size'].attrs['units'] = 'um'
        detector['image_key'] = [0]
        file['entry/sample/rotation_angle'] = [0.]
    words = objects.WORDS.replace(f'pixel-size={objects.PIXEL} ', '')
    tap.check('pixel-size=' not in words, words)
    np.testing.assert_array_equal(made(f'read path=nx.h5 dataset=entry/instrument/detector/data ! retrieve-phase {words}')[0], retrieved(''))


def test_beam_of_the_scan():
    """Energy and distance, as NXtomo and Data Exchange have them, and as `write` leaves them."""
    image = objects.transmission(SPHERES, WIDTH, HEIGHT).astype(np.float32)
    energy, distance = (float(re.search(f'{name}=([^ ]+)', objects.WORDS)[1]) for name in ('energy', 'distance'))
    words = re.sub('(energy|distance)=[^ ]+ ', '', objects.WORDS)

    def put(file, name, value, units):
        file[name] = value
        if units:
            file[name].attrs['units'] = units
    with h5py.File('nx.h5', 'w') as file:
        file['entry/instrument/detector/data'] = image[None]
        file['entry/instrument/detector/image_key'] = [0]
        file['entry/sample/rotation_angle'] = [0.]
        put(file, 'entry/instrument/beam/incident_energy', 1e3 * energy, 'eV')
        put(file, 'entry/instrument/detector/distance', 1e3 * distance, 'mm')
    with h5py.File('exchange.h5', 'w') as file:
        file['exchange/data'] = image[None]
        file['exchange/theta'] = [0.]
        put(file, 'measurement/instrument/monochromator/energy', [energy], None)
        put(file, 'measurement/instrument/detector_motor_stack/setup/z', [1e3 * distance], None)
    for name in 'nx', 'exchange':
        np.testing.assert_allclose(made(f'read path={name}.h5 ! retrieve-phase {words}')[0], retrieved(''), rtol=1e-5, atol=1e-6)
        sinograph('launch', '--quiet', f'read path={name}.h5 ! write path=kept.h5 overwrite=true')
        np.testing.assert_allclose(made(f'read path=kept.h5 ! retrieve-phase {words}')[0], retrieved(''), rtol=1e-5, atol=1e-6)
        for path in f'{name}.h5', 'kept.h5':
            said = sinograph('inspect', path)
            tap.check(f'energy       {energy:g} keV' in said and f'distance     {distance:g} m' in said, said)
        tap.check(f'the scan gives energy={energy:g} (keV)' in messages(f'read path={name}.h5 ! retrieve-phase {words}'), 'energy is told')
    # What is given goes before.
    np.testing.assert_array_equal(made(f'read path=exchange.h5 ! retrieve-phase {objects.WORDS}')[0], retrieved(''))
    for units, value, said in ('furlong', 1., "the unit 'furlong' is unknown: it must be keV or eV; this value is ignored"), ('eV', 20., None), (
            'keV', [20., 21.], 'monochromator/energy has 2 values: it must have one; this value is ignored'):
        with h5py.File('exchange.h5', 'a') as file:
            del file['measurement/instrument/monochromator/energy']
            put(file, 'measurement/instrument/monochromator/energy', value, units)
        wrong = sinograph_fails('check', f'read path=exchange.h5 ! retrieve-phase {words} ! null')
        tap.check(('energy= is missing' if said else "the scan's energy is 0.02 keV") in wrong, wrong)
        tap.check(not said or said in sinograph('inspect', 'exchange.h5'), said)


def test_cone():
    """The distance of sample and detector is not the one that counts where the beam magnifies."""
    sinograph('launch', '--quiet', 'simulate width=64 height=9 projections=8 source-origin=500 origin-detector=500 flats=2 '
              '! write path=cone.h5')
    words = 'flat-field absorption=false ! retrieve-phase delta-beta=100 pixel-size=1e-6'
    with h5py.File('cone.h5', 'a') as file:
        file['measurement/instrument/monochromator/energy'] = 20.
        file['measurement/instrument/detector_motor_stack/setup/z'] = 500.
    wrong = sinograph_fails('check', f'read path=cone.h5 ! {words} ! null')
    tap.check('distance= is missing: the scan gives 0.5 m, but has a cone beam' in wrong, wrong)
    said = messages(f'read path=cone.h5 ! {words} distance=0.25')
    tap.check('the scan gives energy=20 (keV)' in said and 'the scan gives distance' not in said, said)


def test_errors():
    for read, words, said in (
            ('read path=spheres.h5', 'distance=0.02', 'energy= is missing'),
            ('read path=spheres.h5', 'energy=20 delta-beta=100', 'distance= is missing'),
            ('read path=spheres.h5', 'energy=20 distance=0.02', 'delta-beta= is missing'),
            ('read path=spheres.h5', 'energy=20 distance=0.02 delta-beta=100', 'set pixel-size= in m'),
            ('read path=spheres.h5', 'energy=20 distance=0.02 delta-beta=100 pixel-size=1', 'a micrometre is 1e-6'),
            ('read path=spheres.h5', 'energy=20000 distance=0.02', 'in keV'),
            ('read path=spheres.h5 ! interleave', objects.WORDS, "put this node before 'interleave'"),
            ('simulate width=64 height=9 projections=8 flats=2', objects.WORDS, 'absorption=false'),
            ('read path=spheres.h5 rows=::2', objects.WORDS, 'fringes are round')):
        tap.check(said in sinograph_fails('check', f'{read} ! retrieve-phase {words} ! write path=no.h5'), said)


def messages(line):
    """What a run says beside its pixels."""
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', f'{line} ! null'],
                          capture_output=True, text=True, check=True)
    return done.stderr


def test_messages():
    plain = f'retrieve-phase {objects.WORDS}'
    tap.check("'retrieve-phase': " not in messages(f'read path=spheres.h5 ! {plain}'), plain)
    for read, words, said in (
            ('read path=spheres.h5', plain.replace('1e-06', '1e-3'), 'the finest details change by'),
            ('read path=spheres.h5', plain.replace('1e-06', '1e-8'), 'the filter blurs over'),
            ('simulate width=64 height=9 projections=8 flats=2 ! flat-field', plain, 'absorption=false'),
            ('simulate width=64 height=9 projections=8', plain, 'absorption=false'),
            ('simulate width=64 height=9 projections=8 source-origin=500 origin-detector=20 flats=2 ! '
             'flat-field absorption=false', plain, 'with magnification M')):
        result = messages(f'{read} ! {words}')
        tap.check(said in result, (said, result))


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        objects.write('spheres.h5', [objects.transmission(SPHERES, WIDTH, HEIGHT)], [0])
        tap.main(globals())
