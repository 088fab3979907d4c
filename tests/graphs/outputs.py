#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Two sinks of a graph never write the same file: found before the run, however the paths are written."""
import os
import subprocess
import tempfile
from pathlib import Path

import tap

PHANTOM = 'phantom width=8 height=3 object=shepp-logan-3d name=x'


def refused(one, other, file):
    """Two sinks, and the file that they share; without one, they may run."""
    for command in 'check', 'launch':
        done = subprocess.run([os.environ['SINOGRAPH'], command, '--quiet', f'{PHANTOM} ! {one} x. ! {other}'],
                              capture_output=True, text=True)
        first, second = one.split()[0], other.split()[0]
        title = f"'{second}-2' ({second})" if first == second else f"'{second}'"
        tap.same((done.returncode, done.stderr),
                 (2, f"sinograph: '{first}' and {title} would both write '{file}': give each a path of its own\n")
                 if file else (0, ''))
    if file:
        tap.check(not os.path.exists(file), 'nothing was written')


def test_one_file():
    refused('write path=a.h5', 'write path=a.h5', 'a.h5')
    refused('write path=a.tif', 'write path=./new/../a.tif type=f16', './new/../a.tif')
    refused('write path=a.h5', f'write path={os.getcwd()}//a.h5', os.getcwd() + '//a.h5')
    refused('preview path=a.png', 'preview path=a.png slice=0', 'a.png')


def test_sequences():
    refused('write path=new/%i.tif', 'write path=new/%i.tif type=f16', 'new/0.tif')
    refused('write path=%03i.tif', 'write path=002.tif', '002.tif')
    refused('write path=s%i.tif', 'write path=s%03i.tif', '')
    refused('write path=t%i.tif', 'write path=t3.tif', '')


def test_folders():
    """Nothing is written into a result that is a folder, which would take it away with the one that it replaces."""
    os.makedirs('deep')
    os.symlink('deep', 'shallow')
    here = os.getcwd()
    for inner in 'shallow/v.zarr/0/x.tif', 'deep/v.zarr/x%i.tif', 'deep/v.zarr/0/w.zarr':
        for swapped in False, True:
            sinks = [f'write path={path} overwrite=true' for path in ('deep/v.zarr', inner)]
            one, other = reversed(sinks) if swapped else sinks
            title, outer = ("'write'", "'write-2' (write)") if swapped else ("'write-2' (write)", "'write'")
            done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--quiet', f'{PHANTOM} ! {one} x. ! {other}'],
                                  capture_output=True, text=True)
            file = inner.replace('shallow', 'deep').replace('%i', '0')
            tap.same((done.returncode, done.stderr),
                     (2, f"sinograph: {title} would write '{here}/{file}' into '{here}/deep/v.zarr', which {outer} writes: "
                         "give it another path\n"))
    tap.same(os.listdir('deep'), [])
    refused('write path=deep/v.zarr', 'write path=deep/v.zarr.tif', '')


def test_links():
    os.mkdir('here')
    os.symlink('here', 'there')
    refused('write path=here/a.h5', 'write path=there/a.h5', 'there/a.h5')
    refused('write path=here/b/a.h5', 'write path=there/b/a.h5', 'there/b/a.h5')


def test_what_is_read():
    """Geometry and angles that a node reads are not replaced either."""
    Path('geometry.tif').write_text('matrices\n' + '10 0 0 40 0 0 10 20 0 0 0 10\n' * 9)
    Path('angles.tif').write_text('\n'.join(str(20 * i) for i in range(9)))
    subprocess.run([os.environ['SINOGRAPH'], 'launch', '-q', 'simulate width=8 height=4 projections=9 ! write path=scan.h5'], check=True)
    for line, file in {'simulate width=8 height=4 projections=9 geometry=geometry.tif': 'geometry.tif',
                       'phantom width=8 height=4 ! forward-project projections=9 geometry=geometry.tif': 'geometry.tif',
                       'read path=scan.h5 angles=angles.tif': 'angles.tif'}.items():
        before = Path(file).read_bytes()
        done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '-q', f'{line} ! write path={file} overwrite=true'],
                              capture_output=True, text=True)
        reader = line.split(' ! ')[-1].split()[0]
        tap.same((done.returncode, done.stderr),
                 (2, f"sinograph: 'write' would replace '{file}', which '{reader}' reads: give it another path\n"))
        tap.check(Path(file).read_bytes() == before, 'the file is as it was')


def test_what_is_read_in_a_folder():
    """A chunk of an OME-Zarr is a file that `read` can take for raw pixels."""
    launch = [os.environ['SINOGRAPH'], 'launch', '-q']
    subprocess.run([*launch, f'{PHANTOM} ! write path=raw.zarr compression=none'], check=True)
    chunk = 'raw.zarr/0/0/0/0'
    before = Path(chunk).read_bytes()
    done = subprocess.run([*launch, f'read path={chunk} raw=f32:64x64 axes=slices ! write path=raw.zarr overwrite=true'],
                          capture_output=True, text=True)
    tap.same((done.returncode, done.stderr),
             (2, f"sinograph: 'write' would replace '{chunk}', which 'read' reads: give it another path\n"))
    tap.check(Path(chunk).read_bytes() == before, 'the file is as it was')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tap.main(globals())
