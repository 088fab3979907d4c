#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Projections that drifted are moved onto others without drift; both are exact, with noise. Costs 6 s."""
import re
from pathlib import Path

import h5py
import numpy as np
import tap
from drifting import RANDOM, Scan, balls, displaced, drift, rms, said
from moving import made, main, refused
from program import at_most, in_little_memory

COLUMNS, ROWS, N = 96, 56, 30
INSIDE = balls(30, 21)
LARGE = balls(60, 60, 40)
LINE = '[read {}, read {}] ! align-projections {}'


def scans(parts, across, down, name='', **more):
    """The drifted scan and the exact one, as words, and what is exact."""
    scan = Scan(COLUMNS, ROWS, len(across), parts=parts, **more)
    truth = scan.lines()
    return scan.save(f'drifted{name}.h5', scan.lines(across, down)), scan.save(f'computed{name}.h5', truth), truth


def check_moved(parts, most_columns, most_rows, words='', **more):
    across, down = drift(N), drift(N)
    data, computed, truth = scans(parts, across, down, **more)
    got = made(LINE.format(data, computed, words))
    left = displaced(got, truth)
    at_most(rms(left[0]), most_columns, f'columns left of {rms(across):.2f}')
    at_most(rms(left[1]), most_rows, f'rows left of {rms(down):.2f}')


def test_in_view():
    """By the mass of the object."""
    check_moved(INSIDE, .05, .05)
    check_moved(INSIDE, .05, .05, source_origin=500, origin_detector=50)


def test_beyond_borders():
    """By details. Rows of a parallel beam are found by their mass."""
    check_moved(LARGE, .1, .1)
    check_moved(LARGE, .1, .1, source_origin=500, origin_detector=50)
    data, computed, _ = scans(LARGE, drift(N), drift(N))
    text = said(f'{LINE.format(data, computed, "")} ! null')
    tap.check(f'{N} of {N} projections do not see the whole object' in text, text)


def test_along():
    across, down = drift(N), drift(N)
    data, computed, truth = scans(INSIDE, across, down)
    for along, place, stays in ('columns', 0, down), ('rows', 1, across):
        left = displaced(made(LINE.format(data, computed, f'along={along}')), truth)
        at_most(rms(left[place]), .1, f'along {along}')
        at_most(abs(rms(left[1 - place]) / rms(stays) - 1), .3, f'beside {along}: least squares are rough this far away')


def test_nothing_to_move():
    """Projections that agree stay where they are; so do those that show nothing, with their bytes if they are linear."""
    data, computed, truth = scans(INSIDE, np.zeros(N), np.zeros(N))
    before = made(f'read {data}')
    at_most(rms(displaced(made(LINE.format(data, computed, '')), truth) - displaced(before, truth)), .04, 'moved by noise')
    empty = Scan(COLUMNS, ROWS, N, parts=INSIDE)
    words = empty.save('empty.h5', 0 * truth), empty.save('nothing.h5', 0 * truth)
    line = LINE.format(*words, 'interpolation=linear')
    tap.check(np.array_equal(made(line), made(f'read {words[0]}')), 'noise was moved')
    text = said(f'{line} ! null')
    tap.check(f'{N} of {N} projections show too little to be aligned along rows' in text, text)


def test_most():
    """What is further away is not believed; with a larger limit it is."""
    across = np.where(np.arange(N) == 7, 9., 0)
    data, computed, truth = scans(INSIDE, across, 0 * across)
    text = said(f'{LINE.format(data, computed, "most=5")} ! null')
    tap.check(f'1 of {N} projections show too little to be aligned along columns, or are displaced by more than most=: they stay' in text, text)
    at_most(rms(displaced(made(LINE.format(data, computed, '')), truth)[0]), .05, 'columns left')


def test_smooth():
    """A straight drift is found better, and jitter is left."""
    straight, jitter = np.linspace(-2, 2, N), RANDOM.normal(0, .3, N)
    data, computed, truth = scans(INSIDE, straight, straight)
    alone, smooth = (rms(displaced(made(LINE.format(data, computed, words)), truth)) for words in ('', 'smooth=8'))
    at_most(smooth, .7 * alone, 'left of a straight drift')
    data, computed, truth = scans(INSIDE, straight + jitter, straight)
    left = displaced(made(LINE.format(data, computed, 'smooth=8')), truth)[0]
    at_most(rms(left - jitter) / rms(jitter), .6, 'difference to the jitter')


def test_holes():
    """Pixels that are no numbers show no displacement."""
    across, down = drift(N), drift(N)
    data, computed, truth = scans(INSIDE, across, down)
    with h5py.File('drifted.h5', 'a') as file:
        file['exchange/data'][:, 20:22, 30:70] = np.nan
        file['exchange/data'][::3, 50, 50] = np.inf
    got = made(LINE.format(data, computed, 'interpolation=linear'))
    seen = np.isfinite(got)
    left = displaced(np.where(seen, got, truth), truth)
    at_most(rms(left[0]), .15, 'columns left')
    at_most(rms(left[1]), .15, 'rows left')


def test_same_bytes():
    """Whatever the memory and the threads."""
    data, computed, _ = scans(LARGE, drift(N), drift(N))
    for words in '', 'smooth=3':
        line = LINE.format(data, computed, words)
        wanted = made(line)
        few = in_little_memory(lambda memory: made(line, memory, '--threads=1'), 'native', f'{line} ! write path=no.h5')
        tap.check(np.array_equal(few, wanted), f'bytes differ with little memory {words}')


def test_closing():
    """The same view a turn later; in a parallel beam the mirrored one half a turn later."""
    same, mirrored = 'projection 24, at the angle of the first', 'projection 24, half a turn from the first'
    for turn, more, what in ((360, {}, same), (180, {}, mirrored), (360, {'source_origin': 500, 'origin_detector': 50}, same)):
        for by in (1.2, -.8), (.2, .1):
            across, down = (np.linspace(0, b, 25) for b in by)
            data, computed, _ = scans(INSIDE, across, down, turn=turn, inclusive=True, **more)
            text = said(f'{LINE.format(data, computed, "")} ! null', '--report=report.html')
            found = re.search(f'closing error: {what}.* ([+-][\\d.]+) columns and ([+-][\\d.]+) rows', text)
            tap.check(found is not None, text)
            at_most(np.hypot(float(found[1]) - by[0], float(found[2]) - by[1]), .1, f'{what}: error of the closing error')
            warns = re.search('closing error[^"]*", "warning": (true|false)', Path('report.html').read_text())[1]
            tap.check((warns == 'true') == (max(map(abs, by)) > .5), 'a warning only above half a pixel')
            Path('report.html').unlink()
    data, computed, _ = scans(INSIDE, np.zeros(25), np.zeros(25))
    text = said(f'{LINE.format(data, computed, "")} ! null')
    tap.check('closing' not in text, text)


def test_few_rows():
    """Of a fan beam: columns alone."""
    scan = Scan(COLUMNS, 1, N, parts=INSIDE, source_origin=500, origin_detector=50)
    across = drift(N)
    data, computed = scan.save('fan.h5', scan.lines(across)), scan.save('still.h5', scan.lines(), noise=False)
    text = said(f'{LINE.format(data, computed, "")} ! null')
    tap.check('rms), and are moved back' in text and 'rows' not in text, text)
    got, moved = made(LINE.format(data, computed, '')), made(f'read {scan.save("moved.h5", scan.lines(across), noise=False)}')
    at_most(rms(got - scan.lines()) / rms(moved - scan.lines()), .5, 'difference, most of it noise')


def test_errors():
    data, computed, _ = scans(INSIDE, np.zeros(N), np.zeros(N))
    refused('align-projections', "input 'computed' wants f32 projections", f'[read {data}, read {computed} rows=0:20]')
    refused('align-projections', "put this node before 'interleave'", f'[read {data} ! interleave, read {computed}]')
    refused('align-projections', "'ramp-filter' has filtered the rows", f'[read {data} ! ramp-filter, read {computed}]')
    refused('align-projections', 'computed', f'read {data}')
    refused('align-projections', "put 'flat-field' before it", f'[simulate width=96 height=64 projections={N} type=u16 darks=1 flats=1, read {computed}]')
    refused('align-projections', 'wants at least 16 columns', '[simulate width=12 height=64 projections=9, simulate width=12 height=64 projections=9]')
    refused('align-projections most=0', 'most=0', f'[read {data}, read {computed}]')


main(globals())
