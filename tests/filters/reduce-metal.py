#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Streaks of two iron rods in a body, against slices of the body without rods, which numpy simulates with a spectrum and noise."""
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap
from draw import drawn, in_turn
from metal import BODY, RODS, Scan
from program import SOURCE, at_least, at_most, in_little_memory, sinograph, sinograph_fails, slices

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
PHOTONS = 2e5
SCANS = {
    'parallel': Scan(200, 2, 300, axis=97.3),
    'fan': Scan(200, 1, 300, source_origin=800, origin_detector=200, turn=360),
    'offset': Scan(96, 16, 120, axis=31, source_origin=350, origin_detector=80, turn=360),
    'cone': Scan(96, 48, 120, source_origin=350, origin_detector=80, turn=360),
}
MOST_LEFT = .15  # of the streak energy


def out(line, *words):
    path = PATH / 'out.h5'
    sinograph('launch', '--quiet', '--device=native', *words, f'{line} ! write path={path} overwrite=true')
    with h5py.File(path) as file:
        return file['exchange/data'][:]


def saved(name, parts=BODY + RODS, photons=PHOTONS):
    scan, path = SCANS[name], PATH / f'{name}-{len(parts)}-{photons:g}.h5'
    return scan.words(path) if path.exists() else scan.save(path, scan.attenuation(parts, photons))


def left(name, got, before, truth):
    """Of the streak energy, in voxels outside metal of slices that no projection leaves."""
    scan = SCANS[name]
    some = slice(len(got) // 4, -(len(got) // 4) or None) if len(got) > 3 else slice(None)
    outside = scan.outside_rods(got[some])
    energy = [np.sum((volume[some].astype(np.float64) - truth[some])[outside] ** 2) for volume in (got, before)]
    return energy[0] / energy[1]


def check_streaks(name):
    scan = saved(name)
    truth = out(f'read {saved(name, BODY, 0)} ! reconstruct')
    before = out(f'read {scan} ! reconstruct')
    after = out(f'read {scan} ! reduce-metal ! reconstruct')
    at_most(left(name, after, before, truth), MOST_LEFT, f'{name}: streak energy')
    without = out(f'read {scan} ! reduce-metal restore=false ! reconstruct')
    at_most(left(name, without, before, truth), MOST_LEFT, f'{name}: streak energy without the metal')
    y, x = (int(round(c * SCANS[name].voxels + before.shape[1] / 2 - .5)) for c in (RODS[0][0][1], RODS[0][0][0]))
    middle = len(before) // 2, y, x
    at_least(after[middle] / before[middle], .6, f'{name}: value of the metal')
    at_most(without[middle] / before[middle], .2, f'{name}: value without the metal')


def test_parallel():
    check_streaks('parallel')


def test_fan():
    in_turn(0, 2)
    check_streaks('fan')


def test_cone():
    """The rods are longer than the volume: outer rows of the detector see metal that no slice contains."""
    in_turn(1, 2)
    check_streaks('cone')


def test_offset():
    """A detector that reaches farther on one side of the axis: its slices are wider than it."""
    check_streaks('offset')


def test_without_metal():
    """The bytes of a run without the node."""
    for name in 'parallel', 'fan':
        scan = saved(name, BODY)
        tap.check(np.array_equal(out(f'read {scan} ! reconstruct'), out(f'read {scan} ! reduce-metal ! reconstruct')), f'{name}: bytes differ')
    scan = saved('parallel')
    tap.check(np.array_equal(out(f'read {scan} ! reconstruct'), out(f'read {scan} ! reduce-metal threshold=1e6 ! reconstruct')), 'bytes differ')


def test_other_rays():
    """Rays beside metal keep their bytes; what is interpolated is near the body without rods."""
    scan = saved('parallel')
    before, after = out(f'read {scan}'), out(f'read {scan} ! reduce-metal restore=false')
    truth = out(f'read {saved("parallel", BODY, 0)}')
    through = SCANS['parallel'].lengths(*RODS[0][:3]).mean(-1) + SCANS['parallel'].lengths(*RODS[1][:3]).mean(-1) > 0
    changed = after != before
    at_most(np.mean(changed & ~through), .06, 'rays that are changed beside rods')
    at_most(np.mean(through & ~changed), .01, 'rays through rods that are not changed')
    error = np.sqrt(np.mean((after - truth)[changed] ** 2)) / np.mean(truth[changed])
    at_most(error, .06, 'error of interpolated rays')


def test_sinograms():
    """The same slices whether sinograms or projections come in."""
    scan = saved('parallel')
    tap.check(np.array_equal(out(f'read {scan} ! reduce-metal ! reconstruct'),
                             out(f'read {scan} ! interleave ! reduce-metal ! reconstruct')), 'bytes differ')


def test_same_bytes():
    """Whatever the memory and the threads."""
    for name in drawn(('parallel', 'cone'), 2):
        line = f'read {saved(name)} ! reduce-metal ! reconstruct ! write path={PATH}/little.h5 overwrite=true'
        wanted = out(f'read {saved(name)} ! reduce-metal ! reconstruct')
        in_little_memory(lambda limit: sinograph('launch', '--quiet', '--device=native', limit, line), 'native', line)
        with h5py.File(PATH / 'little.h5') as file:
            tap.check(np.array_equal(wanted, file['exchange/data'][:]), f'{name}: bytes differ with little memory')
        tap.check(np.array_equal(wanted, out(f'read {saved(name)} ! reduce-metal ! reconstruct', '--threads=1')), f'{name}: bytes differ with one thread')


def test_ready_graph():
    """nmar.json is what the node stands for."""
    scan = saved('parallel')
    graph = PATH / 'nmar.json'
    graph.write_text((SOURCE / 'docs/graphs/nmar.json').read_text())
    nodes = json.loads(graph.read_text())
    # the scan is attenuation already
    nodes['nodes'] = [node for node in nodes['nodes'] if node['name'] != 'flat-field']
    nodes['edges'] = [edge for edge in nodes['edges'] if edge['to']['name'] != 'flat-field']
    for edge in nodes['edges']:
        if edge['from']['name'] == 'flat-field':
            edge['from']['name'] = 'read'
    graph.write_text(json.dumps(nodes))
    path = re.match('path=([^ ]*)', scan)[1]
    with tempfile.TemporaryDirectory() as folder:
        sinograph('run', '--quiet', '--device=native', graph, f'--set=read.path={path}', f'--set=write.path={folder}/slice-%05i.tif')
        tap.check(np.array_equal(slices(folder), out(f'read {scan} ! reduce-metal ! reconstruct')), 'bytes differ')


def test_reports():
    """What was taken as metal; and rows that cannot be interpolated."""
    scan = saved('parallel')
    done = sinograph_said(f'read {scan} ! reduce-metal ! reconstruct ! null')
    for words in 'voxels above 0\\.\\d+ are metal, 4 times the object', '\\d+ voxels \\(0\\.\\d+ %\\) are metal', '[\\d.]+ % of the rays go through metal':
        tap.check(re.search(words, done) is not None, f'{words} is not in: {done}')
    done = sinograph_said(f'read {saved("parallel", BODY)} ! reduce-metal ! reconstruct ! null')
    tap.check('there is no metal' in done and 'of the rays' not in done, done)
    done = sinograph_said(f'read {scan} ! reduce-metal margin=1000 ! reconstruct ! null')
    tap.check('600 of 600 rows of projections see metal on every ray' in done, done)


def sinograph_said(line):
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', line], capture_output=True, text=True)
    tap.check(done.returncode == 0, done.stderr)
    return done.stderr


def test_command():
    """`sinograph reconstruct --metal` puts the node into its line."""
    path = re.match('path=([^ ]*)', saved('parallel'))[1]
    for option, word in ('--metal', 'reduce-metal ! reconstruct'), ('--metal=0.2', 'reduce-metal threshold=0.2 ! reconstruct'):
        said = sinograph('reconstruct', path, PATH / f'of{option.replace("=", "-")}', '--device=native', '--values=attenuation', option)
        tap.check(word in said, said)


def test_errors():
    scan = saved('parallel')
    for line, words in {
            f'read {scan} ! reduce-metal threshold=-1 ! null': 'threshold=-1: give the least value of metal',
            f'read {scan} ! reduce-metal threshold=high ! null': 'threshold=high: give the least value of metal',
            f'read {scan} ! reconstruct ! reduce-metal ! null': "put this node before the reconstruction",
            'simulate width=64 type=u16 darks=1 flats=1 ! reduce-metal ! null': "put 'flat-field' before it",
            f'read {scan} ! ramp-filter ! reduce-metal ! null': "'ramp-filter' has filtered the rows",
    }.items():
        said = sinograph_fails('launch', line)
        tap.check(words in said, f'{line}: {said}')


tap.main(globals())
