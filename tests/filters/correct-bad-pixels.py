#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Bad pixels by masks in files and by flats, and what they become, against numpy in float64."""
import os
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'graphs'))
import h5py
import numpy as np
import tap
import tifffile
from program import at_most, in_little_memory, sinograph, sinograph_fails

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
WIDTH, HEIGHT, ANGLES = 80, 36, 60


def scan():
    """Counts of a simulated scan, with darks and flats."""
    sinograph('launch', '--quiet', f'simulate width={WIDTH} height={HEIGHT} projections={ANGLES} darks=3 flats=4 type=u16 ! '
              f'write path={PATH}/good.h5 overwrite=true')
    with h5py.File(PATH / 'good.h5') as file:
        return [file[f'exchange/{name}'][:] for name in ('data', 'data_dark', 'data_white')]


def bad_map():
    """Lone pixels, also at the border, a dead column, a part of a row, a block."""
    bad = np.zeros((HEIGHT, WIDTH), bool)
    rng = np.random.default_rng(7)
    bad[rng.integers(0, HEIGHT, 25), rng.integers(0, WIDTH, 25)] = True
    bad[:, 23] = bad[0, 0] = bad[HEIGHT - 1, WIDTH - 1] = bad[9, 40:52] = True
    bad[20:24, 60:64] = True
    return bad


def damaged(flicker=0):
    """The scan with bad pixels, dead and stuck at the top in turn; or about values of their own."""
    parts, bad = scan(), bad_map()
    values = np.where(np.arange(bad.sum()) % 2, 65535, 7).astype(np.uint16)
    rng = np.random.default_rng(2)
    if flicker:
        values = rng.integers(100, 3000, bad.sum())
    for part in parts:
        part[:, bad] = values + rng.integers(0, flicker + 1, (len(part), bad.sum()))
    with h5py.File(PATH / 'bad.h5', 'w') as file:
        for key, part in zip(('data', 'data_dark', 'data_white'), parts):
            file[f'exchange/{key}'] = part
        file['exchange/theta'] = np.arange(ANGLES) * 180 / ANGLES
    return parts, bad


def mended(frames, bad, reach=8):
    """By the definition on the page."""
    out = frames.astype(np.float64)
    for row, column in np.argwhere(bad):
        near = []
        for down, right in (0, -1), (0, 1), (-1, 0), (1, 0):
            for n in range(1, reach + 1):
                y, x = row + n * down, column + n * right
                if not (0 <= y < bad.shape[0] and 0 <= x < bad.shape[1]):
                    break
                if not bad[y, x]:
                    near.append((frames[:, y, x].astype(np.float64), 1 / n))
                    break
        out[:, row, column] = sum(v * w for v, w in near) / sum(w for _, w in near)
    return np.floor(out + 0.5) if frames.dtype.kind == 'u' else out


def run(line, *words):
    sinograph('launch', '--quiet', '--device=native', *words, f'{line} ! write path={PATH}/out.h5 overwrite=true')
    with h5py.File(PATH / 'out.h5') as file:
        return {name: item[:] for name, item in file['exchange'].items()}


def check_same(got, parts, bad, why):
    for name, part in zip(('data', 'data_dark', 'data_white'), parts):
        tap.check(np.array_equal(got[name], mended(part, bad)), f'{why}: {name}')


def test_found_by_flats():
    parts, bad = damaged()
    check_same(run(f'read path={PATH}/bad.h5 ! correct-bad-pixels'), parts, bad, 'found')
    said = sinograph('launch', '--stats', f'read path={PATH}/bad.h5 ! correct-bad-pixels ! null')
    tap.check(int(re.search(r'bad-pixels=(\d+)', said)[1]) == bad.sum(), said)


def test_odd_frames():
    """A flat with an object of sharp edges in the beam calls no pixel bad."""
    parts, bad = damaged()
    with h5py.File(PATH / 'bad.h5', 'a') as file:
        file['exchange/data_white'][2, :, ::2] = parts[1][0][:, ::2]
    said = sinograph('launch', '--stats', f'read path={PATH}/bad.h5 ! correct-bad-pixels threshold=0.2 ! null')
    tap.check(int(re.search(r'bad-pixels=(\d+)', said)[1]) == bad.sum(), said)


def test_masks():
    """In any format, of the projections or of the whole detector."""
    parts, bad = damaged()
    tifffile.imwrite(PATH / 'mask.tif', bad.astype(np.uint8) * 255)
    np.save(PATH / 'mask.npy', bad.astype(np.float32)[np.newaxis])
    with h5py.File(PATH / 'masks.h5', 'w') as file:
        file['some/mask'] = bad[np.newaxis].astype(np.uint16)
    for mask in 'mask.tif', 'mask.npy', 'masks.h5:/some/mask':
        check_same(run(f'read path={PATH}/bad.h5 ! correct-bad-pixels mask={PATH}/{mask}'), parts, bad, mask)
    cut = np.s_[:, 5:30:1, 10:70]
    got = run(f'read path={PATH}/bad.h5 rows=5:30 columns=10:70 ! correct-bad-pixels mask={PATH}/mask.tif')
    check_same(got, [part[cut] for part in parts], bad[cut[1:]], 'a part of the detector')
    tifffile.imwrite(PATH / 'turned.tif', bad[:, ::-1].astype(np.uint8))
    flipped = f'read path={PATH}/bad.h5 ! flip direction=horizontal'
    for words, wanted in {
            f'correct-bad-pixels of=projections mask={PATH}/turned.tif': np.s_[:, :, ::-1],
            f'correct-bad-pixels of=detector mask={PATH}/mask.tif': np.s_[:, :, ::-1],
            f'flip direction=vertical ! correct-bad-pixels of=detector mask={PATH}/mask.tif': np.s_[:, ::-1, ::-1],
            f'flip ! correct-bad-pixels mask={PATH}/mask.tif': np.s_[:],
    }.items():
        tap.check(np.array_equal(run(f'{flipped} ! {words}')['data'], mended(parts[0], bad)[wanted]), f'{words}, flipped')
    got = run(f'{flipped} ! crop x=10 width=60 ! correct-bad-pixels mask={PATH}/mask.tif')
    tap.check(np.array_equal(got['data'], mended(parts[0][:, :, ::-1][:, :, 10:70], bad[:, ::-1][:, 10:70])), 'a part of the turned detector')


def test_mask_and_flats():
    """A mask alone is all there is, unless more are looked for."""
    parts, bad = damaged()
    few = np.zeros_like(bad)
    few[:, 23] = few[3, 3] = True
    tifffile.imwrite(PATH / 'few.tif', few.astype(np.uint8))
    line = f'read path={PATH}/bad.h5 ! correct-bad-pixels mask={PATH}/few.tif'
    check_same(run(line), parts, few, 'a mask')
    check_same(run(f'{line} find=yes'), parts, bad | few, 'a mask and flats')


def test_elements():
    """Floats and bytes, and what is no number is no neighbour."""
    rng, bad = np.random.default_rng(3), bad_map()
    tifffile.imwrite(PATH / 'mask.tif', bad.astype(np.uint8))
    for kind, most in ('u1', 0), ('f2', 1e-3), ('f4', 1e-6):
        data = (rng.random((5, HEIGHT, WIDTH)) * 250).astype(kind)
        np.save(PATH / 'data.npy', data)
        got = run(f'read path={PATH}/data.npy angles=0:180 ! correct-bad-pixels mask={PATH}/mask.tif')['data']
        at_most(np.abs(got - mended(data, bad)).max() / 250, most, kind)
    data[:, 9, 39] = np.nan
    np.save(PATH / 'data.npy', data)
    got = run(f'read path={PATH}/data.npy angles=0:180 ! correct-bad-pixels mask={PATH}/mask.tif')['data']
    tap.check(np.isfinite(got[:, 9, 40]).all() and np.isnan(got[:, 9, 39]).all(), 'NaN beside a bad pixel')


def test_slices():
    """The slices are nearly those of a good detector, in any memory and with any threads."""
    damaged(flicker=40)
    chain = 'flat-field ! reconstruct'
    good = run(f'read path={PATH}/good.h5 ! {chain}')['data']
    bad = run(f'read path={PATH}/bad.h5 ! {chain}')['data']
    got = run(f'read path={PATH}/bad.h5 ! correct-bad-pixels ! {chain}')['data']
    error, before = (np.abs(image - good).mean() / np.abs(good).mean() for image in (got, bad))
    at_most(error, 0.1, 'difference to the slices of a good detector')
    at_most(error, before / 3, f'difference, {before:.3f} before')
    line = f'read path={PATH}/bad.h5 ! correct-bad-pixels ! {chain}'
    tap.check(np.array_equal(run(line, '--threads=1')['data'], got), 'one thread makes other bytes')
    little = in_little_memory(lambda words: run(line, words)['data'], 'native', f'{line} ! null')
    tap.check(np.array_equal(little, got), 'little memory makes other bytes')


def test_no_beam():
    """Where the beam does not reach nothing is called bad."""
    parts, bad = scan(), bad_map()
    dark = parts[1][:1].mean()
    for part in (parts[0], parts[2]):
        part[:, :, 60:] = np.round(dark + (part[:, :, 60:] - dark) * 0.001)
        part[:, 5, 5] = 0
    with h5py.File(PATH / 'narrow.h5', 'w') as file:
        for key, part in zip(('data', 'data_dark', 'data_white'), parts):
            file[f'exchange/{key}'] = part
    said = sinograph('launch', '--stats', f'read path={PATH}/narrow.h5 angles=0:180 ! correct-bad-pixels ! null')
    tap.check(int(re.search(r'bad-pixels=(\d+)', said)[1]) < 2 + HEIGHT, said)


def test_narrow_beam():
    """Most of the detector sees noise about the dark only: it is right as it is, and bad pixels in the beam are found."""
    rng = np.random.default_rng(8)
    parts = [rng.poisson(level, (count, 60, 80)).astype(np.uint16) for level, count in ((100, 6), (100, 5), (100, 5))]
    for part in (parts[0], parts[2]):
        part[:, :, 30:50] = rng.poisson(4000, part[:, :, 30:50].shape)
        part[:, 17, 41] = part[:, 40, 33] = 0
    with h5py.File(PATH / 'slit.h5', 'w') as file:
        for key, part in zip(('data', 'data_dark', 'data_white'), parts):
            file[f'exchange/{key}'] = part
    bad = np.zeros((60, 80), bool)
    bad[17, 41] = bad[40, 33] = True
    got = run(f'read path={PATH}/slit.h5 angles=0:180 ! correct-bad-pixels')
    check_same(got, parts, bad, 'a narrow beam')


def test_before_a_survey():
    """What looks at rows before the run finds them corrected; the counter counts once."""
    _, bad = damaged()
    line = f'read path={PATH}/bad.h5 ! correct-bad-pixels ! flat-field ! find-axis again=true rows=9 ! null'
    tap.same(re.findall(r'bad-pixels=(\d+)', sinograph('launch', '--stats', line)), [str(bad.sum())])


def test_refusals():
    parts, bad = damaged()
    read = f'read path={PATH}/bad.h5'
    for name, image in {'small': bad[:9], 'inverse': ~bad, 'two': np.stack([bad, bad]), 'rows': np.isin(np.arange(HEIGHT), range(5, 30))[:, None] & (np.arange(WIDTH) < 30)}.items():
        tifffile.imwrite(PATH / f'{name}.tif', image.astype(np.uint8), photometric='minisblack')
    (PATH / 'words.txt').write_text('no image')
    tifffile.imwrite(PATH / 'mask.tif', bad.astype(np.uint8))
    with h5py.File(PATH / 'swapped.h5', 'w') as file:
        for key, part in zip(('data', 'data_white', 'data_dark'), parts):
            file[f'exchange/{key}'] = part
    for chain, wanted in {
            f'{read} ! correct-bad-pixels mask={PATH}/small.tif': 'has 9 rows and 80 columns, the projections have 36 and 80: give a mask '
                                                                  'for these',
            f'{read} ! correct-bad-pixels mask={PATH}/inverse.tif': 'is it inverted?',
            f'{read} ! correct-bad-pixels mask={PATH}/two.tif': 'has 2 images: give one image',
            f'{read} ! correct-bad-pixels mask={PATH}/rows.tif': 'has no good pixel within reach=8 to any side: give a larger reach=',
            f'{read} ! correct-bad-pixels mask={PATH}/words.txt': 'words.txt is not an image file: give one of',
            f'{read} ! correct-bad-pixels mask={PATH}/none.tif': 'none.tif',
            f'{read} ! correct-bad-pixels mask={PATH}/small.tif:/x': 'names a dataset, which TIFF does not have: leave it out',
            f'{read} ! flip ! correct-bad-pixels mask={PATH}/mask.tif': "fits the projections, whose pixels 'flip' has moved, and may be for "
                                                                        "the detector, too: put this node before 'flip', or give of=detector",
            f'{read} ! flip geometry=stays ! correct-bad-pixels mask={PATH}/mask.tif': "put this node before 'flip', or give of=projections",
            f'{read} ! shift dx=1 ! crop x=5 ! correct-bad-pixels mask={PATH}/mask.tif': "is for the detector, whose pixels 'shift' has moved",
            f'{read} ! correct-bad-pixels of=projections mask={PATH}/small.tif': 'or leave of=projections out',
            f'{read} ! bin ! correct-bad-pixels mask={PATH}/mask.tif': "put this node before 'bin', or give a mask of 18 rows and 40 columns",
            f'{read} rows=::2 ! correct-bad-pixels mask={PATH}/mask.tif': 'bin or skip',
            f'read path={PATH}/swapped.h5 angles=0:180 ! correct-bad-pixels': 'the flats are not brighter than the darks',
            f'{read} ! correct-bad-pixels find=no': 'find=no without mask= leaves no way to find bad pixels: give mask= too',
            f'{read} ! flat-field ! correct-bad-pixels': "the stream has no flats to find bad pixels with: put this node before "
                                                         "'flat-field'",
            f'{read} ! interleave ! correct-bad-pixels': "wants projections, got u16 sinograms",
    }.items():
        said = sinograph_fails('launch', f'{chain} ! null')
        tap.check(wanted in said and "'correct-bad-pixels'" in said, f'{chain}\nsays {said}')


tap.main(globals())
