# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs of the node for its tests."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / 'graphs'))
import h5py
import numpy as np
import tap

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)


def spread(count, stop=180):
    """Angles in degrees."""
    return np.arange(count) * stop / count


def save(sinograms, degrees, name='scan.h5'):
    """A file of (row, angle, column), or of one row."""
    rows = sinograms[None] if sinograms.ndim == 2 else sinograms
    with h5py.File(PATH / name, 'w') as file:
        file['exchange/data'], file['exchange/theta'] = rows.transpose(1, 0, 2).astype(np.float32), np.asarray(degrees, float)
    return PATH / name


def launch(line, *words):
    """What it says."""
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', *words, line], capture_output=True, text=True)
    tap.check(done.returncode == 0, f'{line}\n{done.stderr}')
    return done.stderr


def run(line, *words):
    """(slices, what was said) of nodes behind a source."""
    said = launch(f'{line} ! write path={PATH}/out.h5 overwrite=true', *words)
    with h5py.File(PATH / 'out.h5') as file:
        return file['exchange/data'][:], said


def solved(sinograms, degrees, settings='', *words, node='interleave ! iterative-reconstruct', axis=None):
    """Slices of (row, angle, column), or one of (angle, column)."""
    axis = sinograms.shape[-1] / 2 if axis is None else axis
    got, said = run(f'read path={save(sinograms, degrees)} ! {node} axis={axis} {settings}', *words)
    return (got[0] if sinograms.ndim == 2 else got), said
