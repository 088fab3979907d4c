#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Whole scans in any geometry, from exact projections of ellipsoids to the volume, against the ellipsoids. Costs 15 to 25 s;
whole, 50 s."""
import json
import re
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap
from draw import drawn, in_turn
from program import at_least, at_most, in_little_memory, sinograph, sinograph_fails

HEAD = [((0, 0, 0), (.69, .92, .9), 0, 1), ((0, 0, 0), (.6624, .874, .88), 0, -.8), ((-.22, 0, -.25), (.41, .16, .21), 108, -.2),
        ((.22, 0, -.25), (.31, .11, .22), 72, -.2), ((0, .35, -.25), (.21, .25, .5), 0, .2), ((0, .1, -.25), (.046, .046, .046), 0, .2)]
N = 128
# Voxels are as wide as a detector column at the axis, 2 mm.
BEAM = 'source-origin=1000 origin-detector=536 pixel-size=3.072'
FDK = 'cone-weight ! ramp-filter ! cone-back-project'


class Runs:
    """Results of launch lines, and files of objects for them."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def volume(self, line):
        sinograph('launch', '--quiet', '--device=native', f'{line} ! write path={self.path}/out.h5 overwrite=true')
        with h5py.File(self.path / 'out.h5') as file:
            return file['exchange/data'][:].astype(np.float64)

    def object(self, parts, scale=1.0):
        """Ellipsoids (centre, half axes, degrees, value), made larger."""
        path = self.path / 'object.json'
        path.write_text(json.dumps([{'centre': [scale * c for c in centre], 'half-axes': [scale * a for a in axes],
                                     'rotation': turn, 'value': value} for centre, axes, turn, value in parts]))
        return path


def psnr(got, wanted):
    return 10 * np.log10(wanted.max() ** 2 / np.mean((got - wanted) ** 2))


def check_head(angles, least, chain=FDK):
    with Runs() as runs:
        wanted = runs.volume(f'phantom object=shepp-logan-3d width={N} height={N} density=1 supersampling=2')
        got = 2 * runs.volume(f'simulate object=shepp-logan-3d width={N} height={N} projections=180 angles={angles} {BEAM} density=1'
                              f' ! {chain}')
    at_most(np.abs(got - wanted).mean() * N / 2, 0.03, 'mean error')  # values are per half width
    at_least(psnr(got, wanted), least, 'PSNR')


def test_full_scan():
    check_head('0:360', 26)


def test_short_scan():
    for angles in drawn(('0:210', '210:0'), 2):
        check_head(angles, 24)


def test_reconstruct():
    check_head('0:360', 26, 'reconstruct')


def test_fast():
    """accuracy=fast blurs a little: what its page says."""
    in_turn(0, 5)
    with Runs() as runs:
        wanted = runs.volume(f'phantom object=shepp-logan-3d width={N} height={N} density=1 supersampling=2')
        scan = (f'simulate object=shepp-logan-3d width={N} height={N} projections=512 angles=0:360 density=1 source-origin=3000 origin-detector=300 pixel-size=1.1'
                ' ! cone-weight ! ramp-filter ! cone-back-project')
        exact, fast = (runs.volume(f'{scan} accuracy={how}') for how in ('exact', 'fast'))
    edges = sum(np.abs(np.diff(wanted, axis=axis, prepend=0)) > 0.02 * wanted.max() for axis in range(3)) > 0
    at_most(np.linalg.norm(fast - exact) / np.linalg.norm(exact), 3e-2, 'difference to the exact kernel')
    at_least(np.linalg.norm(fast - exact) / np.linalg.norm(exact), 1e-3, 'difference to the exact kernel')
    at_most(np.linalg.norm((fast - wanted)[edges]) / np.linalg.norm((exact - wanted)[edges]), 1.015, 'error at edges, to that of the exact kernel')


def test_accuracy():
    """On the CPU accuracy=exact gives the bytes of auto, also from JSON. 'reconstruct' asks for it by a small number. 2 s."""
    scan = f'simulate object=shepp-logan-3d width=32 height=32 projections=40 angles=0:360 {BEAM}'
    with Runs() as runs:
        line = f'{scan} ! {FDK} accuracy='
        exact = runs.volume(f'{line}exact')
        assert (runs.volume(f'{line}auto') == exact).all() and (runs.volume(f'{scan} ! {FDK}') == exact).all()
        sinograph('launch', f'--save={runs.path}/graph.json', f'{line}exact ! write path={runs.path}/json.h5 overwrite=true')
        told = json.loads((runs.path / 'graph.json').read_text())
        assert told['nodes'][-2]['properties'] == {'accuracy': 'exact'}, told
        sinograph('run', '--quiet', '--device=native', str(runs.path / 'graph.json'))
        with h5py.File(runs.path / 'json.h5') as file:
            assert (file['exchange/data'][:] == exact).all()
        for words, parts in ('', {}), ('accuracy=2e-4', {'accuracy': 'exact'}):
            runs.volume(f'{scan} ! reconstruct {words}')
            with h5py.File(runs.path / 'out.h5') as file:
                told = json.loads(file['exchange/data'].attrs['provenance'])['expanded']['reconstruct']['nodes']
            assert told[-1].get('properties', {}) == parts, (words, told)
    error = sinograph_fails('check', f'{scan} ! reconstruct accuracy=0.01 ! null')
    assert 'accuracy=0.01 is not for a cone' in error, error
    error = sinograph_fails('check', f'{scan} ! {FDK} accuracy=most ! null')
    assert 'auto, exact, fast' in error, error


def test_offset_detector():
    """The detector sees 20 columns on one side of the axis, and 64 on the other."""
    columns = 84
    with Runs() as runs:
        wanted = runs.volume(f'phantom object={runs.object(HEAD)} width={N} height={N} density=1 supersampling=2')
        scan = (f'simulate object={runs.object(HEAD, N / columns)} width={columns} height={N} projections=360 angles=0:360 axis=20 '
                f'{BEAM} density={columns / N}')
        got, alike = (2 * runs.volume(f'{scan} ! cone-weight {words} ! ramp-filter ! cone-back-project size={N}')
                      for words in ('', 'offset-detector=no'))
    at_least(psnr(got, wanted), 24, 'PSNR')
    at_most(psnr(alike, wanted), 20, 'PSNR without weights for it')


def test_attenuation():
    """In the plane of the orbit the reconstruction is exact but for noise of sampling, however the detector stands."""
    n, rows, beam = 256, 64, 'source-origin=1000 origin-detector=536 pixel-size=1.536'
    with Runs() as runs:
        wanted = runs.volume(f'phantom object=shepp-logan-3d width={n} height={rows} density=1')[31]
        y, x = np.mgrid[:n, :n] - (n - 1) / 2
        for words in drawn(('', 'detector-yaw=-12 axis=130', 'detector-pitch=10', 'detector-roll=4', 'middle-row=20'), 3):
            got = runs.volume(f'simulate object=shepp-logan-3d width={n} height={rows} projections=720 angles=0:360 {beam} density=1 '
                              f'{words} ! {FDK} roi-z=31 roi-depth=1 voxel-size=1')[0]
            for radius in 30, 80:
                inside = (np.hypot(x, y) < radius) & (np.abs(wanted - 0.2 / (n / 2)) < 1e-9)
                at_most(abs(got[inside].mean() / wanted[inside].mean() - 1), 0.01, f'{words}: error of {inside.sum()} pixels')


def fan_reference(rows, axis, distance, detector, size):
    """Filtered back-projection of a fan beam in float64, after Kak and Slaney (1988), section 3.4.2, at the axis' scale."""
    views, columns = rows.shape
    scale = distance / (distance + detector)  # of columns at the axis
    s = (np.arange(columns) + 0.5 - axis) * scale
    n = np.arange(-columns + 1, columns)
    ramp = np.where(n == 0, 0.25, np.where(n % 2 == 0, 0, -1 / (np.pi * np.where(n == 0, 1, n)) ** 2)) / scale ** 2
    weighted = rows * distance / np.hypot(distance, s)
    y, x = np.mgrid[:size, :size] + 0.5 - size / 2
    x, y, total = x * scale, y * scale, np.zeros((size, size))
    for i in range(views):
        filtered = np.convolve(weighted[i], ramp)[columns - 1:2 * columns - 1] * scale
        angle = 2 * np.pi * i / views
        depth = (distance + x * np.sin(angle) + y * np.cos(angle)) / distance
        at = (x * np.cos(angle) - y * np.sin(angle)) / depth
        total += np.interp(at / scale + axis - 0.5, np.arange(columns), filtered, 0, 0) / depth ** 2
    return total * np.pi / views


def test_fan_beam():
    """One row, no number that says so."""
    in_turn(1, 5)
    columns, disc = 560, ((.2, -.1, 0), (.55, .55, 1e3), 0, 1)
    scan = f'width={columns} height=1 projections=720 angles=0:360 density=1 axis=283.4 source-origin=900 origin-detector=500'
    with Runs() as runs:
        scan = f'simulate object={runs.object([disc])} {scan}'
        rows = runs.volume(scan)[:, 0]
        got = runs.volume(f'{scan} ! cone-weight offset-detector=no ! ramp-filter window=ram-lak ! cone-back-project')[0]
        assert np.array_equal(runs.volume(f'{scan} ! reconstruct offset-detector=no')[0], got)
    wanted = fan_reference(rows, 283.4, 900, 500, columns)
    y, x = np.mgrid[:columns, :columns] + 0.5 - columns / 2
    inside = np.hypot(x - .2 * columns / 2, y - .1 * columns / 2) < .5 * columns / 2
    at_most(np.abs(got[inside].mean() / (1 / (columns / 2 * 900 / 1400)) - 1), 0.01, 'error of the disc')
    circle = np.hypot(x, y) < 250
    at_least(np.corrcoef(got[circle], wanted[circle])[0, 1], 0.9999, 'correlation with float64')
    at_most(np.abs(got - wanted)[circle].max() / wanted.max(), 1e-4, 'largest difference')


def test_rows_of_a_slab():
    """16 slices at the edge of the volume read the rows of the detector that they are seen on, and two more on either side."""
    views, source, detector, pixel, voxel = 36, 1000, 1536, 3.072, 2
    corner = np.hypot(*[(N - 1) / 2 * voxel] * 2)
    with Runs() as runs:
        scan = runs.path / 'scan.h5'
        sinograph('launch', '--quiet', '--device=native',
                  f'simulate width={N} height={N} projections={views} angles=0:360 {BEAM} ! write path={scan}')
        for first in 0, N - 16:
            z = (np.array([first, first + 15]) - (N - 1) / 2) * voxel
            seen = np.clip([z * detector / (source + side * corner) / pixel + N / 2 - 0.5 for side in (-1, 1)], 0, N - 1)
            rows = np.floor(seen.max()) + 2 - np.floor(seen.min())
            said = sinograph('launch', '--stats', '--device=native', f'read path={scan} ! reconstruct size={N} roi-z={first} roi-depth=16 ! null')
            got = int(re.search(r'bytes-read=(\d+)', said)[1]) / (views * N * 4)
            at_least(got, rows, 'rows read')
            at_most(got, rows + 4, 'rows read')
            at_most(got, N / 2 - 1, 'rows read')


def test_laminography():
    """Every sphere of a flat object is where it was, in a parallel and in a cone beam."""
    spheres = [((.5, .1, .05), (.08,) * 3, 0, 1), ((-.3, .4, -.03), (.08,) * 3, 0, 1), ((-.1, -.5, .02), (.08,) * 3, 0, 1),
               ((.05, .03, -.06), (.08,) * 3, 0, 1)]
    for beam in drawn(('axis-tilt=30', 'axis-tilt=30 source-origin=600 origin-detector=300'), 2):
        with Runs() as runs:
            got = runs.volume(f'simulate object={runs.object(spheres)} width={N} height={N} projections=240 angles=0:360 {beam}'
                              f' ! {FDK} slices=32')
        z, y, x = np.mgrid[:32, :N, :N] - np.array([15.5, 63.5, 63.5]).reshape(3, 1, 1, 1)
        for centre, (radius, _, _), _, _ in spheres:
            middle = [64 * centre[0], -64 * centre[1], -64 * centre[2]]
            near = sum((a - m) ** 2 for a, m in zip((x, y, z), middle)) < (1.5 * 64 * radius) ** 2
            weight = np.where(near, np.maximum(got - 0.5 * got[near].max(), 0), 0)
            found = [(weight * a).sum() / weight.sum() for a in (x, y, z)]
            at_most(np.abs(np.subtract(found, middle)).max(), 0.1, f'{beam}: voxels off its place')


def test_helix():
    """Six turns of an object that is longer than the detector; each slice has a turn of its own."""
    in_turn(2, 5)
    body = [((0, 0, 0), (.7, .8, 2.5), 0, 1)]
    body += [((.3 * np.cos(k), .3 * np.sin(k), k * .25 - 1.5), (.2, .15, .1), 0, 1 - .5 * k % 2) for k in range(13)]
    with Runs() as runs:
        wanted = runs.volume(f'phantom object={runs.object(body)} width={N} height=160 density=1 supersampling=2')
        got = runs.volume(f'simulate object={runs.object(body)} width={N} height=64 projections=1080 angles=-1080:1080 density=1 '
                          f'source-origin=600 origin-detector=300 pixel-size=1.5 helical-pitch=30 ! {FDK} slices=160')
    for z in range(0, 160, 40):
        at_least(psnr(got[z:z + 40], wanted[z:z + 40]), 24, f'PSNR of slices {z} to {z + 40}')


def test_memory():
    """As little memory as will do, and any threads, change no bit."""
    line = f'simulate object=shepp-logan-3d width=64 height=64 projections=60 angles=0:360 {BEAM} axis-tilt=3 ! {FDK} mask=true'
    with Runs() as runs:
        def run(*words):
            sinograph('launch', '--quiet', '--device=native', *words, f'{line} ! write path={runs.path}/out.h5 overwrite=true')
            with h5py.File(runs.path / 'out.h5') as file:
                return file['exchange/data'][:].tobytes()
        wanted = run('--threads=2')
        tap.check(run('--threads=1') == wanted, 'one thread makes other bytes than two')
        little = in_little_memory(run, 'native', f'{line} ! write path={runs.path}/other.h5')
        tap.check(little == wanted, 'little memory makes other bytes')


def test_kept():
    """Where every slab sees most rows, filtered projections are kept in memory, or in a file where filtering them again is
    dearer; no bit depends on it."""
    with Runs() as runs:
        scan = runs.path / 'scan.h5'
        sinograph('launch', '--quiet', f'simulate width=64 height=64 projections=160 angles=0:360 axis-tilt=60 {BEAM} ! write path={scan}')
        for before, place in drawn((('', 'memory'), ('median ! median !', 'a scratch file')), 2):
            line = f'read path={scan} ! {before} {FDK} size=132 slices=84 ! write path={runs.path}/out.h5 overwrite=true'

            def run(*words):
                sinograph('launch', '--quiet', '--device=native', *words, line)
                with h5py.File(runs.path / 'out.h5') as file:
                    return file['exchange/data'][:].tobytes()
            least = float(re.search(r'needs ([\d.]+) MiB', sinograph_fails('plan', '--device=native', '--memory=1M', line))[1])
            plan, got = '', None
            for spare in range(-8, 50, 2):  # what a process has before its run differs by some MiB from one to the next
                try:
                    plan = sinograph('plan', '--device=native', f'--memory={least + spare}M', line)
                    if re.search(f"materialised: the output of 'ramp-filter'.* in {place}", plan):
                        got = run(f'--memory={least + spare}M')
                        break
                except AssertionError as error:
                    if 'more than the memory limit' not in str(error):
                        raise
            tap.check(got is not None, f'nothing is kept in {place}:\n{plan}')
            tap.check(got == run(), f'what is kept in {place} makes other bytes')


def check_said(line, wanted):
    said = sinograph_fails('launch', f'{line} ! null')
    tap.check(wanted in said, f'{line}\nsays {said}')


def test_refusals():
    """What would be reconstructed as something else is refused."""
    scan = f'simulate width=32 height=8 projections=90 angles=0:360 {BEAM}'
    for chain, said in {
            'interleave ! back-project': "'back-project', fed by 'interleave': wants a parallel beam at right angles to the axis",
            'interleave ! reconstruct': 'wants projections of a cone or tilted beam, got f32 sinograms',
            'reconstruct axis=3': "'reconstruct': axis=3 is not for a cone or tilted beam: the geometry of the source gives it",
            'reconstruct precision=int16': 'precision=int16 is not for a cone or tilted beam: leave it out',
            'reconstruct method=fourier': 'method=fourier is not for a cone or tilted beam: give method=direct or method=auto',
            'cone-back-project weights=adjoint variant=image': "variant=image does not have weights=adjoint: leave it out",
            'cone-back-project weights=adjoint size=707': 'the source moves through the volume',
            'cone-back-project size=4000': 'the source moves through the volume: give a smaller size, slices or voxel-size',
    }.items():
        check_said(f'{scan} ! {chain}', said)
    check_said(f'simulate width=32 height=8 projections=9 angles=0:0 {BEAM} ! {FDK}', 'all 9 projections have the same angle, 0 degrees')
    check_said(f'simulate width=32 height=32 projections=4 angles=0:3600 {BEAM} helical-pitch=-80 ! {FDK}',
               'there are 0.4 projections in a turn: at least 3 are needed')
    check_said('simulate width=32 ! reconstruct slices=3', 'slices=3 is not for a parallel beam at right angles to its axis')


tap.main(globals())
