#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Whole runs with minus-log, rescale, percentiles and calculate, against numpy in float64: cut in any way, from lines and from JSON."""
import json
import os
import subprocess
import tempfile

import h5py
import numpy as np
import tap
from draw import drawn
from program import at_most, in_little_memory, sinograph, sinograph_fails

N, ROWS, COLUMNS = 61, 37, 53  # the last group of lanes is never full
RNG = np.random.default_rng(1)
TRANSMISSION = np.exp(-RNG.uniform(0, 3, (N, ROWS, COLUMNS))).astype(np.float32)
EXACT = TRANSMISSION.astype(np.float64)
COUNTS = RNG.integers(1, 60000, (N, ROWS, COLUMNS)).astype(np.uint16)


def scans():
    for name, data in ('transmission', TRANSMISSION), ('counts', COUNTS), ('other', COUNTS[:, ::-1]):
        with h5py.File(f'{name}.h5', 'w') as file:
            file['exchange/data'], file['exchange/theta'] = data, np.arange(N) * 180. / N
    with h5py.File('scan.h5', 'w') as file:
        file['exchange/data'], file['exchange/theta'] = COUNTS, np.arange(N) * 180. / N
        file['exchange/data_white'], file['exchange/data_dark'] = COUNTS[:3] // 2 + 30000, COUNTS[:2] // 60


def made(line, *options):
    sinograph('launch', '--quiet', '--device=native', *options, f'{line} ! write path=out.h5 overwrite=true')
    with h5py.File('out.h5') as file:
        return file['exchange/data'][:]


def made_in_any_way(line, *options):
    """The same bytes with all memory, hardly any, and one thread."""
    whole = made(line)
    little = in_little_memory(lambda memory: made(line, memory), 'native', f'{line} ! write path=no.h5')
    for other in little, made(line, '--threads=1'):
        np.testing.assert_array_equal(other, whole)
    return whole


def said(line):
    """What a run that goes well tells."""
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', f'{line} ! null'], capture_output=True, text=True, check=True)
    return done.stderr


def test_minus_log():
    right = -np.log(EXACT)
    at_most(np.abs(made_in_any_way('read path=transmission.h5 ! minus-log') - right).max(), 4e-7, 'error of the logarithm')
    by_counts = -np.log(COUNTS / 60000.)
    result = made_in_any_way('read path=counts.h5 ! interleave lanes=8 ! minus-log air=60000')
    at_most(np.abs(result - by_counts.transpose(1, 0, 2)).max(), 4e-6, 'error of that of counts')


def test_minus_log_says_what_is_clamped():
    tap.check('below the least transmission' not in said('read path=transmission.h5 ! minus-log'), 'no word of what is right')
    words = said('read path=transmission.h5 ! calculate expression=x-0.5 ! minus-log')
    share = 100 * np.mean(TRANSMISSION - np.float32(0.5) < 1e-6)
    tap.check(f"'minus-log': {share:.2g} % of the values are below the least transmission" in words, words)


def test_minus_log_is_what_flat_field_does():
    """With one flat of a constant, and no darks."""
    with h5py.File('constant.h5', 'w') as file:
        file['exchange/data'], file['exchange/theta'] = COUNTS, np.arange(N) * 180. / N
        file['exchange/data_white'] = np.full((1, ROWS, COLUMNS), 50000, np.uint16)
    np.testing.assert_allclose(made('read path=counts.h5 ! minus-log air=50000'), made('read path=constant.h5 ! flat-field'), atol=1e-6)


def rescaled(data, low, high, top):
    return np.rint((np.clip(data, low, high) - low) / (high - low) * top)


def test_rescale():
    for kind, top in ('u8', 255), ('u16', 65535):
        result = made_in_any_way(f'read path=transmission.h5 ! interleave ! rescale type={kind} min=0.1 max=0.8')
        right = rescaled(EXACT, 0.1, 0.8, top).transpose(1, 0, 2)
        tap.same(result.dtype, np.dtype('u1' if kind == 'u8' else 'u2'))
        tap.check(np.abs(result - right).max() <= 1 and np.mean(result != right) < 1e-4, kind)  # ties but for a rounding
    # As 'write' does it.
    sinograph('launch', '--quiet', '--device=native', 'read path=transmission.h5 ! write path=range.h5 type=u16 range=0.1:0.8')
    with h5py.File('range.h5') as file:
        tap.check(np.abs(file['exchange/data'][:].astype(int) - made('read path=transmission.h5 ! rescale type=u16 min=0.1 max=0.8')).max() <= 1, 'write')


def test_rescale_by_percentiles():
    for words, percentiles in drawn((('', (0.5, 99.5)), (' percentiles=0:100', (0, 100)), (' percentiles=10:60 type=u16', (10, 60))), 3):
        low, high = np.percentile(EXACT, percentiles)
        right = rescaled(EXACT, low, high, 65535 if 'u16' in words else 255)
        result = made_in_any_way(f'read path=transmission.h5 ! rescale{words}')
        # Limits are right to a part in 8192 of themselves.
        at_most(np.abs(result - right).max(), (65535 if 'u16' in words else 255) * high / (high - low) / 4096 + 1, f'error of{words}')
        slices = made_in_any_way(f'read path=transmission.h5 ! minus-log ! reconstruct axis=26 ! rescale{words}')
        tap.same(slices.shape, (ROWS, COLUMNS, COLUMNS))
    low, high = np.percentile(EXACT, (0.5, 99.5))
    words = said('read path=transmission.h5 ! rescale')
    tap.check('becomes 0, and ' in words and f'{low:.3g}' in words, words)


def test_one_limit_of_two():
    result = made('read path=transmission.h5 ! rescale min=0 percentiles=0:100')
    tap.check(np.abs(result - rescaled(EXACT, 0, EXACT.max(), 255)).max() <= 1, 'min alone')
    result = made('[read path=transmission.h5, read path=transmission.h5 ! percentiles between=0:100] ! rescale min=input max=input')
    tap.check(np.abs(result - rescaled(EXACT, EXACT.min(), EXACT.max(), 255)).max() <= 1, 'limits that come')


def test_rescale_says_what_it_clips():
    tap.check('beyond min= and max=' in said('read path=transmission.h5 ! rescale min=0.3 max=1'), 'clipped')
    tap.same(said('read path=transmission.h5 ! rescale min=0.01 max=1'), '')


def test_calculate():
    result = made_in_any_way('read path=transmission.h5 ! interleave lanes=16 ! calculate expression="-log(x) * 2 + x^2"')
    at_most(np.abs(result - (-2 * np.log(EXACT) + EXACT**2).transpose(1, 0, 2)).max(), 2e-6, 'error of an expression')
    ratio = COUNTS / COUNTS[:, ::-1].astype(float)
    for middle in '', ' ! interleave':
        result = made_in_any_way(f'[read path=counts.h5{middle}, read path=other.h5{middle}] ! calculate expression=x/y')
        right = ratio.transpose(1, 0, 2) if middle else ratio
        at_most(np.max(np.abs(result / right - 1)), 1e-7, 'error of a quotient of streams')


def test_calculate_of_two_in_lanes():
    """Of which a reconstruction wants its own."""
    line = '[read path=transmission.h5 ! interleave lanes=16, read path=transmission.h5 ! interleave lanes=4] ! calculate expression="x * y" ! reconstruct axis=26'
    right = 'read path=transmission.h5 ! calculate expression="x * x" ! reconstruct axis=26'
    np.testing.assert_allclose(made(line), made(right), rtol=0, atol=1e-6)


def test_json():
    nodes = [{'plugin': 'read', 'name': 'read', 'properties': {'path': 'transmission.h5'}},
             {'plugin': 'minus-log', 'name': 'minus-log', 'properties': {'least': 0.1}},
             {'plugin': 'calculate', 'name': 'calculate', 'properties': {'expression': 'x * 100'}},
             {'plugin': 'rescale', 'name': 'rescale', 'properties': {'type': 'u16', 'percentiles': '0:100'}},
             {'plugin': 'write', 'name': 'write', 'properties': {'path': 'json.h5'}}]
    names = [node['name'] for node in nodes]
    edges = [{'from': {'name': a}, 'to': {'name': b}} for a, b in zip(names, names[1:])]
    with open('graph.json', 'w') as file:
        json.dump({'sinograph': 1, 'nodes': nodes, 'edges': edges}, file)
    sinograph('run', '--quiet', '--device=native', 'graph.json')
    values = -np.log(np.maximum(EXACT, 0.1)) * 100
    with h5py.File('json.h5') as file:
        at_most(np.abs(file['exchange/data'][:] - rescaled(values, values.min(), values.max(), 65535)).max(), 1, 'steps of u16')


def test_errors():
    for line, wanted in (
            ('read path=counts.h5 ! minus-log', 'which are counts: set air= to the counts without sample'),
            ('read path=scan.h5 ! minus-log', "because the stream has flats: use 'flat-field' instead of this node"),
            ('read path=scan.h5 ! minus-log air=60000 ! flat-field', "'minus-log' has changed the counts already"),
            ('read path=transmission.h5 ! minus-log air=0', 'air'),
            ('read path=transmission.h5 ! minus-log least=0', 'least'),
            ('read path=transmission.h5 ! interleave ! ramp-filter ! minus-log', "'ramp-filter' has filtered the rows already"),
            ('read path=scan.h5 ! rescale min=0 max=1 ! flat-field', "'rescale' has changed the counts already"),
            ('read path=transmission.h5 ! rescale percentiles=5', 'percentiles=5: give two percentiles from 0 to 100'),
            ('read path=transmission.h5 ! rescale min=1 max=0', 'min=1 is not below max=0'),
            ('read path=transmission.h5 ! rescale min=input max=1', "nothing is connected to the input 'limits'"),
            ('[read path=transmission.h5, read path=transmission.h5 ! percentiles] ! rescale', 'set min=input'),
            ('read path=scan.h5 ! calculate expression=x ! flat-field', "'calculate' has changed the counts already"),
            ('read path=counts.h5 ! calculate expression="log(x"', 'column 6, the end'),
            ('read path=counts.h5 ! calculate', 'expression= is missing'),
            ('read path=counts.h5 ! calculate expression=x-y', "y is the value of the input 'other'"),
            ('[read path=counts.h5, read path=counts.h5 rows=0:5] ! calculate expression=x-y', "input 'other' wants u16 projections")):
        words = sinograph_fails('check', '--device=native', f'{line} ! write path=no.h5')
        tap.check(wanted in words, f'{line}: {words}')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        scans()
        tap.main(globals())
