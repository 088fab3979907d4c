#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""`sinograph reconstruct FILE` of each scanner's files: a few balls must come out at their places, unmirrored and with their
attenuation. Costs 10 s, whole 40 s."""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'tasks'))
import hospital_scans as hospital
import numpy as np
import scanner_scans as scans
import tap
from draw import drawn
from program import at_most, sinograph, sinograph_fails, slices

FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)


def check_balls(volume, voxel, balls, what, least=0):
    """Centres within a quarter of a voxel, values within 1 %: FDK's own errors at these balls are half of that at most. Positions count from the middle
    of the volume."""
    for x, y, z, radius, density in balls:
        place = [n / 2 - 0.5 + at for n, at in zip(volume.shape, (z, y, x))]
        grid = np.stack(np.meshgrid(*map(np.arange, volume.shape), indexing='ij'), -1) - place
        away = np.linalg.norm(grid, axis=-1)
        inside = (away < radius + 3) & (volume > density / 2)
        tap.check(inside.any(), f'{what}: no ball near {x}, {y}, {z}')
        at_most(np.abs(grid[inside].mean(0)).max(), 0.25, f'{what}: ball {radius:g}, distance from its place in voxels')
        at_most(abs(volume[away < 0.7 * radius].mean() / density - 1), 0.01, f'{what}: ball {radius:g}, error of its value')


def check(scan, made, what, *words):
    out = Path('out')
    sinograph('reconstruct', '--device=native', scan, out, '--overwrite', *words)
    voxel, balls = made
    check_balls(slices(out / 'slices'), voxel, balls, what)


def test_nikon():
    """Both turning directions; an axis beside the middle; a detector beside the ray; a leaning axis, by its new and its old keys."""
    for i, settings in enumerate(drawn([dict(), dict(step=-2.4, offset=-0.6), dict(detector=(2.4, -3.1), first=0), dict(roll=1.3), dict(tilt=1.5),
                                        dict(roll=-1.1, old=True)], 3)):
        check(f'nikon{i}/Probe.xtekct', scans.nikon(f'nikon{i}', **settings), f'Nikon {settings}')


def test_folder():
    """The one file of a folder that describes its scan; two of them are a question. Wrong signs do not pass these checks."""
    made = scans.nikon('folder', offset=-0.8)
    Path('folder/notes.log').write_text('nothing')
    check('folder', made, 'folder')
    text = Path('folder/Probe.xtekct').read_text()
    for right, wrong in ('ObjectOffsetX=-0.8', 'ObjectOffsetX=0.8'), ('AngularStep=2.4', 'AngularStep=-2.4'), ('DetectorOffsetY=0.0', 'DetectorOffsetY=1'):
        tap.check(right in text, right)
        Path('folder/Probe.xtekct').write_text(text.replace(right, wrong))
        try:
            check('folder', made, wrong)
        except AssertionError as error:
            tap.check('ball' in str(error), error)
        else:
            raise AssertionError(f'{wrong} makes no difference')
    scans.skyscan('folder', count=3, step=120)
    said = sinograph_fails('reconstruct', 'folder', 'out', '--overwrite')
    tap.check("'folder' has 2 files that describe a scan, 'Probe.xtekct' and 'probe.log': give one of them instead of the folder" in said.replace(os.getcwd() + '/', ''), said)


def test_skyscan():
    """Cone and parallel beams; both turning directions; shifts of each image; a short scan; images after the turn."""
    rng = np.random.default_rng(1)
    for i, settings in enumerate(drawn([dict(), dict(direction='CW', alignment=-3.5, line=52), dict(shifts=rng.uniform(-4, 4, (150, 2))),
                                        dict(count=85), dict(source=1e5, camera=2e5, step=1.2), dict(extra=3)], 3)):
        check(f'skyscan{i}/probe.log', scans.skyscan(f'skyscan{i}', **settings), f'SkyScan {settings.keys()}')


def test_zeiss():
    rng = np.random.default_rng(2)
    for settings in drawn([dict(), dict(step=-2.4, centre=-2.5, references=2), dict(shifts=rng.uniform(-4, 4, (150, 2))),
                           dict(parallel=True, step=1.2, shifts=rng.uniform(-3, 3, (150, 2)))], 2):
        check('scan.txrm', scans.zeiss('scan.txrm', **settings), f'Zeiss {settings.keys()}')


def test_varian():
    """Uncompressed and compressed images, one without pixels; detectors displaced in each image, and half fans."""
    for i, (write, settings, file, *words) in enumerate(drawn([
            (hospital.truebeam, dict(), 'Scan.xml', '--flats=DIR/air.xim'), (hospital.truebeam, dict(forwards=False), 'Scan.xml', '--flats=DIR/air.xim'),
            (hospital.obi, dict(), 'ProjectionInfo.xml'), (hospital.obi, dict(compressed=False, half=False), 'ProjectionInfo.xml', '--flats=DIR/air.hnc')], 2)):
        made = write(f'varian{i}', **settings)
        check(f'varian{i}/{file}', made, f'Varian {settings}', *(word.replace('DIR', f'varian{i}') for word in words))


def test_elekta():
    check('xvi/_Frames.xml', hospital.xvi('xvi'), 'Elekta')


if __name__ == '__main__':
    tap.main(globals())
