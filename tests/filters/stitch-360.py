#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Half of ellipses at a time, joined, against projections of all of them, which are known in closed form."""
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
from program import at_least, at_most, in_little_memory, sinograph, sinograph_fails

WIDTH = 256
FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)


def ellipses(columns, axis, angles, radius, rows=2):
    """Attenuation (angle, row, column) of ellipses in a circle of this radius; angles in degrees."""
    random = np.random.default_rng(7)
    turn = np.radians(np.array(angles))[:, None]
    u = (np.asarray(columns) + 0.5 - axis) / radius
    scan = np.zeros((len(angles), rows, len(u)))
    for row in range(rows):
        parts = [(0, 0, 0.95, 0.8, 0, 0.5)]
        for _ in range(20):
            far, place = random.uniform(0, 0.7), random.uniform(0, 2 * np.pi)
            parts.append((far * np.cos(place), far * np.sin(place), *random.uniform(0.05, 0.15, 2), random.uniform(0, np.pi),
                          random.uniform(-0.5, 1)))
        for x, y, a, b, tilt, value in parts:
            s = u - (x * np.cos(turn) - y * np.sin(turn))
            square = (a * np.cos(turn + tilt)) ** 2 + (b * np.sin(turn + tilt)) ** 2
            scan[:, row] += 2 * value * a * b * np.sqrt(np.maximum(square - s * s, 0)) / square
    return scan


def spread(stop, count):
    return np.arange(count) * stop / count


def save(scan, angles, name='scan.h5'):
    with h5py.File(PATH / name, 'w') as file:
        file['exchange/data'] = scan.astype(np.float32)
        file['exchange/theta'] = np.array(angles)
    return PATH / name


def written(line, *words):
    """The array that a line writes, the degrees and the axis that come with it, and what was said."""
    out = PATH / 'out.h5'
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', *words, f'{line} ! write path={out} overwrite=true'],
                          capture_output=True, text=True)
    tap.check(done.returncode == 0, f'{line}\n{done.stderr}')
    with h5py.File(out) as file:
        theta = file['exchange/theta'][:] if 'exchange/theta' in file else None
        return file['exchange/data'][:], theta, done.stderr


def wide_axis(axis):
    """Columns of the wider detector, in those of the narrow one, and the axis there."""
    columns = np.arange(0, int(2 * axis)) if 2 * axis >= WIDTH else np.arange(WIDTH - int(2 * (WIDTH - axis)), WIDTH)
    return columns, axis - columns[0]


def stitched(axis, angles, node='stitch-360', given=None):
    """What comes out for ellipses of which the detector sees one side, and the truth of that."""
    columns, _ = wide_axis(axis)
    radius = len(columns) / 2 - 2
    path = save(ellipses(np.arange(WIDTH), axis, angles, radius), angles)
    got, theta, _ = written(f'read path={path} axis={axis} ! {node}')
    return got, ellipses(columns, axis, theta, radius), theta


def test_whole_columns():
    """Where two columns meet everywhere nothing is interpolated."""
    angles = spread(360, 120)
    for axis in 200.5, 55, 128, 253:
        got, truth, theta = stitched(axis, angles)
        tap.same(got.shape, truth.shape)
        np.testing.assert_allclose(theta, angles[:60])
        at_most(np.abs(got - truth).max() / truth.max(), 1e-6, f'error in single precision, axis {axis}')


def test_opencl():
    """The values of the CPU, but for roundings, of projections and of sinograms in lanes, whatever the memory, and on two devices."""
    os.environ.setdefault('POCL_DEVICES', 'pthread pthread')
    devices = sinograph('devices')
    if 'cl:0' not in devices:
        return
    rng = np.random.default_rng(3)
    for axis, angles in (200.5, spread(360, 120)), (55.3, rng.permutation(spread(360, 120))), (230.2, spread(360, 121)):
        path = save(rng.normal(size=(len(angles), 21, WIDTH)), angles)
        for lay in '', ' ! interleave lanes=4':
            line = f'read path={path} axis={axis}{lay} ! stitch-360 '
            want, _, _ = written(line + 'variant=native')
            there = line + 'variant=opencl'
            first, _, _ = written(there, '--device=cl:0')
            at_most(np.abs(first - want).max() / np.abs(want).max(), 1e-6, f'difference from the CPU, axis {axis}{lay}')
            few, _, _ = in_little_memory(lambda memory: written(there, '--device=cl:0', memory), 'cl:0', f'{there} ! write path=no.h5')
            np.testing.assert_array_equal(few, first)
            if 'cl:1' in devices:
                np.testing.assert_array_equal(written(there, '--device=cl:0,cl:1')[0], first)


def test_between_columns():
    """Ellipses have corners, that no interpolation follows; columns before the mirror image are as they were."""
    angles = spread(360, 120)
    for axis in 200.62, 55.27, 180.249:
        got, truth, _ = stitched(axis, angles)
        tap.same(got.shape, truth.shape)
        at_most((got - truth).std() / truth.std(), 5e-3, f'root mean square error, axis {axis}')
        alone = slice(0, int(2 * axis) - WIDTH) if 2 * axis > WIDTH else slice(-(WIDTH - int(2 * axis)) + 1, None)
        at_most(np.abs(got[..., alone] - truth[..., alone]).max(), 1e-6, 'of columns that only one has')


def test_smooth():
    """A band-limited row, moved by the definition of its Fourier series."""
    axis, count = 170.31, 8
    random = np.random.default_rng(2)
    angles = spread(360, 2 * count)
    waves = [(random.uniform(0.05, 1.9), random.uniform(0, 7), random.normal()) for _ in range(60)]  # radians per column

    def row(s):
        return sum(a * np.cos(f * s + p) for f, p, a in waves) * np.exp(-(s / 140) ** 8)
    s = np.arange(WIDTH) + 0.5 - axis
    scan = np.stack([row(s)] * count + [row(-s)] * count)[:, None]
    got, _, _ = written(f'read path={save(scan, angles)} axis={axis} ! stitch-360')
    columns, _ = wide_axis(axis)
    truth = row(columns + 0.5 - axis)
    at_most(np.abs(got - truth)[..., :-8].max() / np.abs(truth).max(), 0.02, 'waves of up to 0.6 of the highest frequency')


def joined(scan, axis, pairs):
    """By the definition, for twice the axis a whole number of columns."""
    columns, _ = wide_axis(axis)
    out = np.zeros((len(pairs), scan.shape[1], len(columns)))
    for i, (direct, mirror) in enumerate(pairs):
        for j, c in enumerate(columns):
            m = int(2 * axis) - 1 - c
            has, other = 0 <= c < WIDTH, 0 <= m < WIDTH
            part = (c + 0.5 - axis) / (2 * min(axis, WIDTH - axis))
            w = (0.5 - part if 2 * axis >= WIDTH else 0.5 + part) if has and other else float(has)
            out[i, :, j] = (w * scan[direct, :, c] if has else 0) + ((1 - w) * scan[mirror, :, m] if other else 0)
    return out


def test_weights():
    random = np.random.default_rng(1)
    scan = random.normal(size=(12, 3, WIDTH)).astype(np.float32)
    path = save(scan, spread(360, 12))
    for axis in 140.5, 30, 128:
        got, _, _ = written(f'read path={path} axis=3 ! stitch-360 axis={axis}')
        at_most(np.abs(got - joined(scan.astype(float), axis, [(i, i + 6) for i in range(6)])).max(), 1e-6, f'axis {axis}')


def test_order_of_angles():
    random = np.random.default_rng(4)
    angles = spread(360, 60)
    for some in random.permutation(angles), angles[::-1], angles - 500, angles + random.uniform(-0.1, 0.1, 60), \
            np.concatenate([angles, angles + 360]):
        scan = random.normal(size=(len(some), 2, WIDTH)).astype(np.float32)
        got, theta, _ = written(f'read path={save(scan, some)} axis=140.5 ! stitch-360')
        tap.same(len(theta), len(some) // 2)
        free, pairs = set(range(len(some))), []
        for i in range(len(some)):
            if i in free:
                free.remove(i)
                off = np.abs((some[i] - some) % 360 - 180)
                pairs.append((i, min(j for j in free if off[j] < 0.05 * 360 / len(some))))
                free.remove(pairs[-1][1])
        np.testing.assert_allclose(theta, some[[i for i, _ in pairs]], atol=1e-4)
        at_most(np.abs(got - joined(scan.astype(float), 140.5, pairs)).max(), 1e-6, 'by the definition')


def test_streams():
    """Projections and sinograms, any lanes, memory and threads."""
    angles = spread(360, 80)
    random = np.random.default_rng(3)
    path = save(random.normal(size=(80, 37, WIDTH)), angles)
    line = f'read path={path} axis=181.3 ! stitch-360'
    projections, _, _ = written(line)
    sinograms, _, _ = written(f'read path={path} axis=181.3 ! interleave ! stitch-360')
    tap.same(projections.shape, (40, 37, 362))
    tap.check(np.array_equal(projections, sinograms.transpose(1, 0, 2)), 'sinograms are not those of the projections')
    tap.check(np.array_equal(projections, written(line, '--threads=1')[0]), 'threads')
    little = in_little_memory(lambda *words: written(line, *words)[0], 'native', f'{line} ! write path={PATH}/out.h5 overwrite=true')
    tap.check(np.array_equal(projections, little), 'memory')

    slices, _, _ = written(f'{line} ! interleave lanes=4 ! back-project')
    for node in 'interleave lanes=4 ! stitch-360', 'interleave lanes=1 ! stitch-360 ! interleave lanes=4':
        tap.check(np.array_equal(slices, written(f'read path={path} axis=181.3 ! {node} ! back-project')[0]), node)
    tap.same(slices.shape, (37, 362, 362))


def test_reconstruction():
    """Slices of both halves are those of a wider detector."""
    for axis in 200.5, 190.31, 60.2:
        columns, place = wide_axis(axis)
        radius, angles = len(columns) / 2 - 2, spread(360, 600)
        whole = save(ellipses(columns, axis, angles[:300], radius), angles[:300], 'wide.h5')
        path = save(ellipses(np.arange(WIDTH), axis, angles, radius), angles)
        for method in 'direct', 'fourier':
            truth, _, _ = written(f'read path={whole} axis={place} ! reconstruct method={method}')
            got, _, _ = written(f'read path={path} axis={axis} ! stitch-360 ! reconstruct method={method}')
            tap.same(got.shape, truth.shape)
            at_least(np.corrcoef(got.ravel(), truth.ravel())[0, 1], 0.9999 if 2 * axis % 1 == 0 else 0.995, f'{method}, axis {axis}')


def test_no_two_half_a_turn_apart():
    """Rows that stay alone, of an odd number of projections or with some missing, make the slices of a wider detector."""
    random = np.random.default_rng(9)
    for axis, angles in (200.5, spread(360, 601)), (60.2, np.delete(spread(360, 640), random.integers(0, 640, 8))), (190.3, spread(-360, 625)):
        columns, place = wide_axis(axis)
        radius, even = len(columns) / 2 - 2, spread(180, 300)
        truth, _, _ = written(f'read path={save(ellipses(columns, place + columns[0], even, radius), even, "wide.h5")} axis={place} ! reconstruct method=direct')
        path = save(ellipses(np.arange(WIDTH), axis, angles, radius), angles)
        for node in '', 'interleave !':
            got, _, _ = written(f'read path={path} axis={axis} ! {node} stitch-360 ! reconstruct method=direct')
            tap.same(got.shape, truth.shape)
            at_least(np.corrcoef(got.ravel(), truth.ravel())[0, 1], 0.998, f'{len(angles)} projections, axis {axis}')
            at_most(abs((got * truth).sum() / (truth * truth).sum() - 1), 0.005, 'scale')
    said = sinograph('plan', f'read path={path} axis=190.3 ! stitch-360 ! null')
    tap.check('no two projections are half a turn apart: none are joined' in said, said)


def test_not_numbers():
    """A value that is none spoils those that are interpolated from it."""
    scan = np.zeros((12, 1, WIDTH))
    scan[2, 0, 20] = np.nan   # far from the mirror image
    scan[9, 0, 30] = np.inf   # of the mirror image of the third
    path = save(scan, spread(360, 12))
    got, _, _ = written(f'read path={path} axis=200.5 ! stitch-360')
    tap.same([tuple(place) for place in np.argwhere(~np.isfinite(got))], [(2, 0, 20), (3, 0, 400 - 30)])
    got, _, _ = written(f'read path={path} axis=200.6 ! stitch-360')
    bad = np.argwhere(~np.isfinite(got))
    tap.same(bad[0].tolist(), [2, 0, 20])
    tap.same((len(bad), set(bad[1:, 0])), (9, {3}))
    at_most(np.abs(bad[1:, 2] - 370.2).max(), 4, 'columns from it')


def test_with_find_axis():
    """The width is that of the axis found, which is known only after a look at the scan."""
    axis, angles = 196.2, spread(360, 400)
    path = save(ellipses(np.arange(WIDTH), axis, angles, 190, rows=4), angles)
    given, _, _ = written(f'read path={path} axis={axis} ! stitch-360 ! reconstruct method=direct')
    for node in 'find-axis ! stitch-360', 'interleave ! find-axis ! stitch-360':
        got, _, said = written(f'read path={path} ! {node} ! reconstruct method=direct')
        found = float(re.search(r'the axis is at column ([\d.]+)', said)[1])
        at_most(abs(found - axis), 0.1, 'the axis')
        tap.same(got.shape, given.shape)
        at_least(np.corrcoef(got.ravel(), given.ravel())[0, 1], 0.99, 'correlation to slices with the axis given')
    said = sinograph_fails('launch', f'read path={path} ! stitch-360 ! null')
    tap.check('the scan does not give its axis: give axis=' in said, said)
    sinograph('launch', f'read path={path} ! stitch-360 axis={axis} ! null')
    tap.check('axis 196.2000, 119.6 columns overlap' in sinograph('plan', f'read path={path} axis={axis} ! stitch-360 ! null'), 'plan')


def test_refusals():
    path = {}
    for name, angles in {'whole': spread(360, 40), 'half': spread(180, 40)}.items():
        path[name] = save(np.zeros((len(angles), 2, WIDTH)), angles, f'{name}.h5')
    for line, wanted in {
            f"read path={path['half']} axis=200 ! stitch-360": 'the projections cover 175.5 degrees, and a whole turn is needed',
            f"read path={path['whole']} axis=255 ! stitch-360": 'share 2 columns, and at least 4 are needed',
            f"read path={path['whole']} axis=1.9 ! stitch-360": 'share 3.8 columns, and at least 4 are needed',
            f"read path={path['whole']} axis=300 ! stitch-360": 'the axis at column 300 is outside the detector, which has 256 columns',
            f"read path={path['whole']} ! stitch-360 axis=-1": 'the axis at column -1 is outside the detector',
            f"read path={path['whole']} ! stitch-360 axis=left": 'axis=left is neither a number nor auto',
            f"read path={path['whole']} ! stitch-360": 'the scan does not give its axis',
            f"read path={path['whole']} axis=200 ! ramp-filter ! stitch-360": "'ramp-filter' has filtered the rows already",
            'simulate width=64 projections=40 angles=0:360 type=u16 photons=100 flats=1 ! stitch-360': 'wants f32 values, got u16',
            'simulate width=64 projections=40 angles=0:360 source-origin=100 origin-detector=50 ! stitch-360': 'wants a parallel beam',
            'simulate width=64 projections=40 angles=0:360 ! reconstruct ! stitch-360': 'wants projections or sinograms, got f32 slices',
    }.items():
        said = sinograph_fails('launch', f'{line} ! null')
        tap.check(wanted in said, f'{line}\nsays {said}')


def test_both_ends():
    """A scan that includes both ends of the turn sees one angle twice: the last is left out."""
    angles = np.arange(41) * 9.
    path = save(np.random.default_rng(5).random((41, 2, WIDTH)), angles, 'both-ends.h5')
    for node in '', 'interleave !':
        same, _, _ = written(f'read path={path} axis=200 ! {node} stitch-360')
        wanted, _, _ = written(f'read path={path} axis=200 projections=0:40 ! {node} stitch-360')
        tap.check(np.array_equal(same, wanted), f'{node} the repeated projection counts')


def test_least_offset():
    """Scans whose axis is near the middle go on as they are, and one graph suits both kinds."""
    angles = spread(360, 40)
    for axis, joined in (200, True), (130, False), (119, False), (100, True):
        path = save(np.random.default_rng(5).random((40, 2, WIDTH)), angles, 'near.h5')
        got, _, _ = written(f'read path={path} axis={axis} ! stitch-360 least-offset=0.05')
        wanted, _, _ = written(f'read path={path} axis={axis} ' + ('! stitch-360' if joined else ''))
        tap.check(np.array_equal(got, wanted), f'axis {axis}')
    said = sinograph_fails('launch', f'read path={path} axis=200 ! stitch-360 least-offset=0.6 ! null')
    tap.check('least-offset' in said, said)


def test_where_needed():
    """What is joined depends on whether the object reaches the border that is nearer to the axis, from any direction and in any row."""
    angles, noise = spread(360, 80), np.random.default_rng(8)
    columns = np.arange(WIDTH)
    for axis in 100, 156:
        for radius, rows, joined in (90, 2, False), (99, 2, False), (112, 2, True), (150, 2, True), (90, 20, False), (60, 20, True):
            scan = ellipses(columns, axis, angles, radius, rows)
            if rows == 20 and joined:
                scan[:, 11] = ellipses(columns, axis, angles, 140, 1)[:, 0]
            if rows == 2 and radius == 112:
                scan[:] = 0.4 * ellipses(columns, axis, angles, 60, 2)  # a thin arm is seen beyond the border from some directions only
                scan += 2 * np.exp(-((columns - axis) - 108 * np.cos(np.radians(angles))[:, None]) ** 2 / 50)[:, None]
            path = save(scan + noise.normal(0, 0.03, scan.shape), angles, 'needed.h5')
            for node in '', 'interleave !':
                got, _, _ = written(f'read path={path} axis={axis} ! {node} stitch-360 join=needed')
                wanted, _, _ = written(f'read path={path} axis={axis} ! {node}' + (' stitch-360' if joined else ' crop'))
                tap.check(np.array_equal(got, wanted), f'{node} axis {axis}, radius {radius}, {rows} rows: {got.shape}, {wanted.shape}')
            if not joined: # what only this node was told goes on, and what was seen is of other pixels behind bin
                got, _, _ = written(f'read path={path} ! stitch-360 axis={axis} join=needed ! reconstruct')
                wanted, _, _ = written(f'read path={path} axis={axis} ! stitch-360 join=needed ! reconstruct')
                tap.check(np.array_equal(got, wanted), f'axis {axis}, radius {radius}: {got.shape}, {wanted.shape}')
                written(f'read path={path} axis={axis} ! stitch-360 join=needed ! bin columns=2 rows=1 ! reconstruct')
        scan = np.full((80, 2, WIDTH), np.nan)
        got, _, _ = written(f'read path={save(scan, angles, "none.h5")} axis={axis} ! stitch-360 join=needed')
        tap.check(got.shape[-1] > WIDTH, 'values that are not numbers are taken for air')


tap.main(globals())
