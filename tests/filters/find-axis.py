#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The axis of scans of ellipses, whose projections are known in closed form, and of measured ones. Costs 16 s, whole 27 s."""
import functools
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'graphs'))
import h5py
import numpy as np
import tap
import tifffile
from draw import drawn, in_turn
from program import at_most, data, in_little_memory, sinograph, sinograph_fails, tooth

WIDTH = 256
FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)


@functools.cache
def ellipses(axis, angles, rows=4, wide=1.0, photons=0):
    """Attenuation (angle, row, column) of random ellipses in one of the size of the detector, or wider; angles in degrees."""
    random = np.random.default_rng(7)
    half = WIDTH / 2 * wide
    turn = np.radians(np.array(angles))[:, None]
    u = (np.arange(WIDTH) + 0.5 - axis) / half
    scan = np.zeros((len(angles), rows, WIDTH))
    for row in range(rows):
        parts = [(0, 0, 0.75, 0.65, 0, 0.5)]
        for _ in range(20):
            radius, place = random.uniform(0, 0.5), random.uniform(0, 2 * np.pi)
            parts.append((radius * np.cos(place), radius * np.sin(place), *random.uniform(0.02, 0.15, 2), random.uniform(0, np.pi),
                          random.uniform(-0.5, 1)))
        for x, y, a, b, tilt, value in parts:
            s = u - (x * np.cos(turn) - y * np.sin(turn))
            square = (a * np.cos(turn + tilt)) ** 2 + (b * np.sin(turn + tilt)) ** 2
            scan[:, row] += 2 * value * a * b * np.sqrt(np.maximum(square - s * s, 0)) / square
    if photons:
        scan = -np.log(np.maximum(random.poisson(photons * np.exp(-scan)), 0.5) / photons)
    return scan


def spread(stop, count):
    return tuple(np.arange(count) * stop / count)


def save(scan, angles, name='scan.h5', **options):
    with h5py.File(PATH / name, 'w') as file:
        file.create_dataset('exchange/data', data=scan.astype(np.float32), **options)
        file['exchange/theta'] = np.array(angles)
    return PATH / name


def messages(line, *words):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', *words, line], capture_output=True, text=True)
    tap.check(done.returncode == 0, f'{line}\n{done.stderr}')
    return done.stderr


def found(scan, angles, node='find-axis', *words):
    """The axis, and all that was said."""
    said = messages(f'read path={save(scan, angles)} ! {node} ! null', *words)
    at = re.search(r'the axis is at column ([\d.]+)', said)
    tap.check(at is not None, said)
    return float(at[1]), said


def check(axis, angles, bound, what, node='find-axis', **options):
    at, said = found(ellipses(axis, tuple(angles), **options), angles, node)
    at_most(abs(at - axis), bound, what)
    return said


def test_half_turn():
    for axis in drawn((128, 131.3, 117.75), 3):
        check(axis, spread(180, 400), 0.1, 'exact projections')
    check(131.3, spread(180, 400), 0.1, '5000 photons', photons=5000)
    check(131.3, spread(-180, 400), 0.1, 'the other way round', photons=5000)
    check(120.6, spread(180 * 401 / 400, 401), 0.1, 'both ends of half a turn', photons=5000)
    check(120.6, spread(180 * 401 / 400, 401), 0.1, 'opposites alone', 'find-axis method=opposites', photons=20000)


def test_few_projections():
    check(120.6, spread(180, 40), 0.2, '40 projections', photons=5000)


def test_wide_objects():
    check(140.3, spread(180, 400), 0.1, 'an object that is wider than the detector', wide=1.6, photons=20000)


def test_whole_turn():
    check(131.3, spread(360, 400), 0.05, 'a whole turn', photons=2000)
    for axis in drawn((85.3, 170.7, 40.2), 3):
        check(axis, spread(360, 400), 0.05, 'half of the object at a time', wide=1.7, photons=20000)


def test_angles():
    """In any order, with some missing, twice, not quite even, beyond a turn."""
    axis, angles = 125.4, np.array(spread(180, 400))
    random = np.random.default_rng(3)
    some_angles = {'shuffled': random.permutation(angles), 'interleaved': np.concatenate([angles[::2], angles[1::2]]),
                   'without one': np.delete(angles, 100), 'one twice': np.insert(angles, 100, angles[100]),
                   'uneven': angles + random.uniform(-0.1, 0.1, 400), 'three turns on': angles + 1080 - 90}
    for what, some in drawn(some_angles.items(), 2):
        check(axis, tuple(some), 0.15, what, photons=20000)


def disc(axis, angles, radius):
    """Discs in a round body in the middle, without noise: its columns that no other disc reaches stand still, as air does."""
    u, turn = np.arange(WIDTH) + 0.5 - axis, np.radians(np.array(angles))[:, None]
    scan = np.zeros((len(angles), len(u)))
    for x, y, r, value in (0, 0, 1, 1), (0.36, 0.21, 0.21, 0.8), (-0.39, 0.32, 0.16, -0.6), (-0.11, -0.5, 0.18, 0.7), (0.54, -0.36, 0.13, 1.2):
        at = u - radius * (x * np.cos(turn) - y * np.sin(turn))
        scan += 2 * value / WIDTH * np.sqrt(np.maximum((radius * r) ** 2 - at * at, 0))
    return np.repeat(scan[:, None], 6, axis=1)


def test_air_without_noise():
    """Zeros beside a small object are air, and no dead columns."""
    for axis, radius in (123.7, 90), (134.3, 88):
        at, said = found(disc(axis, spread(180, 180), radius), spread(180, 180))
        at_most(abs(at - axis), 0.05, f'a body of {radius} columns')
        tap.check('in doubt' not in said and 'fall to zero' not in said, said)


def test_what_stands_still():
    axis, angles = 131.3, spread(180, 400)
    scan = ellipses(axis, angles, photons=20000)
    stripes = scan.copy()
    stripes[:, :, 100] = 0
    stripes[:, :, 37] += 1
    stripes[:, :, 200:203] = np.inf
    stripes[50:60, :, 90] = np.nan
    edge = scan.copy()
    edge[:, :, :25] = 0
    for what, bad in {'stripes': stripes, 'a dead edge': edge}.items():
        at, _ = found(bad, angles)
        at_most(abs(at - axis), 0.15, what)


def check_not_found(scan, angles, reason, node='find-axis'):
    said = messages(f'read path={save(scan, angles)} ! {node} ! null')
    tap.check('the axis was not found' in said and reason in said and 'the middle, column 128, is used; give the axis' in said, said)


def test_nothing_to_find():
    random = np.random.default_rng(5)
    noise = random.normal(0, 0.05, (200, 4, WIDTH))
    for turn in drawn((180, 360), 2):
        check_not_found(noise, spread(turn, 200), 'too little')
        check_not_found(np.zeros((200, 4, WIDTH)), spread(turn, 200), 'too little')
    drift = np.cumsum(random.normal(0, 0.02, (200, 1, 1)), 0) + np.cumsum(random.normal(0, 0.01, (1, 1, WIDTH)), 2) + noise
    check_not_found(drift, spread(180, 200), 'too little')
    scan = ellipses(131.3, spread(180, 200))
    check_not_found(scan, np.array(spread(120, 200)), 'the projections cover 119.4 degrees, and half a turn is needed')
    check_not_found(scan, np.where(np.arange(200) < 100, 1, 1.5) * np.arange(200), 'a gap of')
    check_not_found(scan[:5], spread(180, 5), 'fewer than 8 projections')


def moved(columns, **options):
    """The second half of a whole turn has moved, so that mirror images lie half of that further, and the first half turn has not."""
    scan = ellipses(131.3, spread(360, 400), **options).copy()
    scan[200:] = np.roll(scan[200:], columns, axis=2)
    return scan


def test_disagreement():
    """Two methods that agree outvote the third, which is silent then; one against one is a doubt."""
    angles = spread(360, 400)
    at, said = found(moved(4), angles)
    at_most(abs(at - 133.3), 0.1, 'mirror images of what has moved')
    tap.check('wedge' not in said and 'in doubt' not in said and '; sharpness: 133.' in said, said)
    at, said = found(moved(8, photons=400), angles)
    at_most(abs(at - 135.3), 0.1, 'mirror images, with noise')
    tap.check('this is in doubt: wedge: column 131.' in said and 'compare slices with both' in said, said)


def test_strict():
    """What is in doubt ends a strict run before anything is written; what is sure does not."""
    angles, out = spread(360, 400), PATH / 'strict.h5'
    for scan, turn, reason in ((moved(8, photons=400), angles, 'this is in doubt'), (np.zeros((400, 4, WIDTH)), angles, 'too little'),
                               (ellipses(131.3, angles), spread(120, 400), 'half a turn is needed')):
        line = f'read path={save(scan, turn)} ! reconstruct ! write path={out}'
        done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--strict', '--device=native', line], capture_output=True, text=True)
        tap.check(done.returncode == 1 and not out.exists(), f'{done.returncode}, {line}\n{done.stderr}')
        last = done.stderr.splitlines()[-1]
        for part in "'reconstruct/find-axis': ", reason, 'give the axis, as axis=', ', or leave --strict out':
            tap.check(part in last, f'no "{part}" in {last}')
    path = save(ellipses(131.3, angles), angles)
    messages(f'read path={path} ! reconstruct ! write path={out}', '--strict')
    tap.check(out.exists(), 'an axis that is sure')
    messages(f'read path={save(np.zeros((400, 4, WIDTH)), angles)} ! reconstruct axis=131.3 ! null', '--strict')


def test_short_arc():
    """A few degrees less than half a turn: sharpness says the axis, to a column."""
    for arc in 166, 158:
        angles = tuple(np.arange(arc) * 1.)
        at, said = found(ellipses(131.3, angles, rows=12, photons=20000), angles)
        at_most(abs(at - 131.3), 1, f'{arc} degrees')
        tap.check(f'(sharpness of 3 slices, of {arc - 1} degrees)' in said, said)


def test_sharpness():
    """Slices of a few axes, for scans that mirror images would do for, and for some that they do not."""
    node = 'find-axis method=sharpness'
    scans = ((85.3, spread(180, 200), 0.15, {'wide': 1.3, 'photons': 20000}), (120.6, spread(180, 40), 0.15, {'photons': 5000}),
             (170.7, spread(360, 200), 0.15, {'wide': 1.7, 'photons': 20000}), (131.3, spread(165, 165), 1, {'photons': 20000, 'rows': 12}))
    for axis, angles, bound, options in drawn(scans, 2):
        said = check(axis, angles, bound, f'{angles[-1]:.0f} degrees, {options}', node, **options)
        tap.check(f"sharpness of {options.get('rows', 4) // 4} slices" in said, said)
    noise = np.random.default_rng(5).normal(0, 0.05, (40, 4, WIDTH))
    check_not_found(noise, spread(180, 40), 'too little', node)
    check_not_found(np.zeros((40, 4, WIDTH)), spread(180, 40), 'too little', node)
    check_not_found(noise[:5], spread(180, 5), 'fewer than 8 projections', node)


def test_another_opinion():
    """What stands at both ends of half a turn is dark, so that nothing continues there."""
    angles = spread(180, 400)
    scan = ellipses(131.3, angles).copy()
    scan[:10], scan[-10:] = 0, 0
    at, said = found(scan, angles)
    at_most(abs(at - 131.3), 0.3, 'without projections at the ends')
    tap.check('sharpness of 1 slices' in said, said)
    tap.check('sharpness' not in found(ellipses(131.3, angles), angles)[1], 'asked for where there is no doubt')


def test_tilt():
    """Of a detector that is not upright: its rows, by themselves, are parallel beams with axes of their own."""
    for roll, turn, node in drawn(((0.7, 180, ''), (-0.7, 360, 'method=sharpness rows=24'), (0.05, 360, '')), 3):
        messages(f'simulate width=128 height=120 projections=120 angles=0:{turn} axis=67.3 detector-roll={roll} ! write path={PATH}/rolled.h5 overwrite=true')
        with h5py.File(PATH / 'rolled.h5') as file:
            path = save(file['exchange/data'][:], spread(turn, 120))
        said = messages(f'read path={path} ! find-axis {node} ! write path={PATH}/tilted.h5 overwrite=true')
        at, tilt, error = map(float, re.search(r'column ([\d.]+) .*tilt ([-\d.]+) \+- ([\d.]+) degrees', said).groups())
        at_most(abs(tilt + roll), max(3 * error, 0.03), f'tilt of {roll} {node}, +- {error}')
        at_most(error, 0.2, 'its error')
        at_most(abs(at - 67.3), 0.2, 'the axis of the middle row')
        warned = re.search(r"is tilted by .* it moves by ([-\d.]+) columns .*'rotate angle=([-\d.]+)' before", said)
        tap.check(bool(warned) == (abs(roll) > 0.3), said)
        if warned:
            at_most(abs(float(warned[2]) - tilt), 1e-3, 'the cure')
            at_most(abs(float(warned[1]) - 119 * np.tan(np.radians(tilt))), 0.02, 'columns')
        with h5py.File(PATH / 'tilted.h5') as file:
            tap.check(f'tilted by {tilt:.3f} +- ' in file['exchange/data'].attrs['provenance'], 'provenance')


def leaning(rows):
    """A body whose axis leans: each row has an axis of its own. Half as wide at both ends."""
    u, turn = np.arange(WIDTH) + 0.5, np.radians(np.arange(90) * 2.)[:, None]
    scan = np.zeros((90, rows, WIDTH))
    for row in range(rows):
        off, radius = row - rows / 2 + 0.5, 100 * (1 - abs(row / rows - 0.5))
        for x, y, r, value in (0, 0, 1, 1), (0.36, 0.21, 0.21, 0.8), (-0.39, 0.32, 0.16, -0.6), (-0.11, -0.5, 0.18, 0.7), (0.54, -0.36, 0.13, 1.2):
            at = u - 131.3 - off * np.tan(np.radians(1.2)) - radius * (x * np.cos(turn) - y * np.sin(turn))
            scan[:, row] += 2 * value / WIDTH * np.sqrt(np.maximum((radius * r) ** 2 - at * at, 0))
    return scan + np.random.default_rng(4).normal(0, 0.005, scan.shape)


def test_compressed():
    """A leaning axis is seen however rows lie in chunks and strips, and none of these is read twice before the run. Costs 3 s."""
    rows, angles = 96, spread(180, 90)
    scan = leaning(rows)
    first = None
    for what, options in {'plain': {}, 'projections': {'chunks': (1, rows, WIDTH)}, 'four halves': {'chunks': (4, rows // 2, WIDTH)},
                          'tall chunks': {'chunks': (5, 70, 100)}, 'TIFF': None}.items():
        path = PATH / f"leaning{'' if what == 'TIFF' else '.h5'}"
        if what == 'TIFF':
            path.mkdir()
            for number, image in enumerate(scan.astype(np.float32)):
                tifffile.imwrite(path / f'{number:03}.tif', image, compression='deflate', rowsperstrip=rows)
        else:
            save(scan, angles, path.name, **options, **({'compression': 'gzip'} if options else {}))
        said = messages(f'read path={path} angles=0:180 ! find-axis ! null')
        at, tilt, error = map(float, re.search(r'column ([\d.]+) .*tilt ([-\d.]+) \+- ([\d.]+) degrees', said).groups())
        at_most(abs(tilt - 1.2), max(3 * error, 0.03), f'tilt, {what}')
        at_most(abs(at - 131.3), 0.1, f'axis of the middle row, {what}')
        first = first or said
        tap.check(said == first, f'{what} says\n{said}where others say\n{first}')
        if options:
            stats = sinograph('launch', '--device=native', '--stats', f'read path={path} angles=0:180 ! find-axis ! null')
            chunks = np.prod([-(-size // chunk) for size, chunk in zip(scan.shape, options['chunks'])])
            tap.check(f'chunks={2 * chunks} ' in stats.replace('\n', ' '), f'{what}: {chunks} chunks before the run, and in it\n{stats}')


def test_streams():
    """Sinograms say the same as projections; slices are those with the axis given; a scan that knows its axis keeps it."""
    axis, angles = 131.3, spread(180, 200)
    path = save(ellipses(axis, angles, rows=6), angles)
    one = messages(f'read path={path} ! find-axis ! null')
    other = messages(f'read path={path} ! interleave ! find-axis ! null')
    tap.check(one == other, f'{one}\n{other}')
    at = float(re.search(r'column ([\d.]+)', one)[1])
    out = PATH / 'out.h5'

    def slices(node):
        said = messages(f'read path={path} {node} ! write path={out} overwrite=true')
        with h5py.File(out) as file:
            return said, file['exchange/data'][:], json.dumps(dict(file.attrs), default=str) + file['exchange'].attrs.get('provenance', '')
    said, got, _ = slices('! reconstruct method=direct')
    tap.check("'reconstruct/find-axis': the axis is at column" in said, said)
    _, given, _ = slices(f'! reconstruct method=direct axis={at}')
    at_most(np.abs(got - given).max() / np.abs(given).max(), 3e-3, 'difference to slices with the axis in two decimals')
    said, known, _ = slices(f'axis={at} ! find-axis ! reconstruct method=direct')
    tap.check('find-axis' not in said and np.array_equal(known, given), said)
    tap.check('the axis is at column' in messages(f'read path={path} axis=100 ! find-axis again=true ! null'), 'again=true')


def test_provenance():
    angles = spread(180, 200)
    path, out = save(ellipses(131.3, angles), angles), PATH / 'kept.h5'
    messages(f'read path={path} ! reconstruct ! write path={out}')
    with h5py.File(out) as file:
        kept = []
        file.visititems(lambda name, item: kept.extend(map(str, item.attrs.values())))
        kept.extend(map(str, file.attrs.values()))
        kept.extend(str(item[()]) for item in file.values() if isinstance(item, h5py.Dataset))
    tap.check(any(re.search(r'axis 131\.\d+, found by wedge', text) for text in kept), str(kept)[:3000])


def test_rows():
    """As little memory as will do, threads, and how chunks are cut change nothing. Costs 3 s."""
    in_turn(0, 2)
    axis, angles = 131.3, spread(180, 200)
    scan = np.repeat(ellipses(axis, angles, rows=4), 16, axis=1)
    path = save(scan, angles)
    line = f'read path={path} ! reconstruct method=direct ! write path={PATH}/rows.h5 overwrite=true'

    def run(*words):
        said = messages(line, *words)
        with h5py.File(PATH / 'rows.h5') as file:
            return re.search('the axis is at.*', said)[0], file['exchange/data'][:].tobytes()
    usual = run()
    tap.check('16 rows' in usual[0], usual[0])
    tap.check(run('--threads=1') == usual, 'one thread says or makes something else')
    tap.check(run('--threads=9') == usual, 'rows in parallel say or make something else')
    tap.check('examines 16 rows before the run' in sinograph('plan', line), 'the plan')

    def little(*words):
        try:
            return run(*words)
        except AssertionError as error:
            raise AssertionError(str(error).replace('the memory limit is', 'more than the memory limit')) from error
    tap.check(in_little_memory(little, 'native', line) == usual, 'little memory says or makes something else')
    save(scan, angles, chunks=(1, 64, WIDTH), compression='gzip')
    tap.check(run() == usual, 'compressed projections say or make something else')
    tap.check(in_little_memory(little, 'native', line) == usual, 'compressed projections in little memory say or make something else')


def test_skipped_rows():
    """Behind a filter of whole projections, only the sinograms that are looked at are made before the run. Costs 3 s."""
    angles, lanes, rows = spread(180, 100), 8, 128
    path = save(np.repeat(ellipses(131.3, angles, rows=4), rows // 4, axis=1), angles)
    source = f'read path={path} ! retrieve-phase energy=20 distance=0.05 pixel-size=1e-6 delta-beta=10 ! interleave lanes={lanes}'
    line = f'{source} ! remove-stripes ! find-axis ! null'
    made = re.search(r'^remove-stripes +(\d+)', subprocess.run(
        [os.environ['SINOGRAPH'], 'launch', '--device=native', '--stats', '--quiet', line], capture_output=True, text=True).stdout, re.M)
    tap.check(made is not None and rows // lanes < int(made[1]) <= rows // lanes + 8, str(made))
    messages(f'{source} ! write path={PATH}/all.h5')  # a source of all rows, with which the others are joined
    for some in line, f'[{source}, read path={PATH}/all.h5 axes=sinograms] ! calculate expression=x+0*y ! find-axis ! null':
        at = re.search(r'column ([\d.]+).*of (\d+) rows', messages(some))
        at_most(abs(float(at[1]) - 131.3), 0.2, 'the axis')
        tap.check(at[2] == '16', at[0])


def test_measured():
    def check(node, scan, axis):
        at = float(re.search(r'column ([\d.]+)', messages(f'{scan} ! flat-field ! {node} ! null'))[1])
        at_most(abs(at - axis), 0.3, f'{node}, {axis}')
    for node in 'find-axis', 'find-axis method=sharpness':
        check(node, f'read path={tooth()}', 296.5)
    folder = data('savu-tiff')
    for node in 'find-axis', 'find-axis method=sharpness':
        check(node, f'read path={folder}/tiffs darks={folder}/dark_00001.tiff flats={folder}/flat_00001.tiff angles=-88.2:93.8', 86.25)


def test_refusals():
    scan = f'simulate width={WIDTH} projections=40'
    for line, wanted in {
            f'{scan} source-origin=1000 origin-detector=500 ! find-axis': 'wants a parallel beam at right angles to the axis',
            f'{scan} type=u16 photons=100 flats=1 ! find-axis': "wants f32 values, got u16",
            f'{scan} ! reconstruct ! find-axis': 'wants projections or sinograms, got f32 slices',
            f'read path={PATH}/bare.h5 ! find-axis': 'the projections have no angles',
            f'{scan} ! find-axis rows=0': 'rows',
            f'{scan} ! find-axis method=moments': 'moments',
    }.items():
        with h5py.File(PATH / 'bare.h5', 'w') as file:
            file['exchange/data'] = np.zeros((9, 2, 16), np.float32)
        said = sinograph_fails('launch', f'{line} ! null')
        tap.check(wanted in said, f'{line}\nsays {said}')


tap.main(globals())
