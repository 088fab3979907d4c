#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Names that would move a terminal's cursor or make two lines of one are shown, never obeyed. Costs 4 s, whole 12 s."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap
import tifffile
from draw import drawn
from tap import check, same

PROGRAM = sys.argv[1]
FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)

# A name as the system has it, and as people see it.
NAMES = {
    'line\nsinograph: done': r'line\nsinograph: done',
    '\x1b]0;title\x07\x1b[2J': r'\x1b]0;title\x07\x1b[2J',
    'tab\tand\rback\x7f': r'tab\tand\rback\x7f',
    os.fsdecode(b'\xff\xc3('): r'\xff\xc3(',
    'left\u202etfel': r'left\u202etfel',
    'csi\x9b31m': r'csi\u009b31m',
    'strophe\u2028line': r'strophe\u2028line',
}


def call(*arguments):
    done = subprocess.run([PROGRAM, *map(os.fsencode, arguments)], capture_output=True, timeout=60)
    for stream in done.stdout, done.stderr:
        for letter in stream.decode():  # throws where it is not UTF-8
            check(letter == '\n' or letter.isprintable(), f'{letter!r} in {stream}')
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def refused(name, *arguments):
    """The call fails with one line on the standard error, which shows the name."""
    status, _, said = call(*arguments)
    check(status in (1, 2) and said.count('\n') == 1 and said.startswith('sinograph: '), said)
    check(NAMES[name] in said, f'{NAMES[name]} is not in {said}')


def quoted(name):
    return "'" + name.replace("'", "'\\''") + "'"


def test_a_line_of_a_head():
    """MetaImage has the name of its pixels there, where it would be two."""
    name = next(iter(NAMES))
    refused(name, 'launch', f'phantom width=16 height=16 ! write path={quoted(name + ".mhd")}')
    check(not any(path.suffix in ('.mhd', '.raw', '.part') for path in Path().iterdir()), 'files are left')


def test_files_that_are_not_there():
    for name in drawn(NAMES, 3):
        refused(name, 'launch', f'read path={quoted(name)} ! null')
        refused(name, 'check', f'read path={quoted(name + ".tif")} ! null')
        refused(name, 'run', name)
        refused(name, 'reconstruct', name)
        refused(name, 'inspect', f'./{name}')


def test_files_that_are_damaged():
    for name in drawn(NAMES, 3):
        for suffix, content in {'.tif': b'II*\0', '.h5': b'\x89HDF\r\n\x1a\n', '.npy': b'\x93NUMPY\1\0v\0', '.png': b'\x89PNG\r\n\x1a\n',
                                '.json': b'{"nodes": 3}', '.txrm': b'\xd0\xcf\x11\xe0'}.items():
            Path(name + suffix).write_bytes(content)
            refused(name, *(['run', name + suffix] if suffix == '.json' else ['launch', f'read path={quoted(name + suffix)} ! null']))


def test_graph_json():
    """'reconstruct' writes one, so it refuses a name that is not UTF-8 before it writes anything."""
    tifffile.imwrite('flat.tif', np.ones((8, 4, 16), np.float32), photometric='minisblack')
    name = 'f\udcffn.tif'
    Path(name).write_bytes(Path('flat.tif').read_bytes())
    for words in (name,), ('flat.tif', name + '-slices'):
        status, _, said = call('reconstruct', *words, '--angles=0:180', '--values=attenuation', '--axis=8')
        check(status == 2 and "f\\377n.tif" in said and said.endswith('is not UTF-8, which JSON needs: graph.json names it, so give it another name\n'), said)
        check(not list(Path().glob('*-slices')), 'a folder is left')


def test_properties():
    for name in drawn(NAMES, 3):
        word = quoted(name)
        tifffile.imwrite('scan.tif', np.ones((4, 4, 4), np.uint16), photometric='minisblack')
        refused(name, 'launch', f'read path=scan.tif ! write path={word}')
        refused(name, 'launch', f'read path=scan.tif ! write path={quoted(name + "/%s.tif")}')
        Path(name + '.txt').write_text('one two')
        refused(name, 'check', '--set', f'read.angles={name}.txt', 'read path=scan.tif ! null')
        refused(name, 'check', '--set', f'{name}.path=x', 'read path=scan.tif ! null')
        refused(name, 'check', '--device', name, 'read path=scan.tif ! null')
        refused(name, 'check', '--memory', name, 'read path=scan.tif ! null')
        refused(name, name)


def test_launch_lines():
    for name in drawn(NAMES, 3):
        status, _, said = call('launch', f'read {quoted("x" + name)}=3 ! null')
        check(status == 2 and said.count('\n') == 3, said)
        check(NAMES[name].split('\\')[0] in said, said)


def test_what_files_hold():
    for name in drawn(NAMES, 3):
        if not all('\ud800' > letter for letter in name):
            continue
        with h5py.File('names.h5', 'w') as file:
            file[f'{name}/data'] = np.ones(3)
        refused(name, 'launch', f'read path=names.h5 dataset={quoted(name + "/data")} ! null')


def test_names_of_nodes():
    for name in drawn(NAMES, 3):
        if not all('\ud800' > letter for letter in name):
            continue
        graph = {'nodes': [{'plugin': 'read', 'name': name, 'properties': {'path': 'scan.tif'}}, {'plugin': 'null', 'name': 'end'}],
                 'edges': [{'from': {'name': name}, 'to': {'name': 'end'}}]}
        Path('graph.json').write_text(json.dumps(graph))
        status, told, said = call('check', 'graph.json')
        same((status, NAMES[name] in told), (0, True))
        for command in ['plan'], ['plan', '--json'], ['plan', '--dot'], ['run', '--stats']:
            same(call(*command, 'graph.json')[0], 0)


def test_events():
    for name in drawn(NAMES, 3):
        status, told, _ = call('launch', '--progress=json', f'read path={quoted(name)} ! null')
        events = [json.loads(line) for line in told.splitlines()]
        same((status, [event['event'] for event in events]), (1, ['error']))
        check(NAMES[name] in events[0]['message'], events)


tap.main(globals())
