#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""A 2 GiB scan under a limit of 512 MiB: the peak stays below 600 MB and the bytes are those of a run without a limit; with
full projections in compressed chunks, each chunk is read once. A scan of 12 GiB under 1 GiB, in the same way."""
import filecmp
import functools
import os
import re
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap
from program import at_most

N = 1024
FBP = ('flat-field ! ramp-filter ! interleave ! '
       f'back-project axis={N / 2 - 7.5} roi-x=384 roi-y=384 roi-width=256 roi-height=256')
FOLDER = tempfile.TemporaryDirectory(dir=os.environ.get('SINOGRAPH_SCRATCH', '/var/tmp'))


def run(line, *options):
    """Runs a line; the peak of resident bytes, and what was printed."""
    with tempfile.TemporaryFile('w+') as out:
        child = subprocess.Popen([os.environ['SINOGRAPH'], 'launch', '--stats', *options, line], stdout=out, stderr=out)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    print(''.join(f'# {row}\n' for row in text.splitlines() if 'sinograph:' not in row), end='', flush=True)
    tap.same(child.returncode, 0)
    return used.ru_maxrss * 1024, text


@functools.cache
def scan():
    path = Path(FOLDER.name) / 'scan.h5'
    peak, _ = run(f'simulate object=shepp-logan-3d width={N} height={N} projections={N} axis={N / 2 - 7.5} '
                  f'flats=5 darks=5 type=u16 ! write path={path}', '--memory', '512M')
    at_most(peak / 1e6, 600, 'MB while the scan is made')
    with h5py.File(path) as file:
        tap.check(file['/exchange/data'].nbytes == 2 << 30, 'the scan holds 2 GiB')
    return path


@functools.cache
def free():
    out = Path(FOLDER.name) / 'free.h5'
    run(f'read path={scan()} ! {FBP} ! write path={out}')
    return out


def test_limit():
    for limit in 512, 400:
        out = Path(FOLDER.name) / f'limited-{limit}.h5'
        peak, _ = run(f'read path={scan()} ! {FBP} ! write path={out}', '--memory', f'{limit}M')
        at_most(peak / 1e6, 600 / 512 * limit, 'MB at most')
        tap.check(filecmp.cmp(free(), out, shallow=False), 'the same bytes with and without a limit')


def test_compressed_chunks():
    packed = Path(FOLDER.name) / 'packed.h5'
    with h5py.File(scan()) as source, h5py.File(packed, 'w') as target:
        for name, data in source['/exchange'].items():
            if data.ndim < 3:
                target[f'/exchange/{name}'] = data[()]
                continue
            copy = target.create_dataset(f'/exchange/{name}', data.shape, data.dtype, chunks=(1, N, N), compression=1)
            for frame in range(len(data)):
                copy[frame] = data[frame]
    out = Path(FOLDER.name) / 'unpacked.h5'
    peak, text = run(f'read path={packed} ! {FBP} ! write path={out}', '--memory', '512M')
    at_most(peak / 1e6, 600, 'MB at most')
    tap.same(int(re.search(r'chunks=(\d+)', text)[1]), N)
    with h5py.File(free()) as right, h5py.File(out) as got:
        for row in range(0, N, 16):
            tap.check(np.array_equal(right['/exchange/data'][row], got['/exchange/data'][row]), f'row {row} is the same')


def test_twelve_gibibytes():
    """The scan is made as it is read, six projections for each column."""
    line = (f'simulate object=shepp-logan-3d width={N} height={N} projections={6 * N} axis={N / 2 - 7.5} type=u16 flats=5 darks=5 '
            f'! {FBP} ! write path={FOLDER.name}/')
    run(line + 'whole.h5')
    peak, _ = run(line + 'bounded.h5', '--memory', '1G')
    at_most(peak / 2**30, 1.1, 'GiB at most')
    tap.check(filecmp.cmp(f'{FOLDER.name}/whole.h5', f'{FOLDER.name}/bounded.h5', shallow=False), 'the same bytes with and without a limit')


if __name__ == '__main__':
    tap.main(globals())
