#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Planes of cone and tilted beams beside the volume that reconstruct makes, and beside filtered back-projection written out in float64. 4 s."""
import re
import time
import warnings

import numpy as np
import sinograph
import tap

warnings.simplefilter('ignore', sinograph.Doubt)
COLUMNS, ROWS, VIEWS = 60, 37, 120
RANDOM = np.random.default_rng(8)
SCAN = RANDOM.normal(0, .3, (VIEWS, ROWS, COLUMNS)).astype('f4')
SCAN += np.hypot(*np.ogrid[-1:1:ROWS * 1j, -1:1:COLUMNS * 1j])[None].astype('f4') < .6
# Largest errors (RMS), as shares of the largest value of the volume. Halves have 11 bits; few noisy projections average little.
HALF, SINGLE = 4e-5, 2e-6
TURN = np.linspace(0, 360, VIEWS, endpoint=False)


def turned(degrees, axis):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    i, j = [k for k in range(3) if k != axis]
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = (-s, s) if axis != 1 else (s, -s)
    return matrix


def beam(angles=TURN, source=0, detector=100, pixel=1, axis=COLUMNS / 2, row=ROWS / 2, yaw=0, pitch=0, roll=0, tilt=0, lift=0):
    """Geometry of a circular scan, as docs/guide/geometry.md defines it."""
    stand = turned(roll, 1) @ turned(pitch, 0) @ turned(yaw, 2)
    column, down = stand @ [pixel, 0, 0], stand @ [0, 0, pixel]
    corner = np.array([0, detector, 0]) - axis * column - row * down
    matrices = []
    for angle in angles:
        room = turned(-angle, 2) @ turned(-tilt, 0)  # from the room to the object
        moved = np.array([0, 0, angle / 360 * lift])
        c, d, k = room @ column, room @ down, room @ corner - moved
        s = room @ [0, 1, 0] if not source else room @ [0, -source, 0] - moved
        inverse = np.linalg.inv(np.stack([c, d, s if not source else k - s], 1))
        matrix = np.hstack([inverse, -inverse @ (k if not source else s)[:, None]])
        if not source:
            matrix[2] = 0, 0, 0, 1
        matrices.append(matrix)
    return sinograph.Geometry(angles, pixel_size=pixel).matrices(np.array(matrices))


CONE = {'source': 150, 'detector': 70}
BEAMS = {
    'cone': CONE,
    'wide cone': {'source': 75, 'detector': 60, 'pixel': 1.3},
    'detector turned': {**CONE, 'yaw': 8, 'pitch': -5, 'roll': 3, 'row': 15},
    'axis aside': {**CONE, 'axis': 20},
    'axis aside on the right': {**CONE, 'axis': 41.3},
    'short scan': {**CONE, 'angles': np.linspace(0, 210, VIEWS, endpoint=False), 'row': 20},
    'falling angles': {**CONE, 'angles': -TURN},
    'uneven angles': {**CONE, 'angles': TURN + RANDOM.uniform(0, 2.4, VIEWS)},
    'tilted beam': {'tilt': 35},
    'tilted cone': {'source': 300, 'detector': 100, 'tilt': -25, 'axis': 29},
    'helix': {**CONE, 'angles': np.linspace(0, 1080, VIEWS, endpoint=False), 'lift': 9},
}


def graph_of(node, values=SCAN, geometry=None, **properties):
    graph = sinograph.Graph()
    source = graph.add_array(values, geometry=geometry or beam(**CONE))
    graph.add(node, node, **properties)
    graph.connect(source, node)
    return graph


def volume(values, geometry, **properties):
    graph = graph_of('reconstruct', values, geometry, method='direct', **properties)
    graph.add('app-sink', 'out', whole=True)
    graph.connect('reconstruct', 'out')
    with graph.start('native'):
        return graph['out'].pull()


def shown(planes, values=SCAN, geometry=None, threads=2, **properties):
    graph = graph_of('live', values, geometry, planes=planes, **properties)
    graph.run('native', threads=threads)
    return [graph['live'].pull(number).array for number in range(len(planes.split()))]


def close(got, wanted, most, largest, what=''):
    error = np.sqrt(np.mean((got - wanted) ** 2)) / largest
    tap.check(got.shape == wanted.shape and error <= most, f'{what} {got.shape}, {wanted.shape}: {error:.3g}')


def test_equals_volume():
    """Slices and upright cuts at voxels are those of the volume, in every geometry."""
    for name, words in BEAMS.items():
        geometry = beam(**words)
        wanted = volume(SCAN, geometry)
        n, largest = wanted.shape[2], np.abs(wanted).max()
        at = 14 - (n - 1) / 2
        for precision, most in ('half', HALF), ('single', SINGLE):
            z0, z9, middle, x, y = shown(f'z=0 z=9 z x={at} y={at}', geometry=geometry, precision=precision)
            for got, cut in (z0, wanted[0]), (z9, wanted[9]), (middle, wanted[ROWS // 2]), (x, wanted[:, :, 14]), (y, wanted[:, 14]):
                close(got, cut, most, largest, f'{name}, {precision}')


def test_options():
    """Window, padding and weights are those of reconstruct."""
    aside = beam(**BEAMS['axis aside'])
    for geometry, options in ((None, {'window': 'hann', 'cutoff': .7}), (None, {'window': 'none'}), (None, {'padding-mode': 'edge'}),
                              (aside, {'offset-detector': 'no'})):
        options = {name.replace('-', '_'): value for name, value in options.items()}
        wanted = volume(SCAN, geometry or beam(**CONE), **options)
        close(shown('z=9', geometry=geometry, **options)[0], wanted[9], HALF, np.abs(wanted).max(), options)


def test_unfiltered_units():
    """Without a filter, values are those of reconstruct for any size of pixels."""
    for pixel in .01, 3:
        there = beam(pixel=pixel, source=150 * pixel, detector=70 * pixel)
        wanted = volume(SCAN, there, window='none')
        close(shown('z=18', geometry=there, window='none', precision='single')[0], wanted[18], SINGLE, np.abs(wanted).max(), pixel)


def test_holes():
    """They are filled before rays are weighted."""
    values = SCAN.copy()
    values[RANDOM.random(values.shape) < .02] = np.nan
    values[:, :, 0] = np.inf
    for name in 'cone', 'axis aside':
        there = beam(**BEAMS[name])
        wanted = volume(values, there)
        close(shown('z=18', values, there, precision='single')[0], wanted[18], SINGLE, np.abs(wanted).max(), name)


def test_filtered_before():
    """Rows that were weighted and filtered before are taken as they are."""
    geometry = beam(**BEAMS['wide cone'])
    graph = sinograph.Graph()
    before = graph.add_array(SCAN, geometry=geometry)
    for node in 'cone-weight', 'ramp-filter', 'live':
        graph.add(node, node)
        graph.connect(before, node)
        before = node
    graph.set('live', planes='z=9')
    graph.run('native')
    wanted = volume(SCAN, geometry)
    close(graph['live'].pull().array, wanted[9], HALF, np.abs(wanted).max())


def filtered(values, source, distance):
    """Rows with the weights and the ramp of FDK, in float64, for a detector of columns 1 wide."""
    u, v = np.arange(COLUMNS) + .5 - COLUMNS / 2, np.arange(ROWS) + .5 - ROWS / 2
    weighted = values * .5 * distance / np.sqrt(distance ** 2 + u ** 2 + v[:, None] ** 2)
    n = np.arange(-COLUMNS + 1, COLUMNS)
    ramp = np.where(n % 2, -1 / (np.pi * np.where(n, n, 1)) ** 2, 0)
    ramp[COLUMNS - 1] = .25
    return np.stack([[np.convolve(row, ramp)[COLUMNS - 1:2 * COLUMNS - 1] for row in image] for image in weighted])


def test_any_plane():
    """Turned and tilted planes, some beyond the volume, beside back-projection in float64."""
    source, detector = CONE['source'], CONE['detector']
    distance = source + detector
    rows = np.pad(filtered(SCAN.astype('f8'), source, distance), ((0, 0), (1, 2), (1, 2)))
    voxel = source / distance
    for x0, y0, z0, angle, tilt, size, pixel in ((3, -4, 15, 30, 20, 60, 1), (0, 0, 18, -70, 90, 41, .6), (-9, 5, 3, 200, -55, 77, .9),
                                                 (25, 20, 30, 10, 0, 50, 1)):
        got, = shown(f'x={x0},y={y0},z={z0},angle={angle},tilt={tilt}', precision='single', size=size, pixel=pixel)
        c, s, ct, st = *(f(np.radians(angle)) for f in (np.cos, np.sin)), *(f(np.radians(tilt)) for f in (np.cos, np.sin))
        j, i = pixel * (np.mgrid[:size, :size] - (size - 1) / 2)
        x, y, z = x0 + i * c - j * s * ct, y0 + i * s + j * c * ct, z0 - (ROWS - 1) / 2 + j * st
        wanted = np.zeros((size, size))
        for k, t in enumerate(np.radians(TURN)):
            across, depth = voxel * (x * np.cos(t) - y * np.sin(t)), source + voxel * (x * np.sin(t) + y * np.cos(t))
            u = np.clip(across * distance / depth + COLUMNS / 2 - .5, -1, COLUMNS) + 1
            v = np.clip(voxel * z * distance / depth + ROWS / 2 - .5, -1, ROWS) + 1
            a, b = np.floor(u).astype(int), np.floor(v).astype(int)
            value = ((1 - v + b) * ((1 - u + a) * rows[k, b, a] + (u - a) * rows[k, b, a + 1])
                     + (v - b) * ((1 - u + a) * rows[k, b + 1, a] + (u - a) * rows[k, b + 1, a + 1]))
            wanted += 2 * np.pi / VIEWS * source * distance / depth ** 2 * value
        close(got, wanted, SINGLE, np.abs(wanted).max(), (angle, tilt))


def test_binned_rows():
    """Rows are averaged after their weights; the last one has no partner, and the ends are not darker."""
    even = np.broadcast_to(SCAN[:, 5:6], SCAN.shape).copy()
    for rows in 2, 4:
        far = {'source': 1e5, 'detector': 1}  # like a parallel beam
        first, middle, last = shown('z=0 z=9 z=36', even, beam(**far), row_bin=rows)
        largest = np.abs(middle).max()
        close(first, middle, 1e-3, largest, rows)
        close(last, middle, 1e-3, largest, rows)
    pairs = (SCAN[:, :36:2] + SCAN[:, 1::2]) / 2
    twice = np.concatenate((np.repeat(pairs, 2, 1), SCAN[:, 36:]), 1)
    x, y = shown('z=18.5 x=0', SCAN, row_bin=2), shown('z=18.5 x=0', twice, row_bin=2)
    for a, b in zip(x, y):
        close(a, b, 2e-3, np.abs(b).max())  # cosines of two rows are nearly those of one


def test_threads():
    """Not a byte depends on threads."""
    planes = 'z=3.4 x=1 y=2.5 z=12,angle=50,tilt=70'
    for words in 'cone', 'tilted cone', 'helix':
        geometry = beam(**BEAMS[words])
        for a, b in zip(shown(planes, geometry=geometry, threads=1), shown(planes, geometry=geometry, threads=3)):
            tap.check(np.array_equal(a, b), words)


def test_during_a_scan():
    """Each frame is in the pictures when it has come; a moved axis moves the columns."""
    graph = sinograph.Graph(f'app-source name=camera rows={ROWS} columns={COLUMNS} element=f32 frames={VIEWS} ! '
                            'live name=live planes="z=9 x=0"')
    graph['camera'].set_geometry(beam(**CONE))
    live, end = graph['live'], time.monotonic() + 60

    def holding(projections, newer_than=0):
        while time.monotonic() < end:
            picture = live.pull(0, newer_than=newer_than, timeout=1)
            if picture and picture.projections == projections:
                return picture
        raise AssertionError(f'no picture of {projections} projections came')
    with graph.start('native', threads=2):
        graph['camera'].push(SCAN[:30])
        picture = holding(30)
        part = SCAN.copy()
        part[30:] = 0
        wanted = volume(part, beam(**CONE))
        close(picture.array, wanted[9], HALF, np.abs(wanted).max())
        live.set_axis(COLUMNS / 2 + 1)
        moved = holding(30, picture.version)
        shifted = volume(np.pad(part, ((0, 0), (0, 0), (0, 1)))[:, :, 1:], beam(**CONE))
        close(moved.array[15:45, 15:45], shifted[9][15:45, 15:45], 2e-2, np.abs(wanted).max())  # cosines stay as they were
        graph['camera'].push(SCAN[30:])


def test_ring():
    """The last turn of several, as if it were the only one."""
    turns = 3
    angles = np.arange(turns * VIEWS) * 360 / VIEWS
    values = np.concatenate([SCAN + t for t in range(turns)])
    planes = 'z=9 x=.5 z=11,tilt=40'
    for words in 'cone', 'axis aside on the right', 'tilted beam':
        got = shown(planes, values, beam(**{**BEAMS[words], 'angles': angles}), mode='ring', size=COLUMNS)
        fresh = shown(planes, values[-VIEWS:], beam(**{**BEAMS[words], 'angles': angles[-VIEWS:]}), size=COLUMNS)
        for a, b in zip(got, fresh):
            close(a, b, 5e-5, np.abs(b).max(), words)  # sums of floats in which projections were replaced twice


def test_memory():
    """The plan counts what stays in memory, and averages rows where it is short."""
    said = graph_of('live', planes='z').check('native', None, 2)
    tap.check(f'keeps {VIEWS} projections of {ROWS} x {COLUMNS} as halves' in said, said)
    said = graph_of('live', geometry=beam(**BEAMS['axis aside']), planes='z').check('native', None, 2)
    tap.check(f'projections of {ROWS} x 8' in said, said)  # the detector with zeros beside it
    values, geometry = np.zeros((100, 512, 512), 'f4'), beam(np.arange(100) * 3.6, 2000, 500, axis=256, row=256)

    def plan(memory=None, **properties):
        said = graph_of('live', values, geometry, **properties).check('native', memory, 2)
        return float(re.search(r'memory: (\S+) MiB at most', said)[1]), said
    plan()  # the process now has all that planning takes
    most, stored = plan()[0], 100 * 513 * 576 * 2 / 2**20
    tap.check(abs(plan(precision='single')[0] - most - stored) < 3, 'floats do not take twice the memory of halves')
    for averaged, less in (2, .4 * stored), (4, .62 * stored):
        peak, said = plan(f'{most - less:.0f}M')
        tap.check(f'averages {averaged} rows, because memory is short' in said and peak <= most - less + .5, said)


def test_wrong():
    for words, properties, wanted in (
            ({}, {'axis': '30'}, 'axis is not for a cone or tilted beam: the geometry of the source gives it'),
            ({}, {'angle_offset': 3}, 'angle-offset is not for a cone or tilted beam'),
            ({}, {'weights': 'uniform'}, 'weights is not for a cone or tilted beam'),
            ({}, {'planes': 'z=37'}, "planes: 'z=37' is outside of the volume, which has slices 0 to 36"),
            ({}, {'size': 500}, 'the source moves through the volume: give a smaller size or pixel'),
            ({'angles': TURN / 4}, {}, 'the projections cover'),
            ({'angles': TURN / 3 * 2}, {'mode': 'ring'}, 'mode=ring of a cone or tilted beam wants whole turns of a circle: give mode=scan'),
            (BEAMS['helix'], {'mode': 'ring'}, 'wants whole turns of a circle'),
            (BEAMS['uneven angles'], {'mode': 'ring'}, 'mode=ring wants angles in even steps')):
        try:
            graph_of('live', geometry=beam(**{**CONE, **words}), **properties).check('native')
        except sinograph.Error as error:
            tap.check(wanted in str(error), error)
        else:
            raise AssertionError(f'{properties} was accepted')


tap.main(globals())
