#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Scans with frames or values that are not what they are taken for: each is reconstructed as if nothing were wrong, and what
was wrong is said; or it is asked for. What comes is compared with the object. 65 runs of 160 columns: 14 s."""
import os
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap
import tifffile
from program import sinograph, sinograph_fails

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
N, ROWS, PROJECTIONS, AXIS, SCALE = 160, 3, 180, 77.3, 2 / 160
DISCS = ((0, 0, 56, 1.0), (20, 12, 12, 0.8), (-22, 18, 9, -0.6), (-6, -28, 10, 0.7), (30, -20, 7, 1.2))  # x, y, radius, value
DEGREES = np.arange(PROJECTIONS) * 180 / PROJECTIONS
rng = np.random.default_rng(7)


def attenuation():
    turn = np.deg2rad(DEGREES)[:, None]
    u = np.arange(N)[None] + 0.5 - AXIS
    rows = sum(2 * v * SCALE * np.sqrt(np.maximum(r * r - (u - x * np.cos(turn) + y * np.sin(turn)) ** 2, 0)) for x, y, r, v in DISCS)
    return np.repeat(rows[:, None], ROWS, 1)


def truth():
    fine = (np.arange(4 * N) + 0.5) / 4 - N / 2
    x, y = np.meshgrid(fine, fine)
    return sum(v * SCALE * ((x - a) ** 2 + (y - b) ** 2 < r * r) for a, b, r, v in DISCS).reshape(N, 4, N, 4).mean((1, 3))


OBJECT = truth()
INSIDE = np.hypot(*(np.mgrid[:N, :N] - N / 2 + 0.5)) < N / 2 - 2
LINES = attenuation()
BEAM = 20000 * (1 + 0.3 * np.sin(np.arange(N) / 30))[None]
DARK = 100


def counts(kind='u2', light=1.0):
    """Projections, flats and darks."""
    beam = BEAM * light
    return (
        (rng.poisson(beam * np.exp(-LINES)) + DARK).astype(kind),
        (rng.poisson(np.broadcast_to(beam, (10, ROWS, N))) + DARK).astype(kind),
        np.full((10, ROWS, N), DARK, kind),
    )


def hdf5(projections, flats, darks, **options):
    path = PATH / 'scan.h5'
    with h5py.File(path, 'w') as file:
        file.create_dataset('exchange/data', data=projections, **options)
        file['exchange/data_white'], file['exchange/data_dark'], file['exchange/theta'] = flats, darks, DEGREES
    return path


def numpy_file(projections):
    np.save(PATH / 'scan.npy', projections)
    return PATH / 'scan.npy', '--angles=0:180'


def run(*words):
    out = PATH / 'out'
    done = subprocess.run([os.environ['SINOGRAPH'], 'reconstruct', '--device=native', '--overwrite', f'--axis={AXIS}', *map(str, words), out],
                          capture_output=True, text=True)  # fmt: skip
    tap.check(done.returncode == 0, f'{words}\n{done.stderr}')
    return np.stack([tifffile.imread(file) for file in sorted((out / 'slices').glob('*.tif'))[-ROWS:]]), done.stderr


def right(words, *says, scale=1.0, r=0.995, rms=0.025):
    """The middle slice is the object, and the run says these texts, or nothing."""
    slices, said = run(*(words if isinstance(words, tuple) else (words,)))
    got = slices[len(slices) // 2].astype(float) / scale
    tap.check(np.isfinite(slices).all(), 'there are values that are not numbers')
    match = np.corrcoef(got[INSIDE], OBJECT[INSIDE])[0, 1]
    error = np.sqrt(((got - OBJECT)[INSIDE] ** 2).mean()) / OBJECT.max()
    print(f'# {words}: r {match:.4f}, rms {error:.4f}', flush=True)
    tap.check(match >= r and error <= rms, f'r {match}, rms {error}\n{said}')
    for text in says:
        tap.check(text in said, f'{said}\nwithout {text}')
    tap.check(says or not said, f'says {said}')


def asks(words, *texts):
    said = sinograph_fails('reconstruct', '--device=native', '--overwrite', *(words if isinstance(words, tuple) else (words,)), PATH / 'out')
    for text in texts:
        tap.check(text in said, f'{said}\nwithout {text}')


def launch_fails(line, *texts):
    said = sinograph_fails('launch', '--device=native', line)
    for text in texts:
        tap.check(text in said, f'{line}\n{said}\nwithout {text}')


def test_nothing_wrong():
    right(hdf5(*counts()))


def test_darks_with_beam():
    projections, flats, darks = counts()
    darks[3:5] = flats[:2]
    right(hdf5(projections, flats, darks), "2 of the 10 darks have light, like flats, and are left out: 3, 4, counted from 0")


def test_flats_without_beam_or_with_the_sample():
    projections, flats, darks = counts()
    flats[7] = darks[0]
    flats[2] = projections[0]
    right(hdf5(projections, flats, darks), '1 of the 10 flats has no more light than darks, and is left out: 7',
          '1 of the 10 flats differ from the others by more than noise, and are left out: 2')  # fmt: skip


def test_too_many_to_say_which_are_wrong():
    projections, flats, darks = counts()
    flats[:4] = projections[:4]  # the sample in the beam
    slices, said = run(hdf5(projections, flats, darks))
    tap.check('4 of the 10 flats differ' in said and 'are kept' in said, said)


def test_no_majority():
    """The other kind of frames tells: a dark with the light of flats, a flat without."""
    projections, flats, darks = counts()
    many = darks.copy()
    many[:4] = flats[:4]
    right(hdf5(projections, flats, many), '4 of the 10 darks have light, like flats, and are left out: 0, 1, 2, 3')
    right(hdf5(projections, flats, np.stack((darks[0], flats[0] // 5 * 3))), '1 of the 2 darks has light', 'left out: 1, counted')
    right(hdf5(projections, flats, np.stack((flats[0], darks[0]))), '1 of the 2 darks has light', 'left out: 0, counted')
    right(hdf5(projections, np.stack((flats[0], darks[0])), darks), '1 of the 2 flats has no more light than darks, and is left out: 1', rms=0.03, r=0.993)
    right(hdf5(projections, np.stack((darks[0], flats[0])), np.stack((darks[0], flats[0]))), 'darks has light', 'flats has no more light', rms=0.03, r=0.993)
    with h5py.File(hdf5(projections, np.concatenate((flats[:5], darks[:1])), darks), 'a') as file:
        file['exchange/position_white'] = [-0.5] * 5 + [PROJECTIONS - 0.5]  # the beam was lost
    right(PATH / 'scan.h5', '1 of the 6 flats has no more light', 'left out: 5')


def test_two_that_differ():
    """Which is right is open. Two flats of different times differ as the beam does."""
    projections, flats, darks = counts()
    slices, said = run(hdf5(projections, flats, np.stack((darks[0], darks[0] + 1000))))
    tap.check('the darks 0 and 1, counted from 0, have means of 100 and 1100: it is unknown which is right' in said, said)
    slices, said = run(hdf5(projections, flats, np.stack((darks[0], projections[0]))))  # about half of the light
    tap.check('the darks 0 and 1' in said and 'both are kept' in said, said)
    slices, said = run(hdf5(projections, np.stack((flats[0], flats[1] // 2)), darks))
    tap.check('the flats 0 and 1, counted from 0, have means of' in said and 'give flats=' in said, said)
    right(hdf5(projections, flats[:2], darks[:2] + np.array([0, 20], 'u2')[:, None, None]), rms=0.03, r=0.993)
    with h5py.File(hdf5(projections, flats[:2], darks), 'a') as file:
        fallen = 1 - 0.4 * (np.arange(PROJECTIONS) + 0.5) / PROJECTIONS
        file['exchange/data'][:] = (rng.poisson(BEAM * fallen[:, None, None] * np.exp(-LINES)) + DARK).astype('u2')
        file['exchange/data_white'][1] = (flats[1] - DARK) * 0.6 + DARK
        file['exchange/position_white'] = [-0.5, PROJECTIONS - 0.5]
    right(PATH / 'scan.h5', rms=0.04, r=0.99)


def test_a_beam_that_falls_is_no_fault():
    """Flats before and after the projections, each at its time; and flats that fall bit by bit, all at one time."""
    projections, flats, darks = counts()
    with h5py.File(hdf5(projections, flats, darks), 'a') as file:
        fallen = 1 - 0.2 * (np.arange(PROJECTIONS) + 0.5) / PROJECTIONS
        file['exchange/data'][:] = (rng.poisson(BEAM * fallen[:, None, None] * np.exp(-LINES)) + DARK).astype('u2')
        file['exchange/data_white'][5:] = (rng.poisson(np.broadcast_to(0.8 * BEAM, (5, ROWS, N))) + DARK).astype('u2')
        file['exchange/position_white'] = [-0.5] * 5 + [PROJECTIONS - 0.5] * 5
    right(PATH / 'scan.h5', r=0.994, rms=0.027)
    flats = (flats * np.linspace(1.1, 0.9, 10)[:, None, None]).astype('u2')
    right(hdf5(projections, flats, darks))


def test_masked_pixels():
    for kind in 'u4', 'u2', 'i4':
        projections, flats, darks = counts(kind)
        projections[:, :, 60:63] = flats[:, :, 60:63] = np.iinfo(kind).max
        right(hdf5(projections, flats, 0 * darks + DARK), '9 of 480 detector pixels (1.9 %) are dead')
    projections, flats, darks = counts('u4')
    projections[:, :, 60:63] = flats[:, :, 60:63] = 2**32 - 1
    # Two columns of the three are made of good and bad ones.
    sinograph('launch', '--quiet', f'read path={hdf5(projections, flats, darks)} ! bin columns=2 rows=1 ! flat-field ! write path={PATH}/bin.h5')
    with h5py.File(PATH / 'bin.h5') as file:
        got = file['exchange/data'][:]
    want = LINES.reshape(PROJECTIONS, ROWS, N // 2, 2).mean(3)
    tap.check(np.abs(got - want)[:, :, 30:32].max() < 0.2, f'{np.abs(got - want)[:, :, 30:32].max()} beside the gap')


def test_masked_pixels_of_8_bits():
    """No noise, but 200 steps: the error of rounding."""
    projections = np.rint(200 * np.exp(-LINES)).astype('u1')
    flats = np.full((3, ROWS, N), 200, 'u1')
    projections[:, :, 100] = flats[:, :, 100] = 255
    right(hdf5(projections, flats, 0 * flats))


def test_saturated_projections():
    projections, flats, darks = counts()
    at = rng.random(projections.shape) < 0.01
    projections[at] = 65535
    right(hdf5(projections, flats, darks), f'{at.sum()} values of the projections', 'at 65535, the greatest count', rms=0.026)


def test_flats_with_zingers():
    """A single frame at the greatest count takes itself out of the mean, not its pixel out of the scan."""
    scan, flats, darks = counts()
    flats[rng.random(flats.shape) < 0.03] = 65535
    right(hdf5(scan, flats, darks))


def test_flats_that_are_all_at_the_greatest_count():
    """Made up for projections that were corrected before."""
    projections = np.rint(65535 * np.exp(-LINES)).astype('u2')
    flats = np.full((2, ROWS, N), 65535, 'u2')
    right(hdf5(projections, flats, 0 * flats), 'most pixels of the flats are at 65535')


def camera(most, kind='u2', level=0.775, step=1):
    """Counts of a camera that ends at `most`, with the noise of 20000 photons. The beam reaches beyond where `level` is over 0.77."""
    light, beam = BEAM * level * np.exp(-LINES), np.broadcast_to(BEAM * level, (10, ROWS, N))
    scan = [rng.poisson(light), rng.poisson(beam), np.zeros((10, ROWS, N))]
    return [(np.minimum(np.rint(frames * most / 20000), most) * step).astype(kind) for frames in scan]


def test_a_camera_of_fewer_bits():
    """Counts end at 4095 or 16383 of u16, or anywhere, and pile up there: pixels that are saturated in flats are dead, others
    lose their saturated values."""
    for most, step, kind in (4095, 1, 'u2'), (16383, 1, 'u2'), (4095, 16, 'u2'), (3500, 1, 'u2'), (4095, 1, 'i4'), (4095, 1, 'f4'):
        projections, flats, darks = camera(most, kind, step=step)
        n = (flats == most * step).sum()
        tap.check(n > 100, f'only {n} values are saturated')
        projections[rng.random(projections.shape) < 0.01] = most * step
        right(hdf5(projections, flats, darks), f'{n} values of the flats', f'are at {most * step}, the highest count, which many pixels '
                                                                           'reach',
              f'at {most * step}, the greatest count, where pixels are dead or saturated', r=0.99, rms=0.04)  # fmt: skip
    one = flats[:1]
    right(hdf5(projections, one, darks), f'{(one == 4095).sum()} values of the flats', 'values of the projections', r=0.99, rms=0.05)
    projections, flats, darks = camera(4095, level=2)
    slices, said = run(hdf5(projections, flats, darks))
    tap.check('most pixels of the flats are at 4095, the greatest possible count' in said, said)


def test_no_saturation():
    """Flats whose greatest value happens to be 4095 in one pixel; without noise; scaled; and of few counts."""
    projections, flats, darks = camera(4095, level=0.7)
    flats[3, 1, 70] = 4095
    right(hdf5(projections, flats, darks), rms=0.03, r=0.993)
    right(hdf5(projections * 7, flats * 7, darks), rms=0.03, r=0.993)
    few = [rng.poisson(frames / 5).astype('u2') for frames in (projections, flats)]
    right(hdf5(*few, darks), rms=0.15, r=0.85)
    light, beam = BEAM * np.exp(-LINES), np.broadcast_to(BEAM, (10, ROWS, N))
    scale = 4095 / BEAM.max()
    right(hdf5(np.rint(light * scale).astype('u2'), np.rint(beam * scale).astype('u2'), darks))
    falls = np.linspace(1, 0.9, 10)[:, None, None]
    right(hdf5(np.rint(light * 0.95).astype('u2'), np.rint(beam * falls).astype('u2'), darks))
    flat = np.full((10, ROWS, N), 5000)
    right(hdf5(np.rint(5000 * np.exp(-LINES)).astype('u2'), flat.astype('u2'), darks))
    right(hdf5(np.rint(4750 * np.exp(-LINES)).astype('u2'), (flat * falls).astype('u2'), darks))


def test_no_numbers():
    lines = LINES.astype('f4')
    lines[7, 1, 50], lines[9, 1, 51:53], lines[3, 0, 0] = np.nan, np.inf, -np.inf
    right(numpy_file(lines), '4 values of the projections (0.00463 %) are NaN or infinite')
    np.save(PATH / 'scan.npy', lines.transpose(1, 0, 2))
    right((PATH / 'scan.npy', '--angles=0:180', '--sinograms'), '4 values of the projections')
    lines[:, :, 40] = np.nan  # a dead column
    right(numpy_file(lines), f'{PROJECTIONS * ROWS + 4} values')


def test_no_numbers_in_counts():
    projections, flats, darks = counts('f4')
    projections[7, 1, 50], projections[8, 1, 60:62] = np.nan, np.inf
    right(hdf5(projections, flats, darks), '3 values of the projections', 'are NaN or infinite: they were filled')


def test_transmission():
    light = np.exp(-LINES)
    right(numpy_file(light.astype('f4')), "the values look like transmission", "'minus-log'")
    right((*numpy_file(np.rint(light * 65535).astype('u2')), '--values=transmission'), 'values beside the object are 65535')
    right((*numpy_file(np.rint(light * 10000).astype('u2')), '--values=transmission'), 'values beside the object are 10000')
    right((*numpy_file((light * 100).astype('f4')), '--values=transmission'), 'values beside the object are 100')
    right((*numpy_file(np.rint(light * 255).astype('u1')), '--values=transmission'), 'used as a transmission of 1', r=0.99, rms=0.03)


def test_attenuation_and_emission():
    right(numpy_file(LINES.astype('f4')))
    for kind in 'u2', 'i4':
        words = numpy_file(np.rint(LINES * 20000).astype(kind))
        for values in 'attenuation', 'emission':
            right((*words, f'--values={values}'), scale=20000)


def test_what_is_open_is_asked_for():
    light = np.exp(-LINES)
    for values in np.rint(light * 10000).astype('u2'), (light * 20000).astype('f4'), np.rint(light * 10000).astype('u4'):
        asks(numpy_file(values), 'has no flats: give --flats=', '--values=transmission', '--values=attenuation', '--values=emission')
    asks((*numpy_file(values), '--values=counts'), 'give --flats=')
    asks((*numpy_file(values), '--values=light'), "'values'", 'transmission')
    asks((*numpy_file(values), '--values=attenuation', '--flats=x.npy'), 'flats=', 'values=attenuation is not counts')


def test_values_of_nodes():
    path = numpy_file(LINES.astype('f4'))[0]
    read = f'read path={path} angles=0:180 values'
    launch_fails(f'{read}=attenuation ! minus-log ! null', 'wants transmission, got attenuation', 'leave this node out')
    launch_fails(f'{read}=transmission ! flat-field ! null', 'wants counts, got transmission', "use 'minus-log'")
    launch_fails(f'{read}=transmission ! reconstruct ! null', 'wants attenuation, got transmission', "put 'minus-log' before it")
    launch_fails(f'read path={hdf5(*counts())} ! flat-field absorption=false ! reconstruct ! null', 'wants attenuation, got transmission')
    launch_fails(f'read path={path} axes=slices values=attenuation ! null', 'values=attenuation has no meaning for axes=slices')


def test_flats_of_another_exposure():
    for part, times in (0.5, 2), (2, 0.5):
        projections, _, darks = counts()
        _, flats, _ = counts(light=part)
        right(hdf5(projections, flats, darks), f'beside the object there is {times} times the light of the flats',
              "'correct-dose' scales each projection by columns")  # fmt: skip


def test_chunks_that_were_never_written():
    projections, flats, darks = counts()
    for options in {'chunks': (4, ROWS, N)}, {'chunks': (4, ROWS, 40), 'compression': 'gzip'}, {'chunks': (4, ROWS, N), 'scaleoffset': 0}:
        path = PATH / 'scan.h5'
        with h5py.File(path, 'w') as file:
            data = file.create_dataset('exchange/data', projections.shape, 'u2', **options)
            for first in range(0, PROJECTIONS, 4):
                if first not in (20, 24, 100):
                    data[first : first + 4] = projections[first : first + 4]
            file['exchange/data_white'], file['exchange/data_dark'], file['exchange/theta'] = flats, darks, DEGREES
        told = '12 of the 180 projections of '
        asks(path, told, 'were never written, or only in part: 20 to 27, 100 to 103: set missing=skip')
        right((path, '--missing=skip'), told, 'they are left out, with their angles', rms=0.05, r=0.98)
        slices, said = run(path, '--missing=zero')
        tap.check(told in said and 'the fill values of the file are used' in said, said)


def test_frames_that_were_never_written():
    projections, flats, darks = counts()
    with h5py.File(hdf5(projections, flats, darks), 'a') as file:
        del file['exchange/data_white']
        data = file.create_dataset('exchange/data_white', flats.shape, 'u2', chunks=(1, ROWS, N))
        data[:6] = flats[:6]
    right(PATH / 'scan.h5', '4 of the 10 flats were never written, and are left out')


if __name__ == '__main__':
    tap.main(globals())
