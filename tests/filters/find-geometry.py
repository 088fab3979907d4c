#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The place of a detector, from projections that numpy makes of ellipsoids by the definitions in docs/guide/geometry.md: with
noise, turned about all axes, from a start that is far off. Costs 30 s, most of it for the searches."""
import os
import re
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap
from program import sinograph, sinograph_fails

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
COLUMNS, ROWS, VIEWS, PIXEL, PHOTONS = 96, 64, 150, 0.2, 3e4
AXIS, ROW, ROLL, YAW, PITCH = 49.7, 29.4, 0.9, -1.1, 0.7  # degrees
DISTANCE, MAGNIFICATION = 65.0, 3.0  # source to detector
NUMBER = r'(-?[\d.]+)'


def turn(axis, degrees):
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) * c + s * cross + (1 - c) * np.outer(axis, axis)


def ellipsoids(wide=1.0):
    rng = np.random.default_rng(5)
    radius, height = wide * 0.37 * COLUMNS * PIXEL / MAGNIFICATION, 0.4 * ROWS * PIXEL / MAGNIFICATION
    parts = [(0, 0, 0, radius, 0.85 * radius, height, 0.4, 0.55 / radius)]
    for _ in range(18):
        r, t, size = 0.7 * radius * np.sqrt(rng.random()), 2 * np.pi * rng.random(), radius * rng.uniform(0.05, 0.2)
        axes = size * rng.uniform(0.6, 1.4, 3)
        parts.append((r * np.cos(t), 0.85 * r * np.sin(t), height * rng.uniform(-0.8, 0.8), *axes, 3 * rng.random(), rng.uniform(-0.3, 0.8) / radius))
    return parts


def projections(parts, angles, roll=ROLL, yaw=YAW, pitch=PITCH):
    """Attenuation, averaged over four points of each pixel."""
    room = turn((0, 1, 0), roll) @ turn((1, 0, 0), pitch) @ turn((0, 0, 1), yaw)
    column, row = PIXEL * room @ (1, 0, 0), PIXEL * room @ (0, 0, 1)
    origin = DISTANCE / MAGNIFICATION
    v, u = np.mgrid[:2 * ROWS, :2 * COLUMNS] / 2 + 0.25
    points = np.array([0, DISTANCE, 0]) + (u[..., None] - AXIS) * column + (v[..., None] - ROW) * row
    rays = points / np.linalg.norm(points, axis=-1, keepdims=True)  # from the source
    rays = rays.astype('f4')
    frames = np.empty((len(angles), ROWS, COLUMNS), 'f4')
    for i, angle in enumerate(np.deg2rad(angles)):
        c, s = np.cos(angle), np.sin(angle)
        toward = np.stack((c * rays[..., 0] + s * rays[..., 1], -s * rays[..., 0] + c * rays[..., 1], rays[..., 2]), -1)
        source = -origin * np.array([s, c, 0])
        line = np.zeros(toward.shape[:2], 'f4')
        for x, y, z, a, b, h, phi, value in parts:
            own = np.array([[np.cos(phi) / a, np.sin(phi) / a, 0], [-np.sin(phi) / b, np.cos(phi) / b, 0], [0, 0, 1 / h]])
            q, w = own @ (source - (x, y, z)), toward @ own.T.astype('f4')
            wq, ww = w @ q.astype('f4'), (w * w).sum(-1)
            line += value * 2 * np.sqrt(np.maximum(wq * wq - ww * (q @ q - 1), 0)) / ww
        frames[i] = -np.log(np.exp(-line).reshape(ROWS, 2, COLUMNS, 2).mean((1, 3)))
    counts = np.maximum(np.random.default_rng(3).poisson(PHOTONS * np.exp(-frames)), 1)
    return (-np.log(counts / PHOTONS)).astype('f4')


def saved(name, frames, angles):
    path = PATH / f'{name}.h5'
    with h5py.File(path, 'w') as file:
        file['exchange/data'], file['exchange/theta'] = frames, angles
    return path


ANGLES = np.arange(VIEWS) * 360 / VIEWS
FRAMES = projections(ellipsoids(), ANGLES)
ROUGH = f'source-origin={1.07 * DISTANCE / MAGNIFICATION} origin-detector={1.07 * (DISTANCE - DISTANCE / MAGNIFICATION)} pixel-size={PIXEL}'


def source(name='scan', words=ROUGH):
    return f'read path={PATH}/{name}.h5 values=attenuation {words}'


def said(line, *words):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', *words, f'{line} ! null'], capture_output=True, text=True)
    tap.check(done.returncode == 0, f'{line}\n{done.stderr}')
    return done.stderr


def numbers(text):
    match = re.search(rf"axis {NUMBER} \+- {NUMBER}, middle row {NUMBER} \+- {NUMBER}, roll {NUMBER} \+- {NUMBER}, yaw {NUMBER} \+- {NUMBER} degrees, "
                      rf"source to detector {NUMBER} \+- {NUMBER} %; pitch hardly determined: {NUMBER} \+- {NUMBER} degrees", text)
    tap.check(match, text)
    return [float(word) for word in match.groups()]


def near(text, tolerances=(0.03, 1, 0.1, 0.15, 0.015), row=ROW):
    """The numbers of a message are those of the simulation, as near as wanted and within four of their errors."""
    got = numbers(text)
    print(f'# {text.strip()[:250]}', flush=True)
    # The middle row and the axis are where one ray meets the detector: at another row the axis is further along the roll.
    truth = AXIS, row, ROLL, YAW, DISTANCE
    for i, (want, most) in enumerate(zip(truth, tolerances)):
        value, error = got[2 * i], got[2 * i + 1]
        if i == 0:
            value += (got[2] - row) * np.tan(np.deg2rad(ROLL))
        if i == 4:
            value, want = value / DISTANCE - 1, 0
            error /= 100
        tap.check(abs(value - want) <= most, f'number {i}: {value}, not {want}')
        tap.check(abs(value - want) <= 4 * error + 0.006, f'number {i}: {value}, not {want} +- {error}')


def test_from_rough_numbers():
    saved('scan', FRAMES, ANGLES)
    text = said(f'{source()} ! find-geometry')
    near(text)
    tap.check('doubt' not in text and 'the scan gives axis 48.00, middle row 32.0' in text, text)


def gradient_energy(volume):
    inside = volume[14:-14, 12:-12, 12:-12].astype('f8')
    return sum((np.diff(inside, axis=axis) ** 2).sum() for axis in range(3)) / (inside ** 2).sum()


def test_sharpness():
    """A volume is as sharp as that of the true geometry, and that of the rough one is not."""
    def volume(words, then='', name='volume'):
        sinograph('launch', '--quiet', '--device=native', f'{source(words=words)} {then} ! reconstruct ! write path={PATH}/{name}.h5 overwrite=true')
        with h5py.File(PATH / f'{name}.h5') as file:
            return gradient_energy(file['exchange/data'][:])

    true = volume(f'source-origin={DISTANCE / MAGNIFICATION} origin-detector={DISTANCE - DISTANCE / MAGNIFICATION} pixel-size={PIXEL} axis={AXIS} '
                  f'middle-row={ROW} detector-roll={ROLL} detector-yaw={YAW} detector-pitch={PITCH}', name='true')
    found, rough = volume(ROUGH, '! find-geometry'), volume(ROUGH)
    print(f'# sharpness: found {found / true:.4f}, rough {rough / true:.4f} of that of the true geometry', flush=True)
    tap.check(found >= 0.97 * true and rough < 0.9 * true, f'{found} and {rough}, true {true}')


def test_command():
    out = PATH / 'out'
    done = subprocess.run([os.environ['SINOGRAPH'], 'reconstruct', '--device=native', '--strict', '--values=attenuation', '--find-geometry', *('--' + word for word in ROUGH.split()),
                           PATH / 'scan.h5', out], capture_output=True, text=True)  # fmt: skip
    tap.check(done.returncode == 0, done.stderr)
    near(done.stderr)
    tap.check(len(list((out / 'slices').iterdir())) > 30, 'slices')


def test_unknown_distances():
    text = said(f'{source(words="")} ! find-geometry')
    got = numbers(text)
    tap.check('projections do not tell the magnification: 2 is assumed' in text, text)
    tap.check(abs(got[8] / (DISTANCE / PIXEL) - 1) < 0.015 and abs(got[4] - ROLL) < 0.1 and abs(got[6] - YAW) < 0.15, text)
    sinograph('launch', '--quiet', '--device=native', f'{source(words="")} ! find-geometry ! reconstruct ! write path={PATH}/volume.h5 overwrite=true')
    with h5py.File(PATH / 'volume.h5') as file:
        got = file['exchange/data'][:]
    with h5py.File(PATH / 'true.h5') as file:  # the same object, in other units
        want = file['exchange/data'][:]
    middle = (len(got) - len(want)) // 2
    match = np.corrcoef(got[middle + len(want) // 2].ravel(), want[len(want) // 2].ravel())[0, 1]
    tap.check(got.shape[1:] == want.shape[1:] and match > 0.97, f'{got.shape}, {want.shape}: {match}')


def test_parallel():
    text = sinograph_fails('launch', '--device=native', 'simulate width=96 height=64 projections=100 angles=0:360 ! find-geometry ! null')
    tap.check('the beam is almost parallel' in text and 'give source-origin= and origin-detector=' in text, text)


def test_turns():
    """Repeated directions have no more harmonics than one turn of them."""
    scan = 'simulate width=96 height=64 angles=0:1080 projections=180 source-origin=300 origin-detector=200 detector-roll=1 axis=47 ! find-geometry'
    got = numbers(said(scan))
    tap.check(abs(got[0] - 47) < 0.1 and abs(got[4] - 1) < 0.1 and abs(got[6]) < 0.5 and abs(got[8] / 500 - 1) < 0.1, f'{got}')


def test_given_pitch_stays():
    """Of a smooth object without noise a pitch of 12 degrees would fit best."""
    got = numbers(said('simulate width=192 height=150 projections=200 angles=0:360 source-origin=750 origin-detector=500 axis=95 detector-roll=0.5 ! find-geometry'))
    tap.check(abs(got[10]) <= 3 and abs(got[4] - 0.5) < 0.05 and abs(got[6]) < 0.1, f'{got}')


def test_given_row_stays():
    """A roll that takes all planes off a low detector: no row is found, and none is made up."""
    text = said('simulate width=160 height=16 projections=90 angles=0:360 source-origin=1000 origin-detector=1000 detector-roll=8 ! find-geometry')
    tap.check('middle row 8.0' in text and 'do not show the middle row' in text, text)


def test_bins_and_sinograms():
    """The same from sinograms, and from rows that come in parts."""
    whole = said(f'{source()} ! find-geometry')
    tap.check(numbers(said(f'{source()} ! interleave ! find-geometry')) == numbers(whole), 'sinograms')
    needs = float(re.search(r'needs ([\d.]+) MiB', sinograph_fails('launch', '--device=native', '--memory=1M', f'{source()} ! find-geometry ! null'))[1])
    tap.check(numbers(said(f'{source()} ! find-geometry', f'--memory={needs + 16:.0f}M')) == numbers(whole), 'little memory')


def test_fan():
    """One row: the axis, the yaw and the distance."""
    flat = projections([part for part in ellipsoids() if abs(part[2]) < 1e-9] + [(2, 1, 0, 1, .7, 9, 0, .1), (-2.5, 2, 0, .5, .6, 9, 0, .2), (.5, -3, 0, .4, .4, 9, 0, .3)],
                       ANGLES, roll=0, pitch=0)[:, 29:30]
    saved('fan', flat, ANGLES)
    text = said(f'{source("fan")} ! find-geometry')
    match = re.search(rf'axis {NUMBER} \+- {NUMBER}, yaw {NUMBER} \+- {NUMBER} degrees, source to detector {NUMBER} \+- {NUMBER} %; the scan gives', text)
    tap.check(match, text)
    axis, axis_error, yaw, yaw_error, distance, error = map(float, match.groups())
    print(f'# {text.strip()}', flush=True)
    tap.check(abs(axis - AXIS) < 4 * axis_error + 0.03 and abs(yaw - YAW) < 4 * yaw_error and abs(distance / DISTANCE - 1) < 0.04 * error, text)


def test_truncated():
    saved('wide', projections(ellipsoids(1.6), ANGLES), ANGLES)
    text = said(f'{source("wide")} ! find-geometry')
    near(text, (0.05, 5, 0.1, 0.2, 0.1))
    tap.check('the object extends beyond the detector' in text, text)
    failed = sinograph_fails('launch', '--strict', '--device=native', f'{source("wide")} ! find-geometry ! null')
    tap.check('in doubt' in failed, failed)


def test_not_found():
    saved('half', FRAMES[:VIEWS // 2 + 10], ANGLES[:VIEWS // 2 + 10])
    text = said(f'{source("half")} ! find-geometry')
    tap.check('the geometry was not found, because the projections do not cover a whole turn' in text, text)
    saved('backwards', FRAMES, -ANGLES)
    text = said(f'{source("backwards")} ! find-geometry')
    tap.check('the geometry was not found' in text and 'that of the scan is used' in text, text)
    saved('noise', np.random.default_rng(1).normal(1, 0.1, FRAMES.shape).astype('f4'), ANGLES)
    text = said(f'{source("noise")} ! find-geometry')
    tap.check('the geometry was not found, because opposite rays have only' in text, text)
    for line, words in {f'{source("half", "")} ! find-geometry': 'give source-origin= and origin-detector=',
                        f'{source()} helical-pitch=3 ! find-geometry': None,
                        f'read path={PATH}/scan.h5 values=counts ! find-geometry': 'flat-field'}.items():
        if words:
            text = sinograph_fails('launch', '--device=native', f'{line} ! null')
            tap.check(words in text, text)
        else:
            text = said(line)
            tap.check('do not move in a circle' in text, text)


def test_passed_on():
    """The stream has the geometry that was found: its views, the axis, and the size of a pixel."""
    sinograph('launch', '--quiet', '--device=native', f'{source()} ! find-geometry magnification=2 ! write path={PATH}/found.h5 overwrite=true')
    text = said(f'read path={PATH}/found.h5 ! find-geometry')
    given = re.search(rf'the scan gives axis {NUMBER}, middle row {NUMBER}, roll {NUMBER}, yaw {NUMBER} degrees, source to detector {NUMBER}', text)
    got = numbers(text)
    for i, value in enumerate(float(word) for word in given.groups()):
        tap.check(abs(value - got[2 * i]) < 0.6 if i == 1 else abs(value - got[2 * i]) < 0.02 * max(1, abs(value) / 10), f'{i}: {text}')


tap.main(globals())
