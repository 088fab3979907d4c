#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Folders as people lay scans out: what each group of files is taken for, what is asked, and that the slices are those of
the scan. Costs 9 s."""
import os
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'graphs'))
import numpy as np
import tap
import tifffile
from program import at_least, at_most, sinograph, sinograph_fails, slices

FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)
N, ROWS, ANGLES, AXIS = 160, 2, 180, 77.3
DISCS = (0, 0, 56, 1.0), (20, 12, 12, .8), (-22, 18, 9, -.6), (-6, -28, 10, .7), (30, -20, 7, 1.2)  # x, y, radius, value
MU = 2 / N


def attenuation():
    """Integrals along the rays, exact."""
    u, t = np.arange(N) + .5 - AXIS, np.deg2rad(np.arange(ANGLES))[:, None]
    out = np.zeros((ANGLES, N))
    for x, y, r, v in DISCS:
        s = u - (x * np.cos(t) - y * np.sin(t))
        out += 2 * v * MU * np.sqrt(np.maximum(r * r - s * s, 0))
    return np.repeat(out[:, None], ROWS, 1)


def truth():
    g = (np.arange(4 * N) + .5) / 4 - N / 2
    x, y = np.meshgrid(g, g)
    fine = sum(v * MU * ((x - cx) ** 2 + (y - cy) ** 2 < r * r) for cx, cy, r, v in DISCS)
    return fine.reshape(N, 4, N, 4).mean((1, 3))


RNG = np.random.default_rng(3)
BEAM = 20000 * (1 + .3 * np.sin(np.arange(N) / 30))
LIGHT = np.linspace(1, .8, ANGLES)[:, None, None]  # it falls by a fifth
PROJ = (RNG.poisson(BEAM * np.exp(-attenuation())) + 100).astype('u2')
FALLING = (RNG.poisson(BEAM * LIGHT * np.exp(-attenuation())) + 100).astype('u2')
DARK = np.full((4, ROWS, N), 100, 'u2')


def flats(light=1., count=6):
    return (RNG.poisson(np.broadcast_to(BEAM * light, (count, ROWS, N))) + 100).astype('u2')


FLAT = flats()


def lay_out(folder, **groups):
    """Files of patterns, as 'a/b_%04d.tif'."""
    for pattern, images in groups.pop('files', groups).items():
        for i, image in enumerate(images):
            path = Path(folder, pattern % i if '%' in pattern else pattern)
            path.parent.mkdir(parents=True, exist_ok=True)
            tifffile.imwrite(path, image, photometric='minisblack')
    return folder


def taken(said):
    """What groups were taken for: [(what, files, path)]."""
    return [(what, int(n), path) for what, n, path in re.findall(r'^  (projections|flats after|flats|darks after|darks|angles|left out) +(\d+) files?  +(\S.*)$', said, flags=re.M)]


def is_right(folder, wanted, *words):
    """The groups are those wanted, `inspect` says the same, and the slices are the object."""
    said = sinograph('reconstruct', '--device=native', folder, f'{folder}-out', '--angles=0:180', *words)
    tap.same(sorted(taken(said)), sorted(wanted))
    if not words:
        tap.same(taken(sinograph('inspect', folder)), taken(said))
        tap.check(said.startswith(folder), said)  # is said before all else
    made, true = slices(f'{folder}-out/slices')[0], truth()
    y, x = np.mgrid[:N, :N]
    inside = np.hypot(x - N / 2 + .5, y - N / 2 + .5) < N / 2 - 2
    at_least(np.corrcoef(made[inside], true[inside])[0, 1], .994, folder)
    at_most(np.sqrt(((made - true)[inside] ** 2).mean()) / true.max(), .027, folder)


def test_prefix():
    """All names begin with that of the scan."""
    lay_out('prefix', files={'tomo_%04d.tif': PROJ, 'tomo_flat_%04d.tif': FLAT, 'tomo_dark_%04d.tif': DARK})
    is_right('prefix', [('projections', 180, 'tomo_%04i.tif'), ('flats', 6, 'tomo_flat_%04i.tif'), ('darks', 4, 'tomo_dark_%04i.tif')])
    # The scan's name has a word for darks.
    lay_out('wood', files={'dark_wood_%d.tif': PROJ, 'dark_wood_flat_%d.tif': FLAT, 'dark_wood_dark_%d.tif': DARK})
    is_right('wood', [('projections', 180, 'dark_wood_%i.tif'), ('flats', 6, 'dark_wood_flat_%i.tif'), ('darks', 4, 'dark_wood_dark_%i.tif')])


def test_windows_numbering():
    lay_out('paren', files={'proj/scan (%d).tif': PROJ, 'flat_%d.tif': FLAT, 'dark_%d.tif': DARK})
    is_right('paren', [('projections', 180, 'proj/scan (%i).tif'), ('flats', 6, 'flat_%i.tif'), ('darks', 4, 'dark_%i.tif')])


    lay_out('all paren', files={'My Scan (%d).tif': PROJ, 'My Scan white (%d).tif': FLAT, 'My Scan bias (%d).tif': DARK})
    is_right('all paren', [('projections', 180, 'My Scan (%i).tif'), ('flats', 6, 'My Scan white (%i).tif'), ('darks', 4, 'My Scan bias (%i).tif')])


def test_two_numbers():
    """A number and a time, or an angle, that go with it."""
    for i, image in enumerate(PROJ):
        lay_out('times', files={f'p_{i:04}_at_{3 * i + 17}.TIF': [image]})
        lay_out('degrees', files={f'img-{i}.00deg.tif': [image]})
    lay_out('times', files={'flat.tif': [FLAT], 'dark.tif': [DARK]})
    is_right('times', [('projections', 180, 'p_%04i_at_%i.TIF'), ('flats', 1, 'flat.tif'), ('darks', 1, 'dark.tif')])
    lay_out('degrees', files={'Refs/r%d.tif': FLAT, 'Drks/d%d.tif': DARK})
    is_right('degrees', [('projections', 180, 'img-%i.00deg.tif'), ('flats', 6, 'Refs/r%i.tif'), ('darks', 4, 'Drks/d%i.tif')])


def test_before_and_after():
    """The light falls: flats of one end alone would be wrong by a tenth."""
    lay_out('falls', files={'Tomo/T_%04d.tif': FALLING, 'Dark_Before/D_%d.tif': DARK[:2], 'Dark_After/D_%d.tif': DARK[2:],
                            'Flat_Before/F_%04d.tif': flats(1), 'Flat_After/F_%04d.tif': flats(.8)})
    is_right('falls', [('projections', 180, 'Tomo/T_%04i.tif'), ('flats', 6, 'Flat_Before/F_%04i.tif'), ('flats after', 6, 'Flat_After/F_%04i.tif'),
                       ('darks', 2, 'Dark_Before/D_%i.tif'), ('darks after', 2, 'Dark_After/D_%i.tif')])
    lay_out('words', files={'s_%d.tif': FALLING, 's_drk.tif': [DARK], 's_flatPre_%d.tif': flats(1), 's_flatPost_%d.tif': flats(.8)})
    is_right('words', [('projections', 180, 's_%i.tif'), ('darks', 1, 's_drk.tif'), ('flats', 6, 's_flatPre_%i.tif'), ('flats after', 6, 's_flatPost_%i.tif')])


def test_left_out():
    lay_out('more', files={'img_%04d.tif': PROJ, 'flat_%d.tif': FLAT, 'dark_%d.tif': DARK, 'rec/slice_%d.tif': PROJ[:60], 'test_%d.tif': PROJ[:5]})
    Path('more/log.txt').write_text('3 a.m.')
    is_right('more', [('projections', 180, 'img_%04i.tif'), ('flats', 6, 'flat_%i.tif'), ('darks', 4, 'dark_%i.tif'), ('left out', 60, 'rec/slice_%i.tif: results of a scan, according to its name'),
                      ('left out', 5, 'test_%i.tif: too few to be a scan'), ('left out', 1, 'log.txt: no images')])
    tifffile.imwrite('other.tif', FLAT, photometric='minisblack')
    is_right('more', [('projections', 180, 'img_%04i.tif'), ('left out', 6, 'flat_%i.tif: --flats is given'), ('darks', 4, 'dark_%i.tif'), ('left out', 60, 'rec/slice_%i.tif: results of a scan, according to its name'),
                      ('left out', 5, 'test_%i.tif: too few to be a scan'), ('left out', 1, 'log.txt: no images')], '--flats=other.tif', '--overwrite')


def test_name_of_a_sample():
    """A sample's name may have words for something else."""
    lay_out('foam', files={'open_cell_foam_%d.tif': PROJ, 'flat_%d.tif': FLAT, 'dark_%d.tif': DARK})
    is_right('foam', [('projections', 180, 'open_cell_foam_%i.tif'), ('flats', 6, 'flat_%i.tif'), ('darks', 4, 'dark_%i.tif')])
    folder = lay_out('100% [dry]', files={'p%d.tif': PROJ, 'flat_%d.tif': FLAT, 'dark_%d.tif': DARK})  # marks of patterns
    is_right(folder, [('projections', 180, 'p%i.tif'), ('flats', 6, 'flat_%i.tif'), ('darks', 4, 'dark_%i.tif')])


def test_angles():
    lay_out('told', files={'p_%d.tif': PROJ, 'flat_%d.tif': FLAT, 'dark_%d.tif': DARK})
    np.savetxt('told/angles.csv', np.arange(180.), header='angle', comments='')
    said = sinograph('inspect', 'told')
    tap.check(('angles', 1, 'angles.csv') in taken(said) and '0 to 179 degrees in steps of 1' in said, said)
    # As the text says it, in its unit and for the projections that are taken.
    made = {}
    for name, angles, header, words in ('degrees', np.arange(180.), 'angle', ()), ('radians', np.deg2rad(np.arange(180.)), 'radians', ()), ('some', np.arange(180.), 'angle', ('--projections=0:120',)):
        np.savetxt('told/angles.csv', angles, header=header, comments='# ')
        sinograph('reconstruct', '--device=native', 'told', f'told-{name}', '--axis=77.3', *words)
        made[name] = slices(f'told-{name}/slices')
    at_most(abs(made['radians'] - made['degrees']).max(), 1e-5 * made['degrees'].max(), 'radians')
    sinograph('launch', '-q', '--device=native', 'read path=told/p_%i.tif flats=told/flat_%i.tif darks=told/dark_%i.tif angles=0:120 projections=0:120 axis=77.3 ! flat-field ! reconstruct ! write path=wanted/slice-%05i.tif')
    at_most(abs(made['some'] - slices('wanted')).max(), 1e-5 * made['some'].max(), 'some projections')
    np.savetxt('told/angles.csv', np.deg2rad(np.arange(180.)))
    tap.check('may be radians' in sinograph_fails('reconstruct', 'told', 'told-unsaid'), 'radians that nothing tells')
    np.savetxt('told/angles.csv', np.arange(180.), header='angle', comments='')
    np.savetxt('told/theta.txt', np.arange(180.))
    said = sinograph_fails('inspect', 'told')
    tap.check("several files of angles, 'angles.csv' and 'theta.txt': give one with --angles=" in said, said)


def test_scan_files():
    """A file that may hold a whole scan, in a folder: alone or beside pictures it is taken, beside another scan it is asked."""
    lay_out('one', files={'picture_%d.png.tif': PROJ[:2]})
    sinograph('launch', '-q', 'simulate width=32 height=2 projections=20 type=u16 darks=1 flats=1 ! write path=one/scan.h5')
    tap.same(taken(sinograph('inspect', 'one')), [('projections', 1, 'scan.h5'), ('left out', 2, 'picture_%i.png.tif: too few to be a scan')])
    lay_out('one', files={'p_%d.tif': PROJ})
    tap.check('2 groups of its files may be the projections' in sinograph_fails('inspect', 'one'), 'another scan beside it')


def test_asked():
    """Where names do not say what is what, it is asked, with the groups and how they would be given."""
    for folder, files, wanted in (
            ('scans', {'A_%d.tif': PROJ, 'A_flat_%d.tif': FLAT, 'B_%d.tif': PROJ, 'B_flat_%d.tif': FLAT}, '2 groups of its files may be the projections'),
            ('numbers', {'scan1_%03d.tif': PROJ, 'scan2_%03d.tif': PROJ, 'flat_%d.tif': FLAT}, '2 groups of its files may be the projections'),
            ('twice', {'p_%d.tif': PROJ, 'ff1_%d.tif': FLAT, 'ff2_%d.tif': FLAT}, '2 groups of its files may be the flats'),
            ('both', {'p_%d.tif': PROJ, 'dark_flat_%d.tif': FLAT}, "the names of 'dark_flat_%i.tif' fit several kinds of images"),
            ('empty', {'foam_%d.tif': PROJ, 'empty_foam_a_%d.tif': PROJ}, "'empty_foam_a_%i.tif' may be flats or a separate scan"),
            ('only', {'flat_%d.tif': FLAT, 'dark_%d.tif': DARK}, 'contain no images that could be projections'),
    ):
        lay_out(folder, files=files)
        said = sinograph_fails('reconstruct', folder, '--angles=0:180')
        tap.check(wanted in said, said)
        for pattern, images in files.items():
            tap.check(re.search(rf' {len(images)} files?  {re.escape(re.sub("%0?3?d", "", pattern).split(".")[0])}%0?3?i.tif$', said, flags=re.M) is not None, (pattern, said))
        tap.check(not Path(f'{folder}-slices').exists(), 'something is left')
    # As it is said there.
    said = sinograph_fails('reconstruct', 'scans', '--angles=0:180')
    command = re.search(r'sinograph reconstruct (\S+)\n +(--flats=\S+)', said)
    out = sinograph('reconstruct', command[1], 'A-out', command[2], '--angles=0:180')
    tap.check('A_%i.tif' in out and 'flats=' in out and len(slices('A-out/slices')) == ROWS, out)


def test_order():
    """Names that are sorted in another order than their images were taken are refused; a pattern takes them as they are."""
    for i, image in enumerate(PROJ[:8]):
        lay_out('midnight', files={f'{(235956 + i) % 235960:06}_{i + 1:04}.tif': [image]})
    said = sinograph_fails('reconstruct', 'midnight', '--angles=0:180')
    tap.check('its numbers give different orders' in said, said)
    tap.check('its numbers give different orders' in sinograph_fails('check', 'read path=midnight ! null'), 'read')
    sinograph('check', 'read path=midnight/* ! null')


def test_read():
    """`read` takes a folder that holds one group, and no pattern takes more than it says."""
    lay_out('mixed', files={'t_%03d.tif': PROJ, 't_flat_%03d.tif': FLAT})
    said = sinograph_fails('check', 'read path=mixed ! null')
    tap.check("'mixed' contains 2 groups of files, 't_%03i.tif' (180), 't_flat_%03i.tif' (6): give the pattern of one, such as 'mixed/t_%03i.tif'" in said, said)
    tap.check('angle 180' in sinograph('plan', 'read path=mixed/t_%i.tif ! null'), 'the pattern')
    lay_out('stacks', files={'scan.tif': [PROJ], 'flat.tif': [FLAT]})
    tap.check("'stacks' contains 2 groups of files, 'flat.tif' (1), 'scan.tif' (1)" in sinograph_fails('check', 'read path=stacks ! null'), 'stacks')


tap.main(globals())
