# SPDX-License-Identifier: LGPL-3.0-or-later
"""Whole runs of the program for tests: where it is, what it reads and what it wrote."""
import functools
import os
import re
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path
from unittest import SkipTest

import numpy as np
import tifffile

SOURCE = Path(__file__).resolve().parents[2]
TOOTH_SLICE = SOURCE / 'tests/data/tooth-slice.h5'


def data(name):
    """A measured scan."""
    path = Path(os.environ['SINO_TEST_DATA']) / name
    if not path.exists():
        raise SkipTest(f'{path} is absent')
    return path.resolve()


@functools.cache
def tooth():
    """A measured scan with its axis at 296.5: two rows, or the one that comes with the project where the whole is absent."""
    try:
        return data('tooth.h5')
    except SkipTest as why:
        print(f'# {why}: a slice of it is taken', flush=True)
        return TOOTH_SLICE


def sinograph(*words):
    done = subprocess.run([os.environ['SINOGRAPH'], *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f'sinograph {" ".join(map(str, words))}\nexit {done.returncode}: {done.stderr}')
    return done.stdout


def sinograph_fails(*words):
    """What it says then."""
    done = subprocess.run([os.environ['SINOGRAPH'], *map(str, words)], capture_output=True, text=True)
    if done.returncode == 0:
        raise AssertionError(f'sinograph {" ".join(map(str, words))}\ndoes not fail')
    return done.stderr


def in_little_memory(run, device, line):
    """What run ('--memory=...') gives with hardly more than the line needs. What a process has before its run differs by some
    MiB from one to the next."""
    for spare in 1, 2, 4, 8, 16, 32:
        said = sinograph_fails('launch', f'--device={device}', '--memory=1M', line)
        least = float(re.search(r'needs ([\d.]+) MiB', said)[1])
        try:
            return run(f'--memory={least + spare}M')
        except AssertionError as error:
            if 'more than the memory limit' not in str(error):
                raise
            refused = error
    raise refused


def picture(path):
    """The pixels of a grey PNG of 8 bits, as `preview` writes them."""
    data = path.read_bytes()
    columns, lines = struct.unpack('>II', data[16:24])
    at, parts = 8, b''
    while at < len(data):
        size, kind = struct.unpack('>I4s', data[at:at + 8])
        parts += data[at + 8:at + 8 + size] if kind == b'IDAT' else b''
        at += 12 + size
    rows = np.frombuffer(zlib.decompress(parts), np.uint8).reshape(lines, columns + 1)
    image = np.zeros((lines, columns), np.uint8)
    for i, row in enumerate(rows):
        image[i] = row[1:] + (image[i - 1] if row[0] == 2 and i else 0)
    return image


def reconstruct(line, device='native'):
    """The slices that a line makes; PATH in it stands for where they go."""
    if device not in sinograph('devices'):
        raise SkipTest(f'there is no {device}')
    with tempfile.TemporaryDirectory() as folder:
        line = line.replace('PATH', f'{folder}/slice-%05i.tif')
        if device != 'native':
            # Where a device is ignored, comparing it with the CPU proves nothing.
            assert 'OpenCL' in sinograph('plan', f'--device={device}', line).partition("'back-project'")[2]
        sinograph('launch', '--quiet', f'--device={device}', line)
        return slices(folder)


def slices(folder):
    files = sorted(Path(folder).glob('slice-*.tif'))
    return np.stack([tifffile.imread(file) for file in files])


def at_least(value, bound, what):
    print(f'# {what}: {value:.7f}, at least {bound} wanted', flush=True)
    if not value >= bound:
        raise AssertionError(f'{what}: {value}, at least {bound} is wanted')


def at_most(value, bound, what):
    print(f'# {what}: {value:.3g}, at most {bound} wanted', flush=True)
    if not value <= bound:
        raise AssertionError(f'{what}: {value}, at most {bound} is wanted')
