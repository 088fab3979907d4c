#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Graphs of UFO: the slices of the graphs of ours that they stand for, what cannot be translated, and, where ufo-launch runs, its own slices."""
import json
import os
import shutil
import subprocess
import tempfile
from unittest import SkipTest

import h5py
import numpy as np
import tap
import tifffile
from program import SOURCE, at_least, sinograph, sinograph_fails

WIDTH, COUNT = 128, 180
STEP = np.pi / COUNT
FILTER = 'fft dimensions=1 ! filter filter=ramp-fromreal ! ifft dimensions=1'
BACK = f'backproject axis-pos={WIDTH / 2} angle-step={STEP}'
OURS = 'ramp-filter padding-mode=zero ! interleave ! back-project axis=64'
PHASE = 'energy=20 distance=0.05 pixel-size=0.65e-6'


def simulated():
    sinograph('launch', '--quiet', f'simulate width={WIDTH} height=2 projections={COUNT} angles=0:-180 darks=3 flats=3 type=u16 photons=100000 ! '
              'write path=scan.h5')
    with h5py.File('scan.h5') as file:
        for name in 'data', 'data_dark', 'data_white':
            tifffile.imwrite(f'{name}.tif', file[f'exchange/{name}'][:], photometric='minisblack')
            # As other datasets, none of which has darks, flats or angles beside it.
            with h5py.File(f'{name}.h5', 'w') as alone:
                alone['images'] = file[f'exchange/{name}'][:]
    sinograph('launch', '--quiet', 'read path=scan.h5 ! flat-field ! write path=clean.tif')


def read(name, ending='.tif'):
    return f'read path={name}{ending}' + (':/images' if ending == '.h5' else '')


def corrected(ending, average='! average'):
    return (f'[{read("data", ending)} number={COUNT}, {read("data_dark", ending)} {average}, {read("data_white", ending)} {average}] ! '
            'flat-field-correct absorption-correct=true fix-nan-and-inf=true')


def slices(command, line):
    sinograph(command, '--quiet', *([line] if isinstance(line, str) else line))
    made = tifffile.imread('out.tif')
    os.remove('out.tif')
    return made


def ufo(line):
    return slices('launch', f'{line} ! write filename=out.tif')


def ours(line):
    return slices('launch', f'{line} ! write path=out.tif')


def correlation(a, b):
    y, x = np.mgrid[:WIDTH, :WIDTH] - (WIDTH - 1) / 2
    inside = x**2 + y**2 < (WIDTH / 2 - 2)**2
    return np.corrcoef(a[:, inside].ravel(), b[:, inside].ravel())[0, 1]


def likeness(a, b):
    """1 for the same values: unlike a correlation it sees a factor."""
    return 1 - np.sqrt(np.mean((a - b)**2) / np.mean(b**2))


def test_tiff_and_hdf5():
    want = ours(f'read path=scan.h5 ! flat-field ! {OURS}')
    chain = f'transpose-projections number={COUNT} ! {FILTER} crop-width={WIDTH} ! {BACK}'
    for ending in '.tif', '.h5':
        at_least(likeness(ufo(f'{corrected(ending)} ! {chain}'), want), 0.99999, f'from {ending}')
    at_least(correlation(ufo(f'{corrected(".tif", "! stack number=3 ! flatten mode=median")} ! {chain}'), want), 0.999, 'with the median')


def test_every_third_image():
    made = ufo(f'{read("data")} start=5 step=3 number=7')
    tap.same(made.tolist(), tifffile.imread('data.tif')[5:26:3].tolist())


def test_object():
    sinograph('launch', '--quiet', f'phantom width={WIDTH} ! write path=truth.tif overwrite=true')
    made = ufo(f'{read("clean")} ! transpose-projections number={COUNT} ! {FILTER} ! {BACK}')
    at_least(correlation(made[:1], tifffile.imread('truth.tif').reshape(1, WIDTH, WIDTH)), 0.9, 'the object')


def test_padding():
    chain = f'transpose-projections number={COUNT} ! pad x=64 width=256 addressing-mode=clamp_to_edge ! {FILTER} ! crop x=64 width={WIDTH} ! {BACK}'
    want = ours('read path=scan.h5 ! flat-field ! ' + OURS.replace('zero', 'edge'))
    at_least(likeness(ufo(f'{read("clean")} ! {chain}'), want), 0.99999, 'padded')


def test_phase():
    rate = 2
    log = f"calculate expression='-log({2 / 10**rate} * v)'"
    line = corrected('.tif').replace('=true fix', '=false fix')
    line += (f' ! pad width=256 height=4 ! fft dimensions=2 ! retrieve-phase method=tie {PHASE} regularization-rate={rate} ! ifft dimensions=2 ! '
             f'crop width={WIDTH} height=2 ! {log} ! transpose-projections number={COUNT} ! {FILTER} ! {BACK}')
    want = ours(f'read path=scan.h5 ! flat-field absorption=false ! retrieve-phase {PHASE} delta-beta=100 ! {OURS}')
    at_least(likeness(ufo(line), want), 0.99999, 'with phase retrieval')


def node(plugin, **properties):
    return {'plugin': plugin, 'name': f'{plugin}-0', 'package': '', 'properties': {k.replace('_', '-'): v for k, v in properties.items()}}


def tofu():
    """The graph that tofu's tomo makes of projections without a number for padding: transposed, padded, filtered, cropped."""
    return [node('read', path='clean.tif', start=0, number=COUNT, step=1, y=0, y_step=1, convert=True),
            node('transpose-projections', number=COUNT), node('pad', x=64, y=0, width=256, height=COUNT, addressing_mode='clamp_to_edge'),
            node('fft', dimensions=1), node('filter', filter='ramp-fromreal', cutoff=0.5), node('ifft', dimensions=1),
            node('crop', x=64, y=0, width=WIDTH, height=COUNT, from_center=False),
            node('backproject', axis_pos=WIDTH / 2, angle_step=STEP, angle_offset=0.0, roi_x=0, roi_y=0, offset=0),
            node('write', filename='out.tif', append=False)]


def save(nodes):
    edges = [{'from': {'name': a['name']}, 'to': {'name': b['name'], 'input': 0}} for a, b in zip(nodes, nodes[1:])]
    with open('graph.json', 'w') as file:
        json.dump({'nodes': nodes, 'edges': edges}, file)


def test_json():
    save(tofu())
    want = ours('read path=scan.h5 ! flat-field ! ' + OURS.replace('zero', 'edge'))
    at_least(likeness(slices('run', 'graph.json'), want), 0.99999, 'the graph of tofu')


def test_dry_run():
    """tofu writes nothing then; without projections it makes data up, too."""
    save([*tofu()[:-1], node('null')])
    sinograph('run', '--quiet', 'graph.json')
    save([node('dummy-data', width=WIDTH, height=WIDTH, number=1), *tofu()[3:6], node('backproject', axis_pos=64.0), node('null')])
    tap.check("UFO's 'dummy-data': it has no data to reconstruct; use 'simulate'" in sinograph_fails('run', 'graph.json'), 'dummy-data')


def test_refused():
    clean = read('clean')
    for line, said in (
            (f'{clean} ! opencl kernel=fix_nan ! null', "UFO's 'opencl': write the kernel's arithmetic as 'calculate expression='"),
            (f'{clean} ! fft ! ifft ! null', "UFO's 'fft': it is supported only around filter"),
            (f'{clean} ! {FILTER.replace("ramp-fromreal", "faris-byer")} ! null', "UFO's 'filter filter=': 'faris-byer' has no equivalent here"),
            (f'{clean} ! {BACK} ! null', "UFO's 'backproject angle-step=': the number of projections is unknown"),
            (f'{clean} number={COUNT} ! average ! null', "UFO's 'average': frames can be combined only for the darks and flats"),
            (f'{clean} ! transpose-projections ! backproject burst=4 ! null', "UFO's 'backproject burst=': this property of UFO is not"),
            (f'{clean} start=1 ! remove-rings ! null', "UFO's 'remove-rings': no UFO node"),
            (f'{clean} raw-width=5 ! null', "UFO's 'read raw-width=': set raw=u16:"),
            (f'{clean} ! fft dimensions=2 ! retrieve-phase method=qp ! ifft dimensions=2 ! null', 'the opposite sign'),
            (f'{clean} ! write filename=x.tif minimum=0', "UFO's 'write minimum=': give minimum and maximum")):
        tap.check(said in (got := sinograph_fails('launch', line)), f'{line}\nsays {got}\nnot {said}')


def test_page():
    """The guide's table is the data that the program has."""
    table = json.loads((SOURCE / 'src/ufo/table.json').read_text())
    page = (SOURCE / 'docs/guide/for-ufo-users.md').read_text()
    tap.same(page.split('<!-- table -->\n')[1].split('<!-- /table -->')[0], markdown(table))


def markdown(table):
    lines = ['| UFO | here | |', '|---|---|---|']
    for name, entry in table.items():
        lines.append(f'| **`{name}`** | {code(entry)} | {about(entry)} |')
        lines += [f'| `{name} {key}` | {code(cells)} | {about(cells)} |' for key, cells in entry.get('properties', {}).items()]
    return ''.join(line + '\n' for line in lines)


def code(entry):
    return f'`{entry["here"]}`' if entry.get('here') else ''


def about(entry):
    parts = [entry.get('rewrite', '')]
    parts += [f'{label}{entry[key]}' for key, label in (('ignored', 'has no effect: '), ('refused', 'refused: ')) if key in entry]
    parts += [', '.join(f'{a}: {b}' for a, b in entry.get('values', {}).items())]
    parts += [f'times {entry["factor"]:.6g}' if 'factor' in entry else '', f'{entry["absent"]} where absent' if 'absent' in entry else '']
    return '; '.join(part for part in parts if part)


def test_beside_ufo():
    if not shutil.which('ufo-launch'):
        raise SkipTest('ufo-launch is absent')
    # Its rows are not padded, and its pad wants images, which PoCL has not: zeros in the file keep their ends apart.
    sinograph('launch', '--quiet', f'read path=clean.tif ! pad left={WIDTH // 2} right={WIDTH // 2} mode=zero ! write path=wide.tif')
    line = (f'{read("wide")} ! transpose-projections number={COUNT} ! {FILTER} crop-width={2 * WIDTH} ! '
            f'backproject axis-pos={WIDTH} angle-step={STEP} mode=nearest')
    done = subprocess.run(['ufo-launch', '-q', *line.split(), '!', 'write', 'filename=ufo.tif'], capture_output=True, text=True,
                          env=os.environ | {'UFO_DEVICE_TYPE': 'cpu'}, timeout=300)
    if done.returncode != 0 or not os.path.exists('ufo.tif'):
        raise SkipTest('ufo-launch does not run: ' + done.stderr[-200:].replace('\n', ' '))
    inner = np.s_[:, WIDTH // 2:-WIDTH // 2, WIDTH // 2:-WIDTH // 2]
    at_least(correlation(ufo(line)[inner], tifffile.imread('ufo.tif')[inner]), 0.999, 'beside UFO')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        simulated()
        tap.main(globals())
