#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The node reconstruct gives what the nodes give that it stands for, and both methods the object."""
import json
import re
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tap
from program import at_least, reconstruct, sinograph, sinograph_fails

N, ROWS = 80, 5
SCAN = f'simulate object=shepp-logan width={N} height={ROWS} projections=120 axis=41.5'
PLACE = 'axis=41 angle-offset=12.5 weights=spacing roi-x=10 roi-y=20 roi-width=50 roi-height=37'


def same_bytes(node, written_out, scan=SCAN):
    got, wanted = (reconstruct(f'{scan} ! {chain} ! write path=PATH') for chain in (node, written_out))
    assert got.shape == wanted.shape and got.tobytes() == wanted.tobytes(), (node, written_out)
    return got


def test_direct():
    same_bytes('reconstruct method=direct', 'ramp-filter ! interleave ! back-project')
    same_bytes(f'reconstruct method=direct {PLACE} window=hann cutoff=0.7 padding-mode=edge interpolation=nearest mask=true',
               f'ramp-filter window=hann cutoff=0.7 padding-mode=edge ! interleave ! back-project {PLACE} interpolation=nearest '
               'mask=true')  # fmt: skip
    same_bytes('reconstruct window=butterworth order=4 precision=int16',
               'ramp-filter window=butterworth order=4 ! interleave ! back-project precision=int16')
    same_bytes('reconstruct method=direct window=sinc power=2', 'ramp-filter window=sinc power=2 ! interleave ! back-project')


def test_fourier():
    same_bytes('reconstruct method=fourier', 'interleave ! fourier-reconstruct')
    same_bytes(f'reconstruct method=fourier {PLACE} window=parzen cutoff=0.9 padding-mode=edge accuracy=2e-4 mask=true',
               f'interleave ! fourier-reconstruct {PLACE} window=parzen cutoff=0.9 padding-mode=edge accuracy=2e-4 mask=true')


def test_sinograms():
    """As they come from a file, one detector row after the other."""
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/scan.h5'
        sinograph('launch', '--quiet', '--device=native', f'{SCAN} ! interleave ! write path={path}')
        scan = f'read path={path} axes=sinograms'
        same_bytes('reconstruct method=direct', 'ramp-filter ! interleave ! back-project', scan)
        same_bytes('reconstruct method=fourier', 'interleave ! fourier-reconstruct', scan)


def test_both_methods_give_the_object():
    """The windows that belong to the methods make them alike: what is correlated is edges and levels."""
    wide = 'simulate object=shepp-logan width=256 height=1 projections=400'
    made = {m: reconstruct(f'{wide} ! reconstruct method={m} mask=true ! write path=PATH') for m in ('direct', 'fourier')}
    truth = reconstruct('phantom object=shepp-logan width=256 ! write path=PATH')
    for method, slices in made.items():
        at_least(np.corrcoef(slices.ravel(), truth.ravel())[0, 1], 0.97, method)
    # Their blurs differ in shape alone, a small part of what both differ from the object by (correlation 0.98).
    at_least(np.corrcoef(made['direct'].ravel(), made['fourier'].ravel())[0, 1], 0.9985, 'between the methods')


def test_plan_and_provenance():
    plan = sinograph('plan', '--device=native', f'{SCAN} ! reconstruct name=rec roi-width=4 roi-height=4 ! null')
    why = r"\n'rec' \(reconstruct\): direct, about [0-9.e-]+ s; fourier would take [0-9.e-]+ s\n"
    assert re.search(why, plan), plan
    assert re.search(r"\n  'rec/back-project' .*native kernel", plan), plan
    with tempfile.TemporaryDirectory() as folder:
        sinograph('launch', '--quiet', '--device=native', f'{SCAN} ! reconstruct name=rec method=fourier accuracy=2e-4 ! '
                  f'write path={folder}/out.h5')  # fmt: skip
        with h5py.File(f'{folder}/out.h5') as file:
            told = json.loads(file['exchange/data'].attrs['provenance'])
    assert told['graph']['nodes'][1] == {'plugin': 'reconstruct', 'name': 'rec',
                                         'properties': {'method': 'fourier', 'accuracy': 0.0002}}, told  # fmt: skip
    parts = told['expanded']['rec']['nodes']
    assert [part['plugin'] for part in parts] == ['interleave', 'fourier-reconstruct'], parts
    assert parts[1]['properties'] == {'accuracy': 0.0002}, parts  # all else has its usual value
    assert list(told['variants']) == ['rec/fourier-reconstruct'], told
    assert '5 x 5 cells' in told['variants']['rec/fourier-reconstruct'], told


def test_memory():
    """Gridding has all frequencies of many slices in memory: the message says what takes less."""
    error = sinograph_fails('plan', '--device=native', '--memory=1M', f'{SCAN} ! reconstruct name=rec method=fourier ! null')
    assert re.search(r"\); 'rec/fourier-reconstruct' alone needs [0-9.]+ MiB, 'rec' \(reconstruct\) needs less with method=direct: "
                     'raise --memory or reconstruct a smaller region\n$', error), error  # fmt: skip


def test_axis_far_away():
    """Gridding pads rows as far as the axis of any projection: up to a length."""
    with tempfile.TemporaryDirectory() as folder:
        line = f'simulate width=800 height=32 projections=800 ! reconstruct axis={folder}/axis ! null'
        for one, method in ('40000', 'direct, about [0-9.]+ s: the axis is too far from the detector for fourier'), \
                           ('4000', 'fourier, '):
            Path(folder, 'axis').write_text('400.5\n' * 799 + one)
            assert re.search(rf"\n'reconstruct': {method}", sinograph('plan', '--device=native', line))


def test_statistics():
    out = sinograph('launch', '--device=native', '--stats', f'{SCAN} ! reconstruct method=direct ! null')
    for part in ('ramp-filter', 'interleave', 'back-project'):
        assert re.search(rf'\nreconstruct/{part} +[1-9]', out), out
    assert re.search(r'^5 slices in .* GUPS', out), out


def test_errors():
    def fails(chain, message, scan=SCAN):
        error = sinograph_fails('check', f'{scan} ! {chain} ! null')
        assert error == f'sinograph: {message}\n', error

    fails('reconstruct name=rec method=direct axis=none.txt',
          "'rec/back-project': axis=none.txt is neither 'auto' nor a number, nor a file that can be read: give the "
          "column of the rotation axis, or a text file with one number per projection ('rec' (reconstruct) sets its "
          'properties)')  # fmt: skip
    fails('reconstruct', "'reconstruct', fed by 'phantom': wants projections or sinograms, got f32 slices (z 1, y 512, x 512): leave this "
                         "node out, because slices are reconstructed already, or correct axes= of 'read'",
          'phantom')  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/scan.h5'
        with h5py.File(path, 'w') as file:
            file['exchange/data'] = np.zeros((7, 2, 16), np.float32)
        error = sinograph_fails('check', f'read path={path} ! reconstruct ! null')
        assert "reconstruct/interleave': the projections have no angles: give 'read' angles=start:stop" in error, error


tap.main(globals())
