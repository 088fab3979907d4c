#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""One command from a scan to slices: scans that know neither their axis nor how they are laid out. Costs 15 s, whole 22 s."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

for near in 'graphs', 'tasks':
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / near))
import fields
import h5py
import numpy as np
import ole
import tap
import tifffile
from draw import drawn
from program import at_most, data, sinograph, sinograph_fails, slices, tooth

FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)
WIDTH, HEIGHT, ANGLES = 256, 24, 400
RNG = np.random.default_rng(11)


def command(*words):
    done = subprocess.run([os.environ['SINOGRAPH'], 'reconstruct', '--device=native', *map(str, words)], capture_output=True, text=True)
    tap.check(done.returncode == 0, f'{words}\n{done.stderr}')
    return done.stdout, done.stderr


def axis_said(said):
    found = re.search(r'the axis is at column ([\d.]+)', said)
    tap.check(found is not None, said)
    return float(found[1])


def simulate(path, words, spoil=lambda file: None, obj='shepp-logan'):
    """A scan that does not say where its axis is, nor how its detector stands."""
    sinograph('launch', '--quiet', '--device=native',
              f'simulate object={obj} width={WIDTH} height={HEIGHT} projections={ANGLES} type=u16 darks=3 flats=8 {words} ! write path={path} overwrite=true')
    with h5py.File(path, 'a') as file:
        for name in 'rotation_axis', 'geometry':
            if f'exchange/{name}' in file:
                del file[f'exchange/{name}']
        spoil(file)


def zingers(file):
    scan = file['exchange/data'][:]
    scan[RNG.random(scan.shape) < 1e-4] = 60000
    file['exchange/data'][...] = scan


def test_simulated():
    """Ten scans: photons, directions, where the axis is, what the object does and what is wrong with the detector."""
    parts = [{'centre': [0, 0], 'half-axes': [1.3, 1.2], 'value': 1}]
    for _ in range(20):
        parts.append({'centre': list(RNG.uniform(-.7, .7, 2)), 'half-axes': list(RNG.uniform(.02, .2, 2)), 'value': RNG.uniform(-.5, .5)})
    Path('wide.json').write_text(json.dumps(parts))
    for name, axis, words, spoil in drawn((
            ('many-photons', 128, 'photons=100000 axis=128', None), ('few-photons', 131.3, 'photons=1000 axis=131.3', None),
            ('some-photons', 120.7, 'photons=10000 axis=120.7', None), ('whole-turn', 125.2, 'photons=10000 axis=125.2 angles=0:360', None),
            ('third-off', 85.4, 'photons=20000 axis=85.4 angles=0:360', None), ('other-way', 133.6, 'photons=10000 axis=133.6 angles=180:0', None),
            ('truncated', 130.4, 'photons=20000 axis=130.4', None), ('tilted', 127.1, 'photons=20000 axis=127.1 detector-roll=0.2 middle-row=12', None),
            ('rings', 126.5, 'photons=20000 axis=126.5 structure=0.5 dead-pixels=0.002', None), ('zingers', 129.8, 'photons=20000 axis=129.8', zingers)), 4):
        simulate(f'{name}.h5', words, spoil or (lambda file: None), 'wide.json' if name == 'truncated' else 'shepp-logan')
        out, said = command(f'{name}.h5')
        at_most(abs(axis_said(said) - axis), 0.1, name)
        volume = slices(f'{name}-slices/slices')
        tap.same(volume.shape[2], 341 if name == 'third-off' else WIDTH)  # both halves of the turn joined
        tap.check(len(volume) == HEIGHT and np.isfinite(volume).all() and volume.std() > 0, name)
        tap.check(Path(f'{name}-slices/preview.png').stat().st_size > 1000, 'preview')


def test_measured():
    for scan, axis in (tooth(), 296.5), (data('savu-tiff'), 86.25):
        out, said = command(scan, f'{scan.stem}-out')
        at_most(abs(axis_said(said) - axis), 0.3, scan.stem)
        tap.check('graph.json' in out and "sinograph launch --device=native 'read path=" in out, out)


def test_graph():
    """The graph that is left makes the same slices again, in any folder, and the line that is shown is that graph."""
    simulate('again.h5', 'photons=10000 axis=120.7')
    out, _ = command('again.h5', 'first')
    wanted = slices('first/slices')
    graph = json.loads(Path('first/graph.json').read_text())
    tap.check('flat-field' in json.dumps(graph), str(graph))
    tap.check(f'\n{HEIGHT} slices in ' in out, out)  # two sinks take each of them
    said = sinograph_fails('run', 'first/graph.json')
    tap.check('exists' in said and 'overwrite' in said, said)
    shutil.rmtree('first/slices')
    Path('first/preview.png').unlink()
    Path('elsewhere').mkdir()
    done = subprocess.run([os.environ['SINOGRAPH'], 'run', '../first/graph.json'], capture_output=True, text=True, cwd='elsewhere')
    tap.check(done.returncode == 0, done.stderr)
    tap.check(np.array_equal(slices('first/slices'), wanted), 'the graph makes other slices')


def test_line():
    """The line that is shown makes the same bytes, whatever was asked for: the options, and what the graph does not say."""
    simulate('line.h5', 'photons=10000 axis=120.7')
    simulate('turn.h5', 'photons=10000 axis=85.4 angles=0:360')
    sinograph('launch', '--quiet', 'simulate object=shepp-logan width=64 height=8 projections=90 angles=0:360 source-origin=200 origin-detector=100 ! write path=fan.h5')
    with h5py.File('line.h5') as file, h5py.File('fan.h5') as fan:
        scan, dark, flat = (file[f'exchange/{name}'][:] for name in ('data', 'data_dark', 'data_white'))
        np.save('fan.npy', fan['exchange/data'][:])
        scan.tofile('scan.raw')
        for name, images in ('dark', dark), ('flat', flat), ('rows', scan.transpose(1, 0, 2)):
            tifffile.imwrite(f'{name}.tif', images, photometric='minisblack')
    frames = '--darks=dark.tif', '--flats=flat.tif'
    np.savetxt('its angles.txt', np.arange(ANGLES) * 180 / ANGLES)
    cases = {
        'plain': ('line.h5',), 'some': ('line.h5', '--axis=120.5', '--rows=4:9', '--projections=0:400:2'), 'more': ('line.h5', '--rings', '--bin=2', *frames),
        'phase': ('line.h5', "--phase=energy=20 distance=0.05 pixel-size=1e-6 delta-beta=300"), 'range': ('line.h5', '--axis=118:123:1'),
        'after': ('line.h5', '--flats-after=flat.tif', '--angles=its angles.txt'), 'sinograms': ('rows.tif', '--sinograms', '--angles=0:180', *frames),
        'set': ('line.h5', '--set=reconstruct.window=hann', '--set=read.columns=8:248', '--set', 'flat-field.reduce=median', '--set=preview.bits=16', '--set=slices.type=u8', '--set=slices.range=0:0.02'),
        'turn': ('turn.h5', '--set=find-axis.method=opposites'), 'raw': ('scan.raw', f'--raw=u16:{WIDTH}x{HEIGHT}', '--angles=0:180', *frames),
        'cone': ('fan.npy', '--angles=0:360', '--source-origin=200', '--origin-detector=100', '--pixel-size=1'),
        'read': ('fan.npy', '--set=read.angles=0:360', '--set=read.source-origin=200', '--set=read.origin-detector=100'),
        'place': ('line.h5', '--rows=0:4', '--memory=2G', '--threads=1', '--set=reconstruct.method=direct'),
    }
    for name, words in drawn(cases.items(), 7):
        out, _ = command(*words[:1], f'line-{name}', *words[1:])
        wanted = {path.name: path.read_bytes() for path in Path(f'line-{name}/slices').iterdir()}
        line = re.search(r'^sinograph (launch .*)$', out, flags=re.M)[1]
        shutil.rmtree(f'line-{name}')
        sinograph(*shlex.split(line))
        made = {path.name: path.read_bytes() for path in Path(f'line-{name}/slices').iterdir()}
        tap.check(made.keys() == wanted.keys() and len(made) > 0, name)
        for each, written in made.items():
            tap.check(written == wanted[each], f'{name}: {each} has other bytes')


def test_options():
    simulate('options.h5', 'photons=10000 axis=120.7')
    _, said = command('options.h5', 'given', '--axis=120.7', '--rows=4:12')
    tap.check('the axis is' not in said and len(slices('given/slices')) == 8, said)
    command('options.h5', 'rings', '--rings', '--set=remove-stripes.method=all')
    tap.check(not np.array_equal(slices('rings/slices')[4:12], slices('given/slices')), '--rings changes nothing')
    command('options.h5', 'binned', '--axis=120.7', '--bin=2')
    tap.same(slices('binned/slices').shape, (HEIGHT // 2, WIDTH // 2, WIDTH // 2))
    out, said = command('options.h5', 'range', '--axis=118:123:0.5')
    tap.same(sorted(path.name for path in Path('range/slices').glob('*.tif'))[:2], ['axis-118.00.tif', 'axis-118.50.tif'])
    at_most(abs(float(re.search(r'slices are sharpest at axis=([\d.]+)', said)[1]) - 120.7), 0.3, 'the sharpest')
    out, said = command('options.h5', 'strengths', '--axis=120.7', '--strength=0.5:2')
    tap.same(sorted(path.name for path in Path('strengths/slices').glob('*.tif'))[::15], ['strength-0.50000.tif', 'strength-2.00000.tif'])
    tap.check('show=axes' in out and 'reconstruct method=tv strength=0.5:2' in out, out)
    out, _ = command('options.h5', 'phase', '--phase=energy=20 distance=0.05 pixel-size=1e-6 delta-beta=300')
    tap.check('flat-field absorption=false ! retrieve-phase energy=20' in out, out)
    said = sinograph_fails('reconstruct', 'options.h5', 'given')
    tap.check("'given' exists: give another folder after the scan, or --overwrite" in said, said)
    command('options.h5', 'given', '--overwrite', '--axis=120.7')
    tap.check(len(slices('given/slices')) == HEIGHT, 'overwritten')


def test_folders():
    """Folders as people lay them out."""
    simulate('parts.h5', 'photons=10000 axis=120.7')
    with h5py.File('parts.h5') as file:
        parts = {'proj_': file['exchange/data'][:], 'dark_': file['exchange/data_dark'][:], 'Flat_': file['exchange/data_white'][:]}
    Path('mixed').mkdir()
    for name, images in parts.items():
        for i, image in enumerate(images):
            tifffile.imwrite(f'mixed/{name}{i:04}.tif', image)
    _, said = command('mixed', 'mixed-out', '--angles=0:180')
    at_most(abs(axis_said(said) - 120.7), 0.1, 'axis')
    tap.check("has no angles: give --angles=start:stop in degrees" in sinograph_fails('reconstruct', 'mixed', 'no-angles'), 'no angles')
    angles = np.arange(ANGLES) * 180 / ANGLES
    np.savetxt('mixed/angles.txt', np.concatenate([[0] * 3, angles, [angles[-1]] * 8]))
    out, _ = command('mixed', 'mixed-again')
    tap.check('angles=0:180' in out, out)
    tap.check(np.array_equal(slices('mixed-again/slices'), slices('mixed-out/slices')), 'angles from the file')
    np.savetxt('mixed/angles.txt', angles[:-5])
    tap.check('has 395 angles for 400 projections' in sinograph_fails('reconstruct', 'mixed', 'wrong-angles'), 'wrong angles')


def test_sinograms():
    """Images that are sinograms, as one file and as a folder, give the slices that projections do."""
    simulate('by-angle.h5', 'photons=10000 axis=120.7')
    command('by-angle.h5', 'of-projections', '--axis=120.7')
    wanted = slices('of-projections/slices')
    Path('rows').mkdir()
    with h5py.File('by-angle.h5') as file, h5py.File('by-row.h5', 'w') as other:
        rows = file['exchange/data'][:].transpose(1, 0, 2)
        other['exchange/data'], other['exchange/theta'] = rows, file['exchange/theta'][:]
        for name in 'white', 'dark':
            other[f'exchange/data_{name}'] = file[f'exchange/data_{name}'][:]
            tifffile.imwrite(f'rows/{name}.tif', file[f'exchange/data_{name}'][:], photometric='minisblack')
        for i, row in enumerate(rows):
            tifffile.imwrite(f'rows/sino_{i:03}.tif', row)
    out, _ = command('by-row.h5', 'of-sinograms', '--axis=120.7', '--sinograms')
    tap.check('axes=sinograms' in out and 'interleave' not in out, out)
    tap.check(np.array_equal(slices('of-sinograms/slices'), wanted), 'other slices')
    np.savetxt('rows/angles.txt', np.concatenate([[0] * 3, np.arange(ANGLES) * 180 / ANGLES]))
    _, said = command('rows', 'of-rows', '--sinograms', '--rings')
    at_most(abs(axis_said(said) - 120.7), 0.1, 'axis')
    command('rows', 'some-rows', '--sinograms', '--axis=120.7', '--rows=4:9')
    at_most(abs(slices('some-rows/slices') - wanted[4:9]).max(), 1e-5 * abs(wanted).max(), 'some rows, with angles of a text')
    simulate('whole-by-angle.h5', 'photons=10000 axis=120.7 angles=0:360')
    with h5py.File('whole-by-angle.h5', 'a') as file:
        rows = file['exchange/data'][:].transpose(1, 0, 2)
        del file['exchange/data']
        file['exchange/data'] = rows
    _, said = command('whole-by-angle.h5', 'of-a-turn', '--sinograms')
    at_most(abs(axis_said(said) - 120.7), 0.1, 'axis of a turn')
    said = sinograph_fails('reconstruct', 'by-row.h5', 'not-said')
    tap.check(f'has {HEIGHT} projections and {ANGLES} angles in /exchange/theta: set angles= to give the right ones, or axes=sinograms' in said, said)
    tap.check('--phase is for projections' in sinograph_fails('reconstruct', 'by-row.h5', 'phase-of', '--sinograms', '--phase=energy=20'), 'phase')


def test_other_formats():
    """A .txrm knows its angles and flat; folders may be of PNG images. Both give the slices of the HDF5 file."""
    simulate('same.h5', 'photons=10000 axis=120.7')
    with h5py.File('same.h5', 'a') as file:
        flats = file['exchange/data_white'][:1]
        for name in 'data_white', 'data_dark', 'position_white', 'position_dark':
            if name in file['exchange']:
                del file[f'exchange/{name}']
        file['exchange/data_white'] = flats
        scan, flat, angles = file['exchange/data'][:], file['exchange/data_white'][0], file['exchange/theta'][:]
    command('same.h5', 'same', '--axis=120.7')
    wanted = slices('same/slices')
    Path('same.txrm').write_bytes(ole.txrm(scan, angles, flat, seed=1))
    out, _ = command('same.txrm', 'of-txrm', '--axis=120.7')
    at_most(abs(slices('of-txrm/slices') - wanted).max(), 1e-5 * abs(wanted).max(), 'of a .txrm, with angles of float32')
    Path('pngs').mkdir()
    for i, image in enumerate(scan):
        Path(f'pngs/p_{i:03}.png').write_bytes(fields.png(image))
    Path('pngs/flat.png').write_bytes(fields.png(flat))
    command('pngs', 'of-pngs', '--axis=120.7', '--angles=0:180')
    at_most(abs(slices('of-pngs/slices') - wanted).max(), 1e-5 * abs(wanted).max(), 'of PNG images')


def test_inspect():
    """What a file says of a scan, and the line that would reconstruct it."""
    simulate('its.h5', 'photons=10000 axis=120.7 pixel-size=2e-6')
    os.rename('its.h5', 'it is.h5')
    said = sinograph('inspect', 'it is.h5')
    for wanted in ('projections  u16 projections (angle 400, row 24, column 256)', 'darks        3 of 24 x 256 pixels, u16', 'flats        8 of 24 x 256 pixels',
                   'angles       0 to 179.55 degrees in steps of 0.45', 'axis         unknown: it will be found automatically', 'beam         parallel', 'pixel size   2e-06'):
        tap.check(wanted in said, f'{wanted}: {said}')
    lines = re.findall(r'^  sinograph (.*)$', said, flags=re.M)
    tap.check(len(lines) == 2, said)
    for line, path in zip(lines, ('it is-slices/slices', 'slices')):
        sinograph(*shlex.split(line))
        tap.same(len(list(Path(path).glob('*.tif'))), HEIGHT)
    with h5py.File('it is.h5', 'a') as file:
        del file['exchange/theta']
    tap.check('missing: \'it is.h5\' has no angles: give --angles=' in sinograph('inspect', 'it is.h5'), 'missing angles')
    for path, wanted in {'absent.h5': 'absent.h5', 'zebra': 'zebra'}.items():
        tap.check(wanted in sinograph_fails('inspect', path), path)


def test_refusals():
    Path('empty').mkdir()
    with h5py.File('counts.h5', 'w') as file:
        file['exchange/data'] = np.ones((9, 2, 16), np.uint16)
        file['exchange/theta'] = np.arange(9) * 20.
    sinograph('launch', '--quiet', 'simulate width=32 height=8 projections=20 angles=0:360 source-origin=100 origin-detector=100 ! write path=cone.h5')
    for words, wanted in {
            ('absent.h5',): 'absent.h5', ('empty',): 'contain no images that could be projections', (): 'reconstruct wants a scan',
            ('counts.h5',): 'contains u16 projections (angle 9, row 2, column 16), and has no flats: give --flats=',
            ('cone.h5', '--rings'): '--rings is for parallel beams', ('counts.h5', 'a', 'b'): 'got 3 arguments',
            ('cone.h5', '--bin=0'): 'columns', ('cone.h5', '--axis=10:20'): '--axis=start:stop:step is for parallel beams', ('cone.h5', '--set=reconstruct.zebra=1'): 'zebra', ('cone.h5', '--phase=zebra=1'): 'zebra',
    }.items():
        said = sinograph_fails('reconstruct', *words)
        tap.check(wanted in said, f'{words} says {said}')
        tap.check(not Path('absent-slices').exists() and not Path('counts-slices').exists() and not Path('cone-slices').exists(), 'something is left')
    command('cone.h5')
    tap.check(len(slices('cone-slices/slices')) == 8, 'a cone beam')


tap.main(globals())
