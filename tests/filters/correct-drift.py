#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Scans that drift by 3 pixels and jitter by 0.5, against the same scans without drift: exact projections with noise. Costs 7 s."""
import json
import re
from pathlib import Path

import h5py
import numpy as np
import tap
from drifting import Scan, balls, displaced, drift, rms, said
from moving import made, main, refused
from program import SOURCE, at_most, in_little_memory, sinograph, sinograph_fails

N = 96
KINDS = {
    'parallel': Scan(N, 24, 72, parts=balls(32, 8)),
    'half': Scan(N, 32, 72, turn=180, parts=balls(32, 60)),  # taller than the detector
    'cone': Scan(N, 48, 72, source_origin=400, origin_detector=150, parts=balls(25, 11)),  # 10 degrees
}
MOST_LEFT = .1  # pixels


def undetermined(shifts, degrees):
    """The part that only moves the volume: along columns a sine over the turn, along rows a constant."""
    angle = np.radians(degrees)
    constant = np.ones_like(angle)
    parts = []
    for shift, terms in zip(shifts, ((constant, np.cos(angle), np.sin(angle)), (constant,))):
        basis = np.stack(terms, 1)
        parts.append(basis @ np.linalg.lstsq(basis, shift, rcond=None)[0])
    return np.stack(parts)


def seen(line):
    """The middle slices inside the circle that all projections see."""
    slices = made(f'{line} ! reconstruct')
    y, x = np.mgrid[:slices.shape[1], :slices.shape[2]] + .5 - slices.shape[1] / 2
    return slices[len(slices) // 4:-(len(slices) // 4), np.hypot(x, y) < .44 * slices.shape[1]].astype(np.float64)


def error(scan, line, moved):
    """The mean square of the difference to slices of the same object, moved alike, without noise and drift."""
    exact = scan.save('exact.h5', scan.lines(*moved), noise=False)
    return np.mean((seen(line) - seen(f'read {exact}'))**2)


def check(name):
    scan = KINDS[name]
    shifts = np.stack([drift(len(scan.degrees)), drift(len(scan.degrees), 2)])
    data, still = scan.save('drifted.h5', scan.lines(*shifts)), scan.save('still.h5', scan.lines())
    left = displaced(made(f'read {data} ! correct-drift'), scan.lines())
    free = undetermined(left, scan.degrees), undetermined(shifts, scan.degrees)
    for axis, after, before in zip(('columns', 'rows'), left - free[0], shifts - free[1]):
        at_most(rms(after), MOST_LEFT, f'{name}: {axis} left of {rms(before):.2f}')
    noise = error(scan, f'read {still}', (0, 0))
    before, after = error(scan, f'read {data}', free[1]) - noise, error(scan, f'read {data} ! correct-drift', free[0]) - noise
    at_most(after / before, .1, f'{name}: squares of what drift does to slices')


def test_parallel():
    check('parallel')


def test_half():
    check('half')


def test_cone():
    check('cone')


def test_without_drift():
    """The difference to slices without noise does not grow."""
    scan = KINDS['cone']
    line = f'read {scan.save("still.h5", scan.lines())}'
    left = displaced(made(f'{line} ! correct-drift'), scan.lines())
    at_most(rms(left), .03, 'displaced by noise')
    errors = error(scan, f'{line} ! correct-drift', undetermined(left, scan.degrees)), error(scan, line, (0, 0))
    at_most(errors[0] / errors[1], 1.03, 'squares of noise in slices')


SMALL = Scan(48, 20, 45, parts=balls(16, 7))


def small():
    """A scan that drifted, for tests of anything but how well it is corrected."""
    return SMALL.save('small.h5', SMALL.lines(drift(45), drift(45)))


def test_beyond_borders():
    """A part of the drift is found, and more by two passes."""
    scan = Scan(64, 40, 72, parts=balls(40, 40, 20))
    shifts = np.stack([drift(72, 0), drift(72, 2)])
    data = scan.save('wide.h5', scan.lines(*shifts))
    before, rests = rms((shifts - undetermined(shifts, scan.degrees))[0]), []
    for passes in 1, 2:
        left = displaced(made(f'read {data} ! correct-drift passes={passes}'), scan.lines())
        rests.append((left - undetermined(left, scan.degrees)))
        at_most(rms(rests[-1][1]), .3, 'rows left')
    at_most(rms(rests[0][0]) / before, .5, 'jitter along columns that is left')
    at_most(rms(rests[1][0]) / rms(rests[0][0]), .95, 'of that after another pass')


def test_same_bytes():
    """Whatever the memory and the threads; and those of the ready graph."""
    line = f'read {small()} ! correct-drift ! reconstruct'
    wanted = made(line)
    few = in_little_memory(lambda memory: made(line, memory, '--threads=1'), 'native', f'{line} ! write path=no.h5')
    tap.check(np.array_equal(few, wanted), 'bytes differ with little memory')
    nodes = json.loads((SOURCE / 'docs/graphs/correct-drift.json').read_text())
    # the scan is attenuation already
    nodes['nodes'] = [node for node in nodes['nodes'] if node['name'] != 'flat-field']
    nodes['edges'] = [edge for edge in nodes['edges'] if edge['to']['name'] != 'flat-field']
    for edge in nodes['edges']:
        if edge['from']['name'] == 'flat-field':
            edge['from']['name'] = 'read'
    Path('graph.json').write_text(json.dumps(nodes))
    sinograph('run', '--quiet', '--device=native', 'graph.json', '--set=read.path=small.h5', '--set=write.path=graph.h5')
    with h5py.File('graph.h5') as file:
        tap.check(np.array_equal(file['exchange/data'][:], wanted), 'bytes differ from those of the graph')


def test_unknown_axis():
    """It is found before the first reconstruction, and projections are moved onto it."""
    small()
    with h5py.File('small.h5', 'a') as file:
        del file['exchange/rotation_axis']
        file['exchange/data'][0, 5, 5] = np.nan
    text = said('read path=small.h5 values=attenuation ! correct-drift ! reconstruct ! null')
    for words in 'the axis is at column 2[345]', 'projections were displaced by -[012].* to [012].* columns .* and -[012].* to [012].* rows':
        tap.check(re.search(words, text) is not None, f'{words} is not in: {text}')


def test_command():
    """`sinograph reconstruct --drift` puts the node into its line."""
    small()
    words = 'reconstruct', 'small.h5', '--device=native', '--values=attenuation', '--drift'
    text = sinograph(*words[:2], 'slices', *words[2:])
    tap.check(re.search('read .* ! correct-drift ! interleave ! find-axis', text) is not None, text)
    with h5py.File('small.h5') as file, h5py.File('sinograms.h5', 'w') as other:
        other['exchange/data'], other['exchange/theta'] = file['exchange/data'][:].transpose(1, 0, 2), file['exchange/theta'][:]
    for scan, more, why in ('small.h5', '--axis=20:30:1', '--drift reconstructs slices'), ('sinograms.h5', '--sinograms', '--drift is for projections'):
        text = sinograph_fails('reconstruct', scan, 'others', *words[2:], more)
        tap.check(why in text, text)


def test_errors():
    data = f'read {small()}'
    refused('correct-drift', "put this node before 'interleave'", f'{data} ! interleave')
    refused('correct-drift', "'ramp-filter' has filtered the rows", f'{data} ! ramp-filter')
    refused('correct-drift', "put 'flat-field' before it", 'simulate width=64 type=u16 darks=1 flats=1')
    refused('correct-drift passes=0', 'passes=0', data)


main(globals())
