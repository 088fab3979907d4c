#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Planes beside the volume that reconstruct makes, of whole scans and of parts of them, moved ones and rings. 2 s."""
import re
import sys
import threading
import time
import warnings
from pathlib import Path
from unittest import SkipTest

sys.path.insert(0, str(Path(__file__).resolve().parent / 'live'))
import numpy as np
import sinograph
import tap
from scans import ANGLES, AXIS, COLUMNS, HALF, RANDOM, ROWS, SCAN, SINGLE, VIEWS, close, geometry, graph_of, shown, volume, whole

warnings.simplefilter('ignore', sinograph.Doubt)


def cut(values, x, y, z):
    """A volume between its pixels, by linear interpolation."""
    def axis(places, extent):
        low = np.floor(places).astype(int)
        inside = (low >= 0) & (low + 1 < extent)
        return np.clip(low, 0, extent - 2), places - low, inside
    (k, c, some), (j, b, more), (i, a, last) = (axis(p, n) for p, n in zip((z, y, x), values.shape))
    total = 0
    for dz in 0, 1:
        for dy in 0, 1:
            for dx in 0, 1:
                total = total + (abs(1 - dz - c) * abs(1 - dy - b) * abs(1 - dx - a)) * values[k + dz, j + dy, i + dx]
    return total, some & more & last


def test_equals_volume():
    """Slices and upright cuts at whole pixels, noise and borders included; z is the number of a row."""
    wanted = whole()
    pixel = 20 + .5 - COLUMNS / 2
    planes = f'z=0 z=20 x={pixel} y={pixel} z=32 z'
    for precision, most in ('half', HALF), ('single', SINGLE):
        z0, z20, x, y, z32, middle = shown(planes, precision=precision)
        for got, row in (z0, 0), (z20, 20), (z32, 32), (middle, 16):
            close(got, wanted[row], most)
        close(x, wanted[:, :, 20], most)
        close(y, wanted[:, 20], most)
    for options in {'weights': 'uniform'}, {'angle-offset': 20}, {'window': 'hann'}, {'window': 'none'}, {'padding-mode': 'edge'}:
        options = {name.replace('-', '_'): value for name, value in options.items()}
        close(shown('z=9', **options)[0], volume(**options)[9])


def test_uneven():
    """Angles in uneven steps over more than a turn have the weights that reconstruct gives them."""
    angles = np.sort(RANDOM.uniform(0, 400, VIEWS))
    options = {'axis': 37.5}
    close(shown('z=9', angles=angles, **options)[0], volume(angles=angles, **options)[9])


def test_pixel_size():
    """Values are per unit of length, also of rows that were filtered before."""
    def graph(*nodes):
        made = sinograph.Graph()
        before = made.add_array(SCAN, geometry=geometry(pixel_size=1e-3))
        for node, properties in nodes:
            made.add(node, node, **properties)
            made.connect(before, node)
            before = node
        return made
    direct = graph(('reconstruct', {'method': 'direct'}), ('app-sink', {'whole': True}))
    with direct.start('native'):
        wanted = direct['app-sink'].pull()
    for nodes in [('live', {'planes': 'z=9'})], [('ramp-filter', {}), ('live', {'planes': 'z=9'})]:
        made = graph(*nodes)
        made.run('native')
        close(made['live'].pull().array, wanted[9])


def test_any_plane():
    """A turned and tilted plane, beside the volume between its pixels: a smooth object, because interpolating values of
    the detector and of the volume is not the same."""
    views = 400
    angles = np.linspace(0, 180, views, endpoint=False)
    u, v = np.arange(COLUMNS) + .5 - AXIS, np.arange(ROWS) - 16
    at = 6 * np.cos(np.radians(angles)) - 4 * np.sin(np.radians(angles))
    values = np.exp(-(u - at[:, None, None]) ** 2 / 200 - v[:, None] ** 2 / 60).astype('f4')
    wanted = volume(values, angles)
    turn, tilt = np.radians(30), np.radians(20)
    got, = shown('x=2,y=-3,z=15,angle=30,tilt=20', values, angles)
    j, i = np.mgrid[:COLUMNS, :COLUMNS] - (COLUMNS - 1) / 2
    x = 2 + i * np.cos(turn) - j * np.sin(turn) * np.cos(tilt)
    y = -3 + i * np.sin(turn) + j * np.cos(turn) * np.cos(tilt)
    expected, inside = cut(wanted, x + COLUMNS / 2 - .5, y + COLUMNS / 2 - .5, 15 + j * np.sin(tilt))
    inside &= np.hypot(i, j) < 25
    error = np.abs(got - expected)[inside].max() / wanted.max()
    assert error < 5e-3, error  # a Gaussian whose width is 5.5 rows, between them


def test_threads():
    """Not a byte depends on threads."""
    planes = 'z=3.4 x=1 y=2.5 z=12,angle=50,tilt=70'
    one, three = shown(planes, threads=1), shown(planes, threads=3)
    for a, b in zip(one, three):
        assert np.array_equal(a, b)


def test_devices():
    """Another device takes no part in it, and ends before it."""
    graph = graph_of('live', planes='z=9')
    graph.add('reconstruct', 'slices')
    graph.add('null', 'end')
    graph.connect('array', 'slices')
    graph.connect('slices', 'end')
    try:
        graph.run('native,cl:0', threads=2)
    except sinograph.Error as error:
        if error.code == sinograph.Code.DEVICE:
            raise SkipTest('there is no OpenCL device') from None
        raise
    close(graph['live'].pull().array, whole()[9])


def test_small_pixels():
    """Pixels of half a column: every other pixel is one of the volume."""
    got, = shown('x=0,y=0,z=9', size=2 * COLUMNS - 1, pixel=.5)
    close(got[::2, ::2], whole()[9])


def test_binned_rows():
    """Rows are averaged in pairs; the last one has no partner."""
    pairs = volume((SCAN[:, :32:2] + SCAN[:, 1::2]) / 2)
    close(shown('z=10.5', row_bin=2)[0], pairs[5])
    close(shown('z=32', row_bin=2)[0], whole()[32])


def test_memory():
    """The plan counts what stays in memory, and averages rows where it is short."""
    values = np.zeros((100, 512, 512), 'f4')
    angles = np.linspace(0, 180, 100, endpoint=False)
    stored = 100 * 513 * 576 * 2 / 2**20  # with borders, in MiB

    def plan(memory=None, **properties):
        said = graph_of('live', values, angles, **properties).check('native', memory, 2)
        return float(re.search(r'memory: (\S+) MiB at most', said)[1]), said
    plan()  # the process now has all that planning takes
    most, said = plan()
    assert '100 projections of 512 x 512 as halves' in said and 'averages' not in said, said
    assert abs(plan(precision='single')[0] - most - stored) < 3
    for averaged, less in (2, .4 * stored), (4, .62 * stored):
        peak, said = plan(f'{most - less:.0f}M')
        assert f'averages {averaged} rows, because memory is short' in said and peak <= most - less + .5, (most, less, said)
    for memory, properties in (most - 1.2 * stored, {}), (most - .3 * stored, {'row_bin': 1}):
        try:
            plan(f'{memory:.0f}M', **properties)
        except sinograph.Error as error:
            assert error.code == sinograph.Code.MEMORY and 'the smallest work item needs' in str(error), error
        else:
            raise AssertionError('a plan that needs more than its limit was accepted')


class Camera:
    """A scan whose frames come when the test says so."""

    def __init__(self, planes, values=SCAN, angles=ANGLES, **properties):
        self.values, self.pushed = values, 0
        _, rows, columns = values.shape
        self.graph = sinograph.Graph(f'app-source name=camera rows={rows} columns={columns} element=f32 '
                                     f'frames={len(values)} ! live name=live')
        self.graph.set('live', planes=planes, **properties)
        camera = self.graph['camera']
        camera.set_geometry(geometry(angles))
        self.live = self.graph['live']
        self.run = self.graph.start('native', threads=2)

    def push(self, some):
        for frame in self.values[self.pushed:self.pushed + some]:
            self.graph['camera'].push(frame)
        self.pushed += some

    def holding(self, number, projections, newer_than=0):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            picture = self.live.pull(number, newer_than=newer_than, timeout=1)
            if picture and picture.projections == projections:
                return picture
            newer_than = picture.version if picture else newer_than
        raise AssertionError(f'no picture of {projections} projections came')

    def close(self):
        self.push(len(self.values) - self.pushed)
        self.graph['camera'].end()
        self.run.wait()


def test_during_a_scan():
    """Each frame is in the pictures as soon as it has come, and a picture holds what it says."""
    camera = Camera('z=9 y=0')
    for some in 1, 1, 5, 30:
        camera.push(some)
        picture = camera.holding(0, camera.pushed)
        part = np.zeros_like(SCAN)
        part[:camera.pushed] = SCAN[:camera.pushed]
        close(picture.array, volume(part)[9])
        assert picture.plane == 'z=9'
    # A moved plane and a new one are made of all that have come, while none comes.
    camera.live.move(0, 'z=20')
    added = camera.live.add('z=4')
    assert camera.live.planes == {0: 'z=20', 1: 'y=0', added: 'z=4'}
    moved = camera.holding(0, camera.pushed, picture.version)
    assert moved.plane == 'z=20'
    close(moved.array, volume(part)[20])
    close(camera.holding(added, camera.pushed).array, volume(part)[4])
    camera.live.set_axis(AXIS + 3)
    newer = camera.holding(0, camera.pushed, moved.version)
    close(newer.array, volume(part, axis=AXIS + 3)[20])
    camera.live.set_axis(None)
    camera.live.remove(1)
    camera.close()
    close(camera.live.pull(0).array, whole()[20])
    try:
        camera.live.pull(1)
    except sinograph.Error as error:
        assert str(error) == 'there is no plane 1: there are 0, 2', error
    else:
        raise AssertionError('a removed plane was pulled')


def test_newest_wish():
    """Of many wishes, the last one is met."""
    camera = Camera('z=0')
    camera.push(60)
    camera.holding(0, 60)
    for z in range(200):
        camera.live.move(0, f'z={z % 33}')
    end = time.monotonic() + 60
    while camera.live.pull(0).plane != f'z={199 % 33}':
        assert time.monotonic() < end
    camera.close()
    close(camera.live.pull(0).array, whole()[199 % 33])


def test_ring():
    """After ten half turns, as if only the last one had been measured."""
    turns, step = 10, 3.
    views = 60
    values = np.concatenate([SCAN[:views] + t for t in range(turns)])
    angles = np.arange(turns * views) * step
    got = shown('z=9 x=.5 z=11,tilt=40', values, angles, mode='ring')
    fresh = shown('z=9 x=.5 z=11,tilt=40', values[-views:], angles[-views:])
    for a, b in zip(got, fresh):
        close(a, b, 1e-5)
    # A plane that is moved meanwhile.
    camera = Camera('z=9', values, angles, mode='ring')
    camera.push(100)
    wanted, end = volume(values[40:100], angles[40:100])[9], time.monotonic() + 60
    while np.abs(camera.live.pull(0).array - wanted).max() > 1e-3:  # until the last ones have come
        assert time.monotonic() < end
    close(camera.live.pull(0).array, wanted)
    camera.live.move(0, 'z=4')
    camera.push(50)
    camera.close()
    close(camera.live.pull(0).array, volume(values[-views:], angles[-views:])[4])


def test_cancel():
    camera = Camera('z=9')
    camera.push(10)
    camera.holding(0, 10)
    waiting = []

    def wait():
        try:
            waiting.append(camera.live.pull(0, newer_than=1 << 60))
        except sinograph.Error as error:
            waiting.append(str(error))
    thread = threading.Thread(target=wait)
    thread.start()
    camera.run.cancel()
    try:
        camera.run.wait()
    except sinograph.Cancelled:
        pass
    thread.join(30)
    assert len(waiting) == 1, waiting


def test_wrong():
    for properties, wanted in (
            ({'planes': 'z=1 q=3'}, "'q=3' is no plane, because of 'q=3': give the middle of the picture by x= and y="),
            ({'planes': 'z=nan'}, "'z=nan' is no plane: give"),
            ({'planes': ' '.join(['z'] * 9)}, 'there are 8 planes already'),
            ({'row_bin': 34}, 'row-bin=34 is more than the 33 rows of a projection'),
            ({'planes': 'x=0 z=33'}, "planes: 'z=33' is outside of the volume, which has slices 0 to 32"),
            ({'mode': 'ring', 'planes': 'z'}, None),
            ({'mode': 'ring', 'angles': ANGLES * 60}, 'half a turn has 2 projections')):
        try:
            graph_of('live', **properties).check('native')
        except sinograph.Error as error:
            assert wanted and wanted in str(error), error
        else:
            assert not wanted, wanted
    for line, wanted in (
            ('simulate width=24 height=9 projections=20 ! live offset-detector=maybe', 'offset-detector'),
            ('simulate width=24 height=9 projections=20 ! interleave ! live', 'wants projections'),
            ('simulate width=24 height=9 projections=20 type=u16 flats=1 ! live', "put 'flat-field' before it"),
            ('simulate width=24 height=9 projections=20 ! live pixel=2', 'pixel')):
        try:
            sinograph.Graph(line).check('native')
        except sinograph.Error as error:
            assert wanted in str(error), error
        else:
            raise AssertionError(f'{line} was accepted')
    uneven = ANGLES ** 1.1
    try:
        graph_of('live', angles=uneven, mode='ring').check('native')
    except sinograph.Error as error:
        assert 'mode=ring wants angles in even steps' in str(error), error
    else:
        raise AssertionError('uneven angles were taken for a ring')


tap.main(globals())
