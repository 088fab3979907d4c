#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Scans of several heights against one of the whole sample, and against numpy."""
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'graphs'))
import h5py
import numpy as np
import tap
from program import at_most, in_little_memory, sinograph, sinograph_fails

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
WIDTH = 64


def run(line, *words):
    sinograph('launch', '--quiet', '--device=native', *words, f'{line} ! write path={PATH}/out.h5 overwrite=true')
    with h5py.File(PATH / 'out.h5') as file:
        return file['exchange/data'][:]


def scan(first, rows, whole=60, words=''):
    """Rows of a scan that has `whole` of them."""
    z = (whole / 2 - first - rows / 2) / (WIDTH / 2)
    return f'simulate object=shepp-logan-3d width={WIDTH} height={rows} projections=90 z={z:.17g} {words}'


def volume(name, shape, kind='f4', seed=1):
    data = (np.random.default_rng(seed).random(shape) * 200).astype(kind)
    np.save(PATH / f'{name}.npy', data)
    return data, f'read path={PATH}/{name}.npy axes=slices'


def joined(parts, overlaps):
    """By the definition on the page."""
    out = parts[0].astype(np.float64)
    for part, n in zip(parts[1:], overlaps):
        share = ((np.arange(n) + 1) / (n + 1))[:, None, None]
        middle = (1 - share) * out[len(out) - n:] + share * part[:n]
        out = np.concatenate([out[:len(out) - n], middle, part[n:]])
    return out


def test_scans():
    """Slices, and projections, of three scans are those of one of the whole height."""
    parts = [(0, 25), (20, 21), (35, 25)]
    for before, behind in ('! reconstruct', ''), ('', '! reconstruct'):
        got = run(f"[{', '.join(scan(*part) + before for part in parts)}] ! concatenate overlap=5,6 {behind}")
        wanted = run(f'{scan(0, 60)} ! reconstruct')
        at_most(np.abs(got - wanted).max() / wanted.max(), 2e-5, f'difference to one scan, joined {"after" if before else "before"} it')


def test_numpy():
    (a, first), (b, second), (c, third) = (volume(name, (rows, 11, 13), seed=rows) for name, rows in (('a', 9), ('b', 14), ('c', 5)))
    for words, overlaps in ('', (0, 0)), ('overlap=2', (2, 2)), ('overlap=9,5', (9, 5)), ('overlap=0,3', (0, 3)):
        got = run(f'[{first}, {second}, {third}] ! concatenate {words}')
        at_most(np.abs(got - joined((a, b, c), overlaps)).max(), 1e-4, words)
    tap.check(np.array_equal(run(f'[{first}, {second}] ! concatenate'), np.concatenate([a, b])), 'other bits without an overlap')
    tap.check(np.array_equal(run(f'{first} ! concatenate'), a), 'one input')
    for kind in 'u1', 'u2', 'f2':
        (a, first), (b, second) = volume('a', (9, 11, 13), kind), volume('b', (4, 11, 13), kind, 2)
        tap.check(np.array_equal(run(f'[{first}, {second}] ! concatenate'), np.concatenate([a, b])), kind)


def test_same_bytes():
    """Any memory and threads; and two parts of one stream."""
    size = 'width=160 height=90 projections=40'
    parts = f'[simulate {size} object=shepp-logan-3d z=0.5 ! reconstruct, simulate {size} object=shepp-logan-3d z=-0.5 ! reconstruct]'
    line = f'{parts} ! concatenate overlap=10'
    wanted = run(line)
    tap.check(np.array_equal(run(line, '--threads=1'), wanted), 'one thread makes other bytes')
    little = in_little_memory(lambda words: run(line, words), 'native', f'{line} ! write path={PATH}/other.h5')
    tap.check(np.array_equal(little, wanted), 'little memory makes other bytes')
    data, read = volume('whole', (50, 40, 30))
    for line, wanted in {f'[{read} rows=0:20, {read} rows=15:50] ! concatenate overlap=5': data,
                         f'concatenate name=c {read} name=r ! c. r. ! flip ! c. c.': np.concatenate([data, data[:, :, ::-1]])}.items():
        for got in run(line), in_little_memory(lambda words: run(line, words), 'native', f'{line} ! null'):
            at_most(np.abs(got - wanted).max(), 1e-4, line)


def test_what_others_know():
    """Angles and an axis that only one of the scans brings."""
    data = (np.random.default_rng(3).random((20, 6, 16)) * 2).astype(np.float32)
    np.save(PATH / 'scan.npy', data)
    read = f'read path={PATH}/scan.npy'
    wanted = run(f'[{read} angles=0:180 axis=7, {read} angles=0:180 axis=7] ! concatenate ! reconstruct')
    for first, second in ('angles=0:180', 'axis=7'), ('', 'angles=0:180 axis=7'), ('axis=7', 'angles=0:180'):
        got = run(f'[{read} {first}, {read} {second}] ! concatenate ! reconstruct')
        tap.check(np.array_equal(got, wanted), f'{first or "nothing"} and {second}')
    for i, axis in enumerate((np.full(20, 7.), np.linspace(7, 8, 20))):
        with h5py.File(PATH / 'axes.h5', 'w') as file:
            file['exchange/data'], file['exchange/theta'], file['exchange/rotation_axis'] = data, np.arange(20) * 9., axis
        line = f'[{read} angles=0:180 axis=7, read path={PATH}/axes.h5] ! concatenate ! reconstruct'
        if i == 0:
            tap.check(np.array_equal(run(line), wanted), 'one axis for all, and one for each')
        else:
            tap.check("is at column 7.05263, that of 'data' at 7" in sinograph_fails('check', f'{line} ! null'), 'axes that differ')


def test_refusals():
    read = volume('a', (9, 11, 13))[1]
    other = volume('b', (9, 12, 13))[1]
    whole = volume('c', (9, 11, 13), 'u2')[1]
    flats = f'{scan(0, 5)} darks=1 flats=1'
    cone = f'{scan(0, 5)} source-origin=500 origin-detector=100'
    for line, wanted in {
            f'[{read}, {other}] ! concatenate': "input 'data-2' has f32 slices (z 9, y 12, x 13), and 'data' has f32 slices (z 9, y 11, x "
                                                "13): only the number",
            f'[{read}, {whole}] ! concatenate': 'all must have the same kind and element type',
            f'[{whole}, {whole}] ! concatenate overlap=2': "overlap=2 blends values, which wants f32, got u16 slices",
            f'[{read}, {scan(0, 5)}] ! concatenate': 'all must have the same kind and element type',
            f'[{read}, {read}, {read}] ! concatenate overlap=5': "input 'data-2' has 9 rows, and shares 10 with its neighbours: give a "
                                                                 "smaller overlap=",
            f'[{read}, {read}] ! concatenate overlap=1,2': 'overlap=1,2 gives 2 numbers for 2 inputs: give one for all',
            f'[{read}, {read}] ! concatenate overlap=few': "overlap=few: 'few' is not a number of rows",
            f'[{read}, {read}] ! concatenate overlap=1.5': "'1.5' is not a number of rows",
            f'[{scan(0, 5)}, {scan(0, 5)} axis=30] ! concatenate': "the axis of input 'data-2' is at column 30, that of 'data' at 32: reconstruct each",
            f'[{scan(0, 5)}, {scan(0, 5)} angles=0:90] ! concatenate': "input 'data-2' have other angles than those of 'data'",
            f'[{read} pixel-size=1, {read} pixel-size=1.01] ! concatenate': "the pixels of input 'data-2' are 1.01 wide, those of 'data' 1: if one is wrong, give 'read' the right",
            f'[{flats}, {flats}] ! concatenate': "put 'flat-field' before each input",
            f'[{cone}, {cone}] ! concatenate': 'see the sample from another direction at each height',
            f'[{scan(0, 5)} ! interleave, {scan(0, 5)} ! interleave] ! concatenate': "angle 90, column 64): put this node before 'interleave'",
            f'[{scan(0, 5)}, {scan(0, 5)} ! ramp-filter] ! concatenate': 'either all must have filtered rows, or none',
    }.items():
        said = sinograph_fails('launch', f'{line} ! null')
        tap.check(wanted in said and "'concatenate'" in said, f'{line}\nsays {said}')


tap.main(globals())
