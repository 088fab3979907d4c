#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Slices whose rays are spread while projections come have the bytes of those from a whole scan. Costs 6 s."""
import time
import warnings

import numpy as np
import sinograph
import tap
from tap import check

warnings.simplefilter('ignore', sinograph.Doubt)
ROWS, COLUMNS, AXIS = 40, 75, 36.5
RANDOM = np.random.default_rng(3)


def scan(views, rows=ROWS, columns=COLUMNS):
    return RANDOM.normal(1, .1, (views, rows, columns)).astype('f4')


def whole(values, angles, **properties):
    graph = sinograph.Graph()
    source = graph.add_array(values, geometry=sinograph.Geometry(angles))
    graph.add('interleave')
    graph.add('fourier-reconstruct', 'r', axis=AXIS, **properties)
    graph.add('app-sink', 'out', whole=True)
    for one, next in (source, 'interleave'), ('interleave', 'r'), ('r', 'out'):
        graph.connect(one, next)
    with graph.start('native'):
        return graph['out'].pull()


def spread(statistics):
    tasks = statistics['tasks'] if statistics else []
    return sum(task.get('counters', {}).get('batches-ahead', 0) for task in tasks)


class Frames:
    """A scan whose frames are pushed one by one."""

    def __init__(self, values, angles, **properties):
        count, rows, columns = values.shape
        words = ' '.join(f'{name.replace("_", "-")}={value}' for name, value in properties.items())
        self.graph = sinograph.Graph(f'app-source name=s element=f32 rows={rows} columns={columns} frames={count} ! interleave ! '
                                     f'fourier-reconstruct axis={AXIS} {words} ! app-sink name=out whole=true')
        self.graph['s'].set_geometry(sinograph.Geometry(angles))
        self.values = values

    def start(self, memory='2G'):
        self.run = self.graph.start('native', threads=2, memory=memory)
        return self

    def push(self, begin, end):
        self.graph['s'].push(self.values[begin:end])

    def wait_for(self, batches):
        limit = time.monotonic() + 60
        while spread(self.run.statistics()) < batches:
            check(time.monotonic() < limit, f'{spread(self.run.statistics())} batches')
            time.sleep(.01)

    def result(self):
        with self.run:
            return self.graph['out'].pull()


def test_rising():
    """Half a turn and a whole one, in either direction; values that are not finite; halves."""
    for angles, properties in ((np.arange(200) * .9, {}), (np.arange(200) * 1.8, {}), (170 - np.arange(150) * 1.2, {}),
                               (np.arange(200) * .9, {'precision': 'half-storage', 'padding_mode': 'edge'})):
        values = scan(len(angles))
        values[77, 21, 30] = np.nan
        wanted = whole(values, angles, **properties)
        frames = Frames(values, angles, **properties).start()
        frames.push(0, len(values) - 1)
        frames.wait_for(10)
        frames.push(len(values) - 1, len(values))
        got = frames.result()
        check(np.array_equal(got, wanted, equal_nan=True), f'{angles[1]}, {properties}: other bytes')
        check(np.isnan(got[21]).all() and np.isfinite(got[20]).all(), 'the wrong slice is not finite')


def test_any_order():
    """Sectors that no projection completes before the last one are left for the end."""
    angles = RANDOM.permutation(200) * .9
    values = scan(200)
    frames = Frames(values, angles).start()
    frames.push(0, 200)
    check(np.array_equal(frames.result(), whole(values, angles)), 'other bytes')


def test_little_memory():
    """Fewer stacks are begun, or none, where memory is short; the plan says how many, and what is left for the end."""
    angles, values, seen = np.arange(120) * 1.5, scan(120, 64, 256), set()
    wanted = whole(values, angles)
    less = -4e6
    while 0 not in seen:
        frames = Frames(values, angles)
        # What the process holds counts, too, and changes by some MB while others work: each time it is asked for again.
        limit = frames.graph.plan('native', '2G', 2)['memory']['peak'] - less
        one, = frames.graph.plan('native', f'{limit:.0f}', 2)['passes']
        rows = max(stage['rows-ahead'] for stage in one['stages'])
        check(0 < one['expected']['left'] < one['expected']['seconds'], one['expected'])
        if rows not in seen:
            frames.start(f'{limit:.0f}').push(0, 120)
            check(np.array_equal(frames.result(), wanted), f'{rows} rows: other bytes')
        seen.add(rows)
        less += 2e6
    check(seen >= {0, 32, 64}, seen)


def test_cancel():
    """A run ends while stacks are in work, however far they are."""
    angles, values = np.arange(200) * .9, scan(200)
    for some in range(0, 200, 20):
        frames = Frames(values, angles).start()
        frames.push(0, some)
        frames.wait_for(min(some // 25, 4))
        frames.run.cancel()
        try:
            frames.run.wait()
        except sinograph.Cancelled:
            continue
        raise AssertionError('not cancelled')


def test_early_end():
    """A scan that ends early fails while rays are spread, when its sinograms leave the memory."""
    angles, values = np.arange(300) * .6, np.ones((300, 64, 1024), 'f4')
    for _ in range(6):
        frames = Frames(values, angles).start()
        frames.push(0, 299)
        frames.wait_for(30)
        frames.graph['s'].end()
        try:
            frames.run.wait()
        except sinograph.Error as error:
            check(error.code == sinograph.Code.SHORT_SCAN, error)
            continue
        raise AssertionError('the scan is short')


def test_nothing_ahead():
    """Where sinograms are not seen while they are filled, and where all frames come first, nothing is planned ahead."""
    start = f'app-source element=f32 rows={ROWS} columns={COLUMNS} '
    for chain in ('frames=90 ! interleave ! remove-stripes', 'frames=90 ! interleave ! crop width=40', 'frames=90 short-scan=finish ! interleave',
                  'frames=90 missing=skip ! interleave', 'frames=90 own-angles=true ! interleave', '! interleave'):
        plan = sinograph.Graph(f'{start} {chain} ! fourier-reconstruct axis=20 ! null').plan('native', '2G', 2)
        check(not any(stage['rows-ahead'] for one in plan['passes'] for stage in one['stages']), chain)


if __name__ == '__main__':
    tap.main(globals())
