#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""--confine: a graph from elsewhere reads and writes nothing outside of a folder, whatever leads there."""
import json
import os
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap
import tifffile
from draw import drawn
from program import call
from tap import check, same

FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)
ANGLES, ROWS, COLUMNS = 20, 4, 32
INSIDE, OUTSIDE = Path('inside'), Path('outside')
SECRET = 4242


def scan(path, value=9000):
    with h5py.File(path, 'w') as file:
        file['exchange/data'] = np.full((ANGLES, ROWS, COLUMNS), value, np.uint16)
        file['exchange/data_white'] = np.full((2, ROWS, COLUMNS), 10000, np.uint16)
        file['exchange/data_dark'] = np.full((2, ROWS, COLUMNS), 100, np.uint16)
        file['exchange/theta'] = np.arange(ANGLES) * 180. / ANGLES


def linked(path, target, name='/exchange/data'):
    scan(path)
    with h5py.File(path, 'a') as file:
        del file['exchange/data']
        file['exchange/data'] = h5py.ExternalLink(target, name)


def virtual(path, target, name='exchange/data', series=False):
    scan(path)
    with h5py.File(path, 'a') as file:
        del file['exchange/data']
        layout = h5py.VirtualLayout((ANGLES, ROWS, COLUMNS), 'u2', maxshape=(None, ROWS, COLUMNS) if series else None)
        layout[:ANGLES] = h5py.VirtualSource(target, name, (ANGLES, ROWS, COLUMNS), 'u2')
        file.create_virtual_dataset('exchange/data', layout)


def raw(path, target):
    scan(path)
    with h5py.File(path, 'a') as file:
        del file['exchange/data']
        file.create_dataset('exchange/data', (ANGLES, ROWS, COLUMNS), 'u2', external=[(target, 0, h5py.h5f.UNLIMITED)])


def make_files():
    for folder in INSIDE, OUTSIDE, INSIDE / 'sub':
        folder.mkdir()
    for folder in INSIDE, OUTSIDE:
        scan(folder / 'scan.h5', SECRET if folder == OUTSIDE else 9000)
        tifffile.imwrite(folder / 'scan.tif', np.full((ANGLES, ROWS, COLUMNS), SECRET, np.uint16), photometric='minisblack')
        (folder / 'numbers.txt').write_text(''.join(f'{i}\n' for i in range(ANGLES)))
        (folder / 'object.json').write_text('[{"density": 1, "center": [0, 0, 0], "axes": [0.5, 0.5, 0.5]}]')
        (folder / 'raw.bin').write_bytes(np.full((ANGLES, ROWS, COLUMNS), SECRET, np.uint16).tobytes())
        (folder / 'part.json').write_text(json.dumps({'nodes': [{'plugin': 'flat-field', 'name': 'flat-field'}], 'edges': []}))
        for i in range(2):
            tifffile.imwrite(folder / f'frame-{i}.tif', np.full((ROWS, COLUMNS), SECRET, np.uint16))
    (INSIDE / 'file.tif').symlink_to('../outside/scan.tif')
    (INSIDE / 'file.h5').symlink_to(os.path.abspath('outside/scan.h5'))
    (INSIDE / 'folder').symlink_to('../outside')
    (INSIDE / 'near.h5').symlink_to('sub/../scan.h5')
    (INSIDE / 'images').mkdir()
    (INSIDE / 'images/frame-0.tif').symlink_to('../../outside/frame-0.tif')
    absolute = os.path.abspath('outside/scan.h5')
    linked(INSIDE / 'link.h5', '../outside/scan.h5')
    linked(INSIDE / 'link-absolute.h5', absolute)
    linked(INSIDE / 'link-link.h5', 'file.h5')
    linked(INSIDE / 'link-of-link.h5', 'link.h5')
    virtual(INSIDE / 'virtual.h5', '../outside/scan.h5')
    virtual(INSIDE / 'virtual-link.h5', 'link.h5')
    virtual(INSIDE / 'virtual-virtual.h5', 'virtual.h5')
    raw(INSIDE / 'raw.h5', os.path.abspath('outside/raw.bin'))
    raw(INSIDE / 'raw-link.h5', 'inside/folder/raw.bin')
    linked(INSIDE / 'good-link.h5', 'scan.h5')
    virtual(INSIDE / 'good-virtual.h5', 'scan.h5')
    raw(INSIDE / 'good-raw.h5', 'inside/raw.bin')


READ = 'read path=inside/scan.h5'
READING = [
    'read path=outside/scan.tif', f'read path={os.getcwd()}/outside/scan.h5', 'read path=inside/../outside/scan.tif',
    'read path=inside/file.tif', 'read path=inside/file.h5', 'read path=inside/folder/scan.tif', 'read path=outside/frame-*.tif',
    'read path=inside/folder/frame-%i.tif', 'read path=outside', 'read path=inside/folder', 'read path=inside/images',
    'read path=outside/absent.tif', 'read path=outside/scan.h5:/exchange/data', 'read path=outside/raw.bin raw=u16:32x4',
    f'{READ} darks=outside/scan.tif', f'{READ} flats=inside/file.tif', f'{READ} angles=outside/numbers.txt',
    f'{READ} geometry=outside/numbers.txt', 'phantom object=outside/object.json',
    'simulate object=inside/folder/object.json', f'{READ} ! flat-field ! shift file=outside/numbers.txt',
    f'{READ} ! undistort file=outside/numbers.txt', f'{READ} ! flat-field ! reconstruct axis=outside/numbers.txt',
    f'{READ} ! correct-bad-pixels mask=outside/frame-0.tif', f'{READ} ! graph path=outside/part.json',
    f'{READ} ! graph path=inside/folder/part.json',
] + [f'read path=inside/{name}.h5{zero}' for zero in ('', ' missing=zero') for name in (
    'link', 'link-absolute', 'link-link', 'link-of-link', 'virtual', 'virtual-link', 'virtual-virtual', 'raw', 'raw-link')]
WRITING = [
    'write path=outside/new.tif', 'write path=new.h5', f'write path={os.getcwd()}/outside/new.h5', 'write path=inside/../new.tif',
    'write path=inside/folder/new.tif', 'write path=outside/new/%05i.tif', 'write path=inside/folder/new/%05i.tif',
    'write path=outside/scan.tif overwrite=true', 'write path=inside/folder/scan.h5 overwrite=true', 'write path=outside/new.mhd',
    'preview path=outside/new.png', 'preview path=inside/sub/../../new.png',
]


def there():
    return {str(path): path.read_bytes() if path.is_file() else '' for path in Path('.').rglob('*')}


def refused(*words):
    before = there()
    status, told, said = call(*words)
    check(status in (1, 2) and " is outside '" in said and 'put it there, or confine the run to' in said, (words, status, said))
    same((told if words[0] != 'reconstruct' else '', there() == before), ('', True))
    return said


def test_reading():
    make_files()
    for i, line in drawn(enumerate(READING), 3):
        node = line.split(' ! ')[-1].split()[0]
        for command in ('launch', 'check', 'plan') if i % 8 == 0 else ('check',):
            said = refused(command, '--confine=inside', f'{line} ! null')
            check(f"'{node}'" in said or node in ('graph', 'shift'), said)


def test_writing():
    for line in WRITING:
        check(f"'{line.split()[0]}'" in refused('launch', '--confine', 'inside', f'{READ} ! {line}'), line)
    refused('launch', '--confine=inside', 'read path=inside/scan.tif axes=slices ! write path=outside/new.zarr')
    refused('launch', '--confine=inside', '--trace=trace.json', f'{READ} ! null')
    refused('launch', '--confine=inside', 'simulate width=32 height=4 projections=16 ! live address=unix:outside/live')


def test_the_command_reconstruct():
    for words in (['outside/scan.h5', 'inside/out'], ['inside/link.h5', 'inside/out'], ['inside/virtual.h5', 'inside/out'],
                  ['inside/file.h5', 'inside/out'], ['inside/scan.h5', 'out'], ['inside/scan.h5', 'inside/folder/out'],
                  ['inside/scan.h5', 'inside/out', '--darks=outside/scan.tif'], ['inside/scan.h5', 'inside/out', '--angles=outside/numbers.txt']):
        refused('reconstruct', '--confine=inside', '--axis=16', *words)


def test_what_stays_inside():
    before = {path: content for path, content in there().items() if not path.startswith('inside/')}
    for name in drawn(('scan', 'near', 'good-link', 'good-virtual', 'good-raw'), 2):
        for folder in 'inside', './inside/sub/..', os.path.abspath('inside'), '/', 'inside/folder/..':
            same(call('check', f'--confine={folder}', '--quiet', f'read path=inside/{name}.h5 ! null'), (0, '', ''))
        line = f'read path=inside/{name}.h5 ! flat-field ! reconstruct axis=16 ! write path=inside/{name}/a/%05i.tif'
        same(call('launch', '--quiet', '--confine=inside', line), (0, '', ''))
        same(len(list((INSIDE / name / 'a').glob('*.tif'))), ROWS)
    Path('graph.json').write_text(json.dumps({'nodes': [
        {'plugin': 'graph', 'name': 'part', 'properties': {'path': 'inside/part.json'}},
        {'plugin': 'read', 'name': 'read', 'properties': {'path': 'inside/scan.h5'}},
        {'plugin': 'null', 'name': 'null'}], 'edges': [
            {'from': {'name': 'read'}, 'to': {'name': 'part'}}, {'from': {'name': 'part'}, 'to': {'name': 'null'}}]}))
    before['graph.json'] = Path('graph.json').read_bytes()
    same(call('run', '--quiet', '--confine=inside', 'graph.json'), (0, '', ''))
    same({path: content for path, content in there().items() if not path.startswith('inside/')}, before)


def test_links_are_replaced():
    secret = (OUTSIDE / 'scan.tif').read_bytes()
    same(call('launch', '--quiet', '--confine=inside', f'{READ} ! write path=inside/file.tif overwrite=true'), (0, '', ''))
    same(((OUTSIDE / 'scan.tif').read_bytes() == secret, (INSIDE / 'file.tif').is_symlink()), (True, False))


def test_no_folder():
    for folder in 'absent', 'inside/scan.h5':
        status, _, said = call('check', f'--confine={folder}', f'{READ} ! null')
        check(status != 0 and f"cannot confine a run to '{folder}': " in said, said)


def test_other_runs_are_free():
    same(call('launch', '--quiet', 'read path=inside/link.h5 ! write path=free.tif'), (0, '', ''))
    check((tifffile.imread('free.tif') == SECRET).all(), 'the link was not followed')


tap.main(globals())
