#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Planes that move while a scan is under way, far and small ones, and files of them. Costs 3 s."""
import os
import tempfile
import threading
import time
import warnings

import numpy as np
import sinograph
import tap
import tifffile
from scans import AXIS, COLUMNS, HALF, RANDOM, ROWS, SCAN, SINGLE, VIEWS, close, shown, volume

warnings.simplefilter('ignore', sinograph.Doubt)


def test_far_planes():
    """Lines that do not reach the detector, of a width that is no multiple of a vector's."""
    for axis in -30, 90:
        got = shown('z=9 x=0,y=60,z=9 x=-200,y=3,z=9', axis=axis, precision='single')
        close(got[0], volume(axis=axis)[9], SINGLE)
        tap.check(np.isfinite(got[1]).all() and abs(got[2]).max() < 10 * abs(got[0]).max(), 'values from nowhere')
    # The same pixels in a picture whose width is a multiple of a vector's.
    far = shown('x=-200,y=3,z=9,tilt=90', precision='single')[0]
    close(far, shown('x=-200.5,y=3,z=9.5,tilt=90', size=80, precision='single')[0][23:23 + ROWS, 3:78], SINGLE)


def test_small_values():
    """Halves hold values of any size."""
    for scale in 1e-9, 1e6:
        close(shown('z=9', values=SCAN * np.float32(scale))[0], volume(SCAN * np.float32(scale))[9], HALF)


def test_ends_of_averaged_rows():
    """The first and the last slices are not darker; the last average has fewer rows."""
    even = np.broadcast_to(SCAN[:, 5:6], SCAN.shape).copy()
    for rows in 2, 4:
        first, middle, last = shown('z=0 z=9 z=32', values=even, row_bin=rows)
        close(first, middle, SINGLE)
        close(last, middle, SINGLE)
    rising = even * np.arange(1, ROWS + 1, dtype='f4')[None, :, None]
    got = shown('z=15.5 z=31.5 z=32', values=rising, row_bin=4)
    close(got[0] / 16.5, got[2] / 33, 2e-3)  # rows 28 to 31, and row 32 alone
    close(got[1] / got[0].max(), got[0] / got[0].max() * 32.5 / 16.5, 4e-2)


def drag(pause, *others, values=SCAN, settings=f'axis={AXIS} size=1500'):
    """Moves plane 0 in a thread until the run has ended; planes whose pictures were seen meanwhile, and the node."""
    frames, rows, columns = values.shape
    graph = sinograph.Graph(f'app-source name=s element=f32 rows={rows} columns={columns} frames={frames} ! '
                            f'live name=live planes="{" ".join(("z", *others))}" {settings}')
    live, over, seen, moves = graph['live'], threading.Event(), set(), []
    def move():
        while not over.wait(pause):
            live.move(0, f'z={RANDOM.uniform(0, rows - 1):.2f}')
            moves.append(0)
            if len(moves) % 50 == 0:
                seen.update(plane for plane in range(1, len(others) + 1) if live.pull(plane, timeout=0) is not None)
    thread = threading.Thread(target=move)
    try:
        with graph.start('native') as run:
            thread.start()
            graph['s'].push(values[:-1])
            time.sleep(.5)
            graph['s'].push(values[-1:])
            run.wait(timeout=20)
    finally:
        over.set()
        thread.join()
    return seen, live


def test_dragged_plane():
    """A plane that moves all the time neither keeps the run from its end, nor the other planes from their pictures."""
    seen, live = drag(1e-4, 'x=0', 'y=3')
    tap.same(seen, {1, 2})
    close(live.pull(1).array, shown('x=0', size=1500)[0], HALF)
    tap.check(live.pull(0) is not None, 'the dragged plane has no last picture')


def test_plane_dragged_alone():
    """A run ends with the wishes that there are after its last projection: here, there is always a newer one."""
    _, live = drag(5e-3, values=np.zeros((360, 60, 600), 'f4'), settings='')  # takes longer than a move
    tap.check(live.pull(0) is not None, 'the dragged plane has no last picture')


def test_files():
    """A file of each plane: during the scan, and at its end that of the last picture."""
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/new/plane-%i.tif'
        graph = sinograph.Graph(f'app-source name=s element=f32 rows={ROWS} columns={COLUMNS} frames={VIEWS} ! '
                                f'live name=live axis={AXIS} planes="z=7 x=3" every=0.02 path={path}')
        with graph.start('native'):
            graph['s'].push(SCAN[:50])
            while not os.path.exists(path % 1):
                time.sleep(.01)
            early = tifffile.imread(path % 1)
            graph['s'].push(SCAN[50:])
        for plane in range(2):
            tap.check(np.array_equal(tifffile.imread(path % plane), graph['live'].pull(plane).array), plane)
        tap.check(early.any() and not np.array_equal(early, tifffile.imread(path % 1)), 'no picture of a part of the scan')
        tap.same(sorted(os.listdir(f'{folder}/new')), ['plane-0.tif', 'plane-1.tif'])
        for settings, words in ((f'path={path}', 'exists: set overwrite=true'), (f'path={folder}/p.tif', 'put %i into the name'),
                                (f'path={folder}/p-%i.h5', 'path=')):
            try:
                sinograph.Graph(f'simulate width=64 height=4 projections=32 ! live {settings}').run('native')
                raise AssertionError(f'{settings}: not refused')
            except sinograph.Error as error:
                tap.check(words in error.message and error.node == 'live', error)


tap.main(globals())
