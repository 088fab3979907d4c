#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Volumes of whole runs: in 16 bits by a range that is found, with attenuation per mm and the voxels of a cone beam. Costs 8 s."""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'graphs'))
import h5py
import numpy as np
import tap
import tifffile
from program import at_most, sinograph, sinograph_fails

FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)
# A ball seen by a cone beam, whose columns of 0.4 mm are 0.25 mm wide at the axis. A value of 1 attenuates by 2 along half
# the width, which is 8 mm: by 0.25 per mm.
SOURCE, DETECTOR, PITCH, SIZE = 500., 300., 0.4, 64
VOXEL = PITCH * SOURCE / (SOURCE + DETECTOR)
ATTENUATION = 2 / (SIZE / 2 * VOXEL)
Path('ball.json').write_text('[{"half-axes": [0.6, 0.6, 0.6], "value": 1}]')
sinograph('launch', '-q', f'simulate object=ball.json width={SIZE} height={SIZE} projections=180 angles=0:360 source-origin={SOURCE} '
          f'origin-detector={DETECTOR} pixel-size={PITCH} ! write path=cone.h5')
CONE = 'read path=cone.h5 values=attenuation ! reconstruct'
# The pattern of sizes in each kind of file, in mm, with the factor that brings its number to mm.
TEXTS = {'v.mhd': (r'ElementSpacing = (\S+)', 1), 'v.nrrd': (r'space directions: \((\S+?),', 1), 'v.nhdr': (r'space directions: \((\S+?),', 1),
         'v.vgi': (r'resolution = (\S+)', 1), 'v.ome.tif': (r'PhysicalSizeX="(\S+)"', 1)}


def test_the_voxels_of_a_cone_beam():
    """The width of a column at the axis, not that of the detector's."""
    for name, (pattern, factor) in TEXTS.items():
        sinograph('launch', '-q', f'{CONE} ! write path={name} unit=mm overwrite=true')
        found = re.search(pattern, Path(name).read_bytes().decode('latin1'))
        at_most(abs(float(found[1]) * factor / VOXEL - 1), 1e-6, name)
    sinograph('launch', '-q', f'{CONE} ! write path=v.tif unit=mm   reconstruct. ! write path=v.h5 unit=mm   reconstruct. ! write path=v.zarr unit=mm')
    with tifffile.TiffFile('v.tif') as tiff:
        above, below = tiff.pages[0].tags['XResolution'].value
        at_most(abs(10 * below / above / VOXEL - 1), 1e-9, 'TIFF, in pixels per cm')
        at_most(abs(10 * tiff.imagej_metadata['spacing'] / VOXEL - 1), 1e-9, 'ImageJ, in cm')
        tap.same(tiff.imagej_metadata['vunit'], '1/mm')
    with h5py.File('v.h5') as file:
        words = file['exchange/data'].attrs
        at_most(np.abs(words['element_size_um'] / 1000 / VOXEL - 1).max(), 1e-9, 'HDF5')
        tap.same(words['units'], '1/mm')
    scales = json.loads(Path('v.zarr/.zattrs').read_text())['multiscales'][0]
    at_most(np.abs(np.array(scales['datasets'][0]['coordinateTransformations'][0]['scale']) / VOXEL - 1).max(), 1e-9, 'Zarr')


def test_attenuation_comes_back_per_mm():
    """The middle of the ball has its attenuation per mm within 1 %, in floats and as it comes back from 16 bits."""
    sinograph('launch', '-q', f'{CONE} ! write path=float.h5 unit=mm')
    with h5py.File('float.h5') as file:
        truth = file['exchange/data'][:]
    middle = slice(SIZE // 2 - 4, SIZE // 2 + 4)
    at_most(abs(truth[middle, middle, middle].mean() / ATTENUATION - 1), 0.01, 'attenuation per mm')
    low, high = truth.min() - 1e-3, truth.max() + 1e-3
    for name in 'g.tif', 'g.nrrd', 'g.vgi', 'g.zarr', 'g.mhd', 'g.ome.tif':
        sinograph('launch', '-q', f'{CONE} ! write path={name} type=u16 range={low}:{high} unit=mm')
        sinograph('launch', '-q', f'read path={name} axes=slices ! write path=back.h5 overwrite=true')
        with h5py.File('back.h5') as file:
            at_most(np.abs(file['exchange/data'][:] - truth).max(), 0.51 * (high - low) / 65535, name)
            tap.same(file['exchange/data'].attrs['units'], '1/mm')


def found_range(said):
    words = re.search(r'(\S+)(?: 1/\w+)? becomes 0, and (\S+)(?: 1/\w+)? becomes (\d+)', said)
    tap.check(words is not None, said)
    return float(words[1]), float(words[2])


def launch(line, *options):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', *options, line], capture_output=True, text=True)
    tap.check(done.returncode == 0, done.stderr)
    return done.stderr


def test_a_range_is_found():
    """It holds nearly all values, has three digits, and is the same for any memory and number of threads."""
    sinograph('launch', '-q', f'{CONE} ! write path=truth.h5 unit=mm overwrite=true')
    with h5py.File('truth.h5') as file:
        truth = file['exchange/data'][:]
    for kind, top in ('u16', 65535), ('u8', 255):
        low, high = found_range(launch(f'{CONE} ! write path=found.h5 type={kind} unit=mm overwrite=true'))
        with h5py.File('found.h5') as file:
            grey, words = file['exchange/data'][:], dict(file['exchange/data'].attrs)
        np.testing.assert_allclose((words['scale_factor'], words['add_offset']), ((high - low) / top, low), rtol=1e-6)
        inside = np.mean((truth >= low) & (truth <= high))
        tap.check(inside > (0.9999 if kind == 'u16' else 0.99), f'{kind}: {inside}')
        np.testing.assert_array_equal(grey, np.rint((np.clip(truth.astype(float), low, high) - low) * (top / (high - low))))
        used = (np.percentile(truth, 99.9) - np.percentile(truth, .1)) / (high - low)
        tap.check(used > 0.15, f'{kind}: the range is {1 / used:.3g} times as wide as the values')
        for options in ('--threads=1', '--memory=200M'), ('--threads=2',):
            tap.same(found_range(launch(f'{CONE} ! write path=again.h5 type={kind} unit=mm overwrite=true', *options)), (low, high))
            tap.same(Path('again.h5').read_bytes(), Path('found.h5').read_bytes())


def test_wild_pixels_do_not_widen_it():
    """Of floats in a file; what is beyond is counted."""
    volume = np.random.default_rng(1).normal(1, .1, (21, 50, 60)).astype(np.float32)
    volume[10, 3, 4], volume[10, 5, 5], volume[3, :2] = 1e6, -1e6, 0
    with h5py.File('wild.h5', 'w') as file:
        file['exchange/data'] = volume
    said = launch('read path=wild.h5 axes=slices ! write path=grey.h5 type=u16')
    low, high = found_range(said)
    tap.check(-1 < low < .7 and 1.3 < high < 4.5, f'{low} {high}')
    beyond = int(((volume < low) | (volume > high)).sum())
    tap.check(f'{beyond} values (' in said and 'were clipped' in said, said)
    with h5py.File('wild.h5', 'a') as file:
        file['exchange/data'][...] = np.nan
    said = sinograph_fails('launch', 'read path=wild.h5 axes=slices ! write path=none.h5 type=u16')
    tap.check('the examined rows hold only zeros, NaN or infinite values: set range=min:max' in said, said)
    tap.check(not Path('none.h5').exists(), 'a file is left')


def test_reconstruct():
    """The command does it by itself, and says it on the page."""
    done = subprocess.run([os.environ['SINOGRAPH'], 'reconstruct', '--device=native', 'cone.h5', 'out', '--values=attenuation', '--type=u16', '--unit=mm',
                           '--volume=ball.vgi'], capture_output=True, text=True)
    tap.check(done.returncode == 0, done.stderr)
    low, high = found_range(done.stderr)
    tap.check('resolution = 0.25 0.25 0.25\nunit = mm' in Path('out/ball.vgi').read_text(), 'voxels')
    tap.same(Path('out/ball.vol').stat().st_size, 2 * SIZE**3)
    tap.check('out: ball.vgi, preview.png, report.html, graph.json' in done.stdout, done.stdout)
    sinograph('launch', '-q', 'read path=out/ball.vgi axes=slices ! write path=ball.h5')
    with h5py.File('ball.h5') as file, h5py.File('truth.h5') as truth:
        tap.check(np.abs(file['exchange/data'][:] - np.clip(truth['exchange/data'][:], low, high)).max() <= .51 * (high - low) / 65535, 'values')


tap.main(globals())
