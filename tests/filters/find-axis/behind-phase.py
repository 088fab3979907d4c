#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The axis behind retrieve-phase, which wants whole projections: a survey reads a part of them where the file allows it, and finds
the same. Costs 12 s."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import SkipTest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / 'graphs'))
import h5py
import numpy as np
import tap
from axis_scans import body, project
from program import at_most, sinograph

ANGLES, ROWS, COLUMNS, AXIS = 120, 320, 128, 60.3
LENGTH = 4.0  # pixels of the point spread of the phase filter


def phase(length):
    """1 + delta-beta wavelength distance k^2 / (4 pi pixel-size^2), k in radians per pixel: the factor of k^2 is the length squared."""
    return f'retrieve-phase energy=20 distance=0.1 pixel-size=1e-6 delta-beta={2.027 * length ** 2:.6f}'


PHASE = phase(LENGTH)
FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)


def save():
    """Transmission with fringes: the filter that paganin inverts, by differences of neighbours."""
    random = np.random.default_rng(3)
    angles = np.arange(ANGLES) * 180 / ANGLES
    exact = project(body(random, 50, ROWS), AXIS, angles, ROWS, COLUMNS)
    seen = np.exp(-exact * 0.4 / exact.max())
    curved = np.zeros_like(seen)
    for axis in 1, 2:
        curved += np.roll(seen, 1, axis) + np.roll(seen, -1, axis) - 2 * seen
    curved[:, [0, -1]] = 0
    counts = random.poisson(2000 * np.maximum(seen - LENGTH ** 2 * curved, 0.01))
    scan = (counts / 2000).astype(np.float32)
    with h5py.File(PATH / 'rows.h5', 'w') as rows, h5py.File(PATH / 'images.h5', 'w') as images:
        rows['exchange/data'] = scan
        images.create_dataset('exchange/data', data=scan, chunks=(1, ROWS, COLUMNS))
        rows['exchange/theta'] = images['exchange/theta'] = angles


def line(name, node, *between):
    return ' ! '.join([f'read path={PATH}/{name}.h5 values=transmission', node, *between, 'find-axis', 'null'])


def found(name, node=PHASE, *between, device='native', options=()):
    """What is said of the axis, and how many times the bytes of the scan were read."""
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', f'--device={device}', '--stats', *options, line(name, node, *between)],
                          capture_output=True, text=True)
    tap.check(done.returncode == 0, done.stderr)
    said = re.search(r"'find-axis': (the axis .*)", done.stderr)[1]
    read = int(re.search(r'bytes-read=(\d+)', done.stdout + done.stderr)[1])
    return said, read / (4 * ANGLES * ROWS * COLUMNS)


def column(said):
    return float(re.search(r'column ([\d.]+)', said)[1])


def test_reads_windows():
    """Four windows of 16 rows and three lengths on either side: 160 of 320 rows."""
    said, times = found('rows')
    at_most(abs(column(said) - AXIS), 0.03, said)
    at_most(abs(times - 1.5), 0.01, 'times that the scan was read')
    whole, times = found('images')  # chunks that hold whole projections are read as wholes, once
    at_most(abs(column(whole) - AXIS), 0.03, whole)
    at_most(abs(times - 2), 0.01, 'times that the scan was read from whole chunks')
    at_most(abs(column(said) - column(whole)), 0.011, 'distance of the axes')


def test_nodes_between():
    """Sinograms are made of the rows of a window, too. A node that wants many rows around each one takes whole projections."""
    for between, most in (('interleave ! remove-stripes', 1.5), ('median size=5', 1.5), ('rotate angle=20 geometry=stays', 2), (phase(1), 2)):
        said, times = found('rows', PHASE, between)
        at_most(abs(times - most), 0.02, f'times that the scan was read, {between}')
        if most < 2:
            at_most(abs(column(said) - AXIS), 0.05, said)


def test_whole_projections():
    """Filters whose point spread has no end, or one that leaves little to save, see whole projections."""
    for node in f'{PHASE} method=ctf', phase(5 * LENGTH):
        _, times = found('rows', node)
        at_most(abs(times - 2), 0.01, f'times that the scan was read, {node}')


def test_memory():
    """It has no part in what is found: with hardly more than the least memory, bands are cut into single rows, which belong to the windows
    of their bands. What a process has before its run differs, and with a sanitizer it is a lot, so the least is asked for."""
    with h5py.File(PATH / 'many.h5', 'w') as file:
        with h5py.File(PATH / 'rows.h5') as few:
            scan = few['exchange/data'][:, 60:260]
        many = np.repeat(scan, 16, 0)
        many *= np.random.default_rng(4).normal(1, 0.01, many.shape).astype(np.float32)
        file['exchange/data'] = many
        file['exchange/theta'] = np.arange(len(many)) * 180 / len(many)

    def run(memory):
        return subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', '--threads=1', '--stats', *memory,
                               f'read path={PATH}/many.h5 values=transmission ! {phase(2)} ! find-axis method=opposites ! crop y=98 height=1 ! '
                               f'interleave ! ramp-filter ! back-project ! write path={PATH}/slice.h5 overwrite=true'],
                              capture_output=True, text=True)

    def made(done):
        with h5py.File(PATH / 'slice.h5') as file:
            return int(re.search(r'bytes-read=(\d+)', done.stdout + done.stderr)[1]), file['exchange/data'][:]

    read, right = made(run(()))
    limit, tries = 1, 0
    while (least := run((f'--memory={limit}M',))).returncode != 0:
        limit, tries = float(re.search(r'needs ([\d.]+) MiB', least.stderr)[1]) + 0.2, tries + 1
        tap.check(tries < 20, least.stderr)
    more, slices = made(least)
    tap.check(more > 1.2 * read, f'no band was cut: {read} bytes read, and {more} with {limit} MiB')
    np.testing.assert_array_equal(slices, right)


def test_dead_rows():
    """Some dead rows are a large part of a window, but not of a projection: no warning."""
    with h5py.File(PATH / 'rows.h5') as good, h5py.File(PATH / 'dead.h5', 'w') as file:
        file['exchange/data'] = good['exchange/data'][:]
        file['exchange/theta'] = good['exchange/theta'][:]
        file['exchange/data'][:, 126:129] = 0
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', line('dead', PHASE)], capture_output=True, text=True)
    tap.check(done.returncode == 0 and 'not transmission' not in done.stderr, done.stderr)


def test_same_slices():
    """The run itself filters whole projections, as without a survey."""
    def made(middle):
        sinograph('launch', '--quiet', '--device=native', f'read path={PATH}/rows.h5 values=transmission ! {PHASE} ! {middle} ! '
                  f'crop y=150 height=2 ! write path={PATH}/out.h5 overwrite=true')
        with h5py.File(PATH / 'out.h5') as file:
            return file['exchange/data'][:]
    np.testing.assert_array_equal(made('find-axis'), made('calculate expression=x'))


def test_devices():
    """OpenCL kernels filter windows as threads do."""
    cl = re.search(r'^[* ] (cl:\d+) .*Portable Computing', sinograph('devices'), re.MULTILINE)
    if not cl:
        raise SkipTest('there is no PoCL')
    said, _ = found('rows')
    ours, times = found('rows', f'{PHASE} variant=opencl', device=cl[1])
    at_most(abs(times - 1.5), 0.01, 'times that the scan was read')
    at_most(abs(column(said) - column(ours)), 0.011, 'distance of the axes')


save()
tap.main(globals())
