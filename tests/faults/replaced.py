#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""An old output in several files is replaced, and calls of the system fail or the process is killed in between: the old or the new
output is there, whole. Costs 30 s of the processor. usage: replaced.py SINOGRAPH FAULTS.so"""
import errno
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tap
from tap import check, same

PROGRAM, FAULTS = (os.path.abspath(word) for word in sys.argv[1:3])
SECONDS = 60
LINE = 'simulate width=16 height=4 projections={} type=f32 ! write path=out/volume.h5 overwrite=true files={}'


def start(folder, graph, rules='', options=()):
    return subprocess.Popen([PROGRAM, 'launch', '-q', '--device=native', *options, graph], cwd=folder, text=True, stderr=subprocess.PIPE,
                            env={**os.environ, 'LD_PRELOAD': FAULTS, 'SINO_FAULTS': rules, 'SINO_FAULTS_STRUCK': str(folder / 'struck')})


def run(folder, graph, rules='', options=()):
    with start(folder, graph, rules, options) as process:
        error = process.communicate(timeout=SECONDS)[1]
    return process.returncode, error


def has_struck(folder):
    struck = folder / 'struck'
    return struck.exists() and struck.stat().st_size > 0


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


class Place:
    """A folder with an old output of `old` files, which one of `new` files is to replace."""

    def __init__(self, folder, old, new):
        self.folder, self.out = Path(folder), Path(folder) / 'out'
        self.graphs = LINE.format(5, old), LINE.format(7, new)
        self.outputs = []
        for graph in self.graphs:
            same(run(self.folder, graph), (0, ''))
            self.outputs.append(content(self.out))
            shutil.rmtree(self.out)

    def begin(self):
        shutil.rmtree(self.out, ignore_errors=True)
        (self.folder / 'struck').unlink(missing_ok=True)
        self.out.mkdir()
        for name, data in self.outputs[0].items():
            (self.out / name).write_bytes(data)

    def replace(self, rules='', options=()):
        return run(self.folder, self.graphs[1], rules, options)

    def kept(self):
        """Folders where the old files may be, beside their place."""
        return list(self.out.glob('volume.h5.*.old'))

    def is_there(self, folder, output):
        there = content(folder)
        return all(there.get(name) == data for name, data in output.items())

    def one_is_there(self):
        return any(self.is_there(self.out, output) for output in self.outputs) or \
            any(self.is_there(folder, self.outputs[0]) for folder in self.kept())


def struck_runs(place, rules):
    """Each run in which the next such call fails, until there are no more of them."""
    for nth in range(1, 60):
        place.begin()
        result = place.replace(rules.format(nth))
        if not has_struck(place.folder):
            same((*result, content(place.out), place.kept()), (0, '', place.outputs[1], []))
            check(nth > 1, f'{rules} never strikes')
            return
        yield nth, *result


def fails(rules, old=3, new=2):
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder, old, new)
        failed = 0
        for nth, status, error in struck_runs(place, rules):
            what = f'{rules.format(nth)}: {status} {error!r} {sorted(os.listdir(place.out))}'
            if status == 0:
                check(error == '' and place.is_there(place.out, place.outputs[1]), what)
                continue
            failed += 1
            check(status == 1 and "'write': cannot " in error and os.strerror(errno.EIO) in error and error.count('\n') == 1, what)
            same((what, content(place.out) == place.outputs[0], place.kept()), (what, True, []))
        check(failed > 0, f'{rules} never ends a run')


def test_a_rename_fails():
    for old, new in (3, 2), (2, 3):
        fails(f'rename path=volume nth={{}} times=1 error={errno.EIO}', old, new)


def test_a_rename_fails_without_hard_links():
    fails(f'link path=volume error={errno.EPERM};rename path=volume nth={{}} times=1 error={errno.EIO}')


def test_a_sync_fails():
    """Of files and folders. The new output may have got its place by then."""
    fails(f'fsync path=out nth={{}} times=1 error={errno.EIO}')


def test_no_more_renames():
    """So that the old files cannot be put back, either: they are where the next run says."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder, 3, 2)
        for nth, status, error in struck_runs(place, f'rename path=volume nth={{}} error={errno.EIO}'):
            check(status == 1 and place.one_is_there(), (nth, error))


def killed(place, rules):
    """Whether it was killed just before such a call."""
    place.begin()
    with start(place.folder, place.graphs[1], rules) as process:
        end = time.monotonic() + SECONDS
        while process.poll() is None and not has_struck(place.folder):
            check(time.monotonic() < end, f'{rules}: it hangs')
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    if not has_struck(place.folder):
        same((content(place.out), place.kept()), (place.outputs[1], []))
    return has_struck(place.folder)


def goes_on(place, what):
    """A run that resumes ends with the new output, and leaves nothing else."""
    if (place.out / 'volume.h5.journal').exists():
        same((what, *place.replace(options=('--resume',))[:1]), (what, 0))
        (place.out / 'volume.h5.journal').unlink()
        same((what, content(place.out) == place.outputs[1], place.kept()), (what, True, []))


def starts_again(place, what):
    """One that does not is refused as long as the old files are aside; they can be moved back."""
    (place.out / 'volume.h5.journal').unlink(missing_ok=True)
    if not (place.out / 'volume.h5').exists():
        kept, = place.kept()
        same((what, *place.replace()), (what, 1, "sinograph: 'write': a run was interrupted while it replaced 'out/volume.h5', and its old "
                                        f"files are in 'out/{kept.name}': move them back, or remove that folder\n"))
        for path in kept.iterdir():
            if path.name.startswith('volume'):
                path.replace(place.out / path.name)
        check(place.is_there(place.out, place.outputs[0]), what)
    same((what, place.replace()[0]), (what, 0))
    same((what, content(place.out) == place.outputs[1], place.kept()), (what, True, []))


def test_kills():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder, 3, 2)
        missing = 0
        for call in 'link', 'unlink', 'rename':
            for nth in range(1, 20):
                what = f'{call} path=volume nth={nth} delay=100000'
                if not killed(place, what):
                    break
                check(place.one_is_there(), f'{what}: {sorted(os.listdir(place.out))}')
                missing += not (place.out / 'volume.h5').exists()
                starts_again(place, what)
                killed(place, what)
                goes_on(place, what)
            check(nth > 1, f'no {call}')
        check(missing > 2, missing)


tap.main(globals(), at_once=2)
