#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read follow=true` of files that another process writes meanwhile: the bytes of the complete file, or a clear end. Costs 2 s of the processor, and 45 s of waiting."""
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np
import tap

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name)
N, ROWS, COLUMNS = 40, 8, 32
FRAMES = np.random.default_rng(0).integers(100, 1000, (N, ROWS, COLUMNS)).astype('u2')
CHAIN = '! flat-field ! reconstruct axis=16 ! write path={} overwrite=true'
REFERENCES = {'data_white': np.full((3, ROWS, COLUMNS), 1000, 'u2'), 'data_dark': np.zeros((3, ROWS, COLUMNS), 'u2')}


def begin(name, shape, swmr=False, angles=N):
    """A file with references, angles, and no projection; and its dataset."""
    file = h5py.File(PATH / name, 'w', libver='latest' if swmr else 'earliest')
    for key, frames in REFERENCES.items():
        file[f'exchange/{key}'] = frames
    file['exchange/theta'] = np.arange(angles) * 180 / N
    data = file.create_dataset('exchange/data', shape, 'u2', maxshape=(None, ROWS, COLUMNS), chunks=(1, ROWS, COLUMNS))
    if swmr:
        file.swmr_mode = True
    file.flush()
    return file, data


def grow(name, swmr, numbers=range(N), whole=False, pause=.01):
    """Writes a file projection by projection. whole: the dataset has its extent from the beginning."""
    time.sleep(.2)  # the run is there before the file
    file, data = begin(name, (N if whole else 0, ROWS, COLUMNS), swmr)
    for number in numbers:
        if not whole:
            data.resize(number + 1, 0)
        data[number] = FRAMES[number]
        file.flush()
        time.sleep(pause)
    time.sleep(.25)  # the run reads while the file is open
    file.close()


def grow_parts(name):
    """A virtual dataset over files that come later, each as a whole, as those of Eiger detectors."""
    layout = h5py.VirtualLayout((N, ROWS, COLUMNS), 'u2')
    for part in range(4):
        layout[part * 10:part * 10 + 10] = h5py.VirtualSource(f'part_{part}.h5', 'data', (10, ROWS, COLUMNS))
    with h5py.File(PATH / name, 'w', libver='latest') as file:
        for key, frames in REFERENCES.items():
            file[f'exchange/{key}'] = frames
        file['exchange/theta'] = np.arange(N) * 180 / N
        file.create_virtual_dataset('exchange/data', layout)
    for part in range(4):
        time.sleep(.15)
        with h5py.File(PATH / f'part_{part}.h5', 'w') as file:
            file.create_dataset('data', data=FRAMES[part * 10:part * 10 + 10], chunks=(1, ROWS, COLUMNS))


def tiff(frame):
    """The bytes of a TIFF file with one strip."""
    head = [(256, 4, COLUMNS), (257, 4, ROWS), (258, 3, 16), (259, 3, 1), (262, 3, 1), (273, 4, 8), (277, 3, 1), (278, 4, ROWS),
            (279, 4, frame.nbytes)]
    entries = b''.join(np.array([tag, kind], '<u2').tobytes() + np.array([1, value], '<u4').tobytes() for tag, kind, value in head)
    return (b'II*\0' + np.array(8 + frame.nbytes, '<u4').tobytes() + frame.astype('<u2').tobytes() +
            np.array(len(head), '<u2').tobytes() + entries + bytes(4))


def grow_folder(name, numbers=range(N)):
    """A folder of images, each of which is there for a moment before all of it is written."""
    (PATH / name).mkdir()
    for number in numbers:
        content = tiff(FRAMES[number])
        with open(PATH / name / f'image_{number:04}.tif', 'wb', buffering=0) as file:
            file.write(content[:100])
            time.sleep(.01)
            file.write(content[100:])


def launch(line, *words):
    return subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native', *words, line], capture_output=True, text=True, timeout=60)


def slices(path):
    with h5py.File(path) as file:
        return file['exchange/data'][:]


def whole(numbers=range(N), source=None):
    """Slices of a complete file with these projections."""
    with h5py.File(PATH / 'whole.h5', 'w') as file:
        for key, frames in REFERENCES.items():
            file[f'exchange/{key}'] = frames
        file['exchange/data'], file['exchange/theta'] = FRAMES[list(numbers)], np.array(list(numbers)) * 180 / N
    done = launch(f'{source or "read path=" + str(PATH / "whole.h5")} {CHAIN.format(PATH / "whole-slices.h5")}')
    tap.check(done.returncode == 0, done.stderr)
    return slices(PATH / 'whole-slices.h5')


def follow(writer, arguments, path, settings, *words):
    """(what the run said, slices or None) of a run beside a process that writes."""
    out = PATH / 'out.h5'
    out.unlink(missing_ok=True)
    process = multiprocessing.Process(target=writer, args=arguments)
    process.start()
    done = launch(f'read path={path} follow=true {settings} {CHAIN.format(out)}', *words)
    process.join()
    return done, slices(out) if done.returncode == 0 else None


def same_as_whole(writer, arguments, path, settings, numbers=range(N), **source):
    done, got = follow(writer, arguments, path, settings)
    tap.check(done.returncode == 0, f'{settings}: {done.stderr}')
    tap.check(np.array_equal(got, whole(numbers, **source)), f'{settings}: other bytes')
    return done.stderr


def test_hdf5():
    """Whoever writes: with SWMR, with plain flushes, into a dataset that is as large as the scan from the beginning."""
    for name, swmr, all_at_once in ('swmr.h5', True, False), ('plain.h5', False, False), ('full.h5', True, True):
        same_as_whole(grow, (name, swmr, range(N), all_at_once), PATH / name, f'frames={N}')


def test_unknown_number():
    """The scan ends when no more comes."""
    same_as_whole(grow, ('unknown.h5', True), PATH / 'unknown.h5', 'timeout=3')


def test_virtual():
    same_as_whole(grow_parts, ('master.h5',), PATH / 'master.h5', f'frames={N}')


def test_folder():
    """Images that are not complete yet are not read."""
    flats, darks = PATH / 'flat.tif', PATH / 'dark.tif'
    flats.write_bytes(tiff(REFERENCES['data_white'][0]))
    darks.write_bytes(tiff(REFERENCES['data_dark'][0]))
    more = f'flats={flats} darks={darks} angles=0:180'
    done, got = follow(grow_folder, ('images',), PATH / 'images', f'{more} frames={N}')
    tap.check(done.returncode == 0, done.stderr)
    done, wanted = follow(time.sleep, (0,), PATH / 'images', f'{more} frames={N}')
    tap.check(np.array_equal(got, wanted), 'other bytes')
    tap.check(np.array_equal(got, whole(source=f'read path={PATH / "images"} {more}')), 'other bytes than without follow')


def test_progress():
    """It counts projections while they come."""
    process = multiprocessing.Process(target=grow, args=('progress.h5', True), kwargs={'pause': .05})
    process.start()
    said = launch(f'read path={PATH}/progress.h5 follow=true frames={N} ! null', '--progress=json').stdout
    process.join()
    events = [json.loads(line) for line in said.splitlines()]
    counts = [(event['frames-done'], event['frames-total']) for event in events if event['event'] == 'progress']
    tap.check(counts == sorted(counts) and counts[-1] == (N, N) and 0 < counts[0][0] < N, counts)
    statistics = events[-1]['statistics']
    tap.same((statistics['frames-done'], statistics['frames-total']), (N, N))


def test_short_scan():
    numbers = range(25)
    done, _ = follow(grow, ('short.h5', True, numbers), PATH / 'short.h5', f'frames={N} timeout=3')
    tap.check(done.returncode != 0 and re.search("'read': no new projection has come for 3 s, and 25 of 40 are there: set short-scan=finish", done.stderr),
              done.stderr)
    same_as_whole(grow, ('finish.h5', True, numbers, True), PATH / 'finish.h5', f'frames={N} timeout=3 short-scan=finish', numbers)


def test_lost():
    numbers = [number for number in range(N) if number not in (7, 8, 30)]
    done, _ = follow(grow, ('lost.h5', True, numbers, True), PATH / 'lost.h5', f'frames={N} timeout=3')
    tap.check(done.returncode != 0 and 'projection 7 is lost, of those up to 39: set missing=skip' in done.stderr, done.stderr)
    said = same_as_whole(grow, ('skip.h5', True, numbers, True), PATH / 'skip.h5', f'frames={N} timeout=3 missing=skip', numbers)
    tap.check('7 to 8, 30' in said, said)


def test_unknown_pages():
    """Layouts that do not tell which projections were written would give zeros."""
    def layout(file, early=False, **how):
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        creation.set_chunk(how.get('chunks', (1, ROWS, COLUMNS)))
        if early:
            creation.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        group = file.create_group('exchange')
        h5py.h5d.create(group.id, b'data', h5py.h5t.STD_U16LE, h5py.h5s.create_simple((N, ROWS, COLUMNS)), creation)
    for how, words in ({'early': True}, 'has room for its chunks before'), ({'chunks': (5, ROWS, COLUMNS)}, 'has chunks with several projections'):
        with h5py.File(PATH / 'layout.h5', 'w') as file:
            layout(file, **how)
        done = launch(f'read path={PATH}/layout.h5 follow=true frames={N} timeout=5 ! null')
        tap.check(done.returncode != 0 and words in done.stderr, done.stderr)


def refused_beside(writer, arguments, path, settings, words):
    process = multiprocessing.Process(target=writer, args=arguments)
    process.start()
    done = launch(f'read path={path} follow=true {settings} ! null')
    process.join()
    tap.check(done.returncode != 0 and words in done.stderr, f'{settings}: {done.stderr}')


def darks_first(name):
    """The darks are there before anything else."""
    with h5py.File(PATH / name, 'w', libver='latest') as file:
        file.create_dataset('exchange/data_dark', data=FRAMES[:20], chunks=(1, ROWS, COLUMNS))
        file.swmr_mode = True
        time.sleep(.6)


def late_angles(name):
    """Angles have their extent from the beginning, and are written at the end."""
    file, data = begin(name, (0, ROWS, COLUMNS))
    file['exchange/theta'][:] = np.r_[0, 1, np.zeros(N - 2)]
    for number in range(N):
        data.resize(number + 1, 0)
        data[number] = FRAMES[number]
        file.flush()
        time.sleep(.3 if number < 10 else .03)  # the program begins meanwhile, also with sanitizers on a busy machine
    file['exchange/theta'][:] = np.arange(N) * 180 / N
    file.close()


def keys_between(name):
    """An NXtomo file, whose keys grow with the frames."""
    with h5py.File(PATH / name, 'w', libver='latest') as file:
        file.attrs['default'] = 'entry'
        group = file.create_group('entry/instrument/detector')
        data = group.create_dataset('data', (0, ROWS, COLUMNS), 'u2', maxshape=(None, ROWS, COLUMNS), chunks=(1, ROWS, COLUMNS))
        keys = group.create_dataset('image_key', (0,), 'i4', maxshape=(None,), chunks=(1,))
        angles = file.create_dataset('entry/sample/rotation_angle', (0,), 'f8', maxshape=(None,), chunks=(1,))
        file.swmr_mode = True
        for number in range(N):
            for one, value in (keys, 0), (angles, number), (data, FRAMES[number]):
                one.resize(number + 1, 0)
                one[number] = value
            file.flush()
            time.sleep(.3 if number < 10 else .03)  # the program begins meanwhile, also with sanitizers on a busy machine


def folder_backwards(name):
    (PATH / name).mkdir()
    for number in 0, 2, 1, 3, 4:
        (PATH / name / f'image_{number:04}.tif').write_bytes(tiff(FRAMES[number]))
        time.sleep(5 if number == 2 else .1)  # the program begins meanwhile, also with sanitizers on a busy machine


def test_later_changes():
    """What comes later must not change what was handed on."""
    refused_beside(darks_first, ('darks.h5',), PATH / 'darks.h5', 'frames=20 timeout=3', 'has no /exchange/data')
    refused_beside(late_angles, ('angles.h5',), PATH / 'angles.h5', f'frames={N} timeout=10', 'have changed since the run began')
    refused_beside(keys_between, ('keys.h5',), PATH / 'keys.h5', f'frames={N} timeout=10', 'darks and flats may lie between')
    refused_beside(folder_backwards, ('backwards',), PATH / 'backwards', 'angles=0:180 frames=5 timeout=15', 'came behind that of a later one')


def test_refused():
    with h5py.File(PATH / 'piece.h5', 'w') as file:
        file['exchange/data'] = FRAMES
    sinograms = f'path={PATH}/whole.h5 axes=sinograms follow=true frames=8'
    whole()
    for settings, words in ((f'path={PATH}/none.h5 follow=true frames=9 timeout=0.3', 'has come for 0.3 s: cannot open'),
                            (f'path={PATH}/piece.h5 follow=true frames=9', 'has its pixels in one piece'),
                            (f'path={PATH}/whole.h5 frames=9', 'set follow=true'),
                            (f'path={PATH}/whole.h5 short-scan=finish', 'set follow=true'),
                            (f'path={PATH}/whole.h5 follow=true timeout=0', 'would never end'),
                            (sinograms, 'follow=true')):
        done = launch(f'read {settings} ! null')
        tap.check(done.returncode != 0 and words in done.stderr, f'{settings}: {done.stderr}')


def test_cancel():
    """Waits for the file, and for more of it, end."""
    file, data = begin('stays.h5', (3, ROWS, COLUMNS), swmr=True)
    data[:] = FRAMES[:3]
    file.flush()
    for name in 'never.h5', 'stays.h5':
        process = subprocess.Popen([os.environ['SINOGRAPH'], 'launch', '--device=native', f'read path={PATH / name} follow=true frames={N} timeout=0 ! null'],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        status = Path(f'/proc/{process.pid}/status')
        while process.poll() is None and not int(re.search(r'SigBlk:\s*(\w+)', status.read_text())[1], 16) & 2:
            time.sleep(.01)  # until it waits for signals
        time.sleep(.7)
        tap.check(process.poll() is None, f'{name}: it ended')
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        said = process.communicate(timeout=20)[1]
        print(f'# {name}: {time.monotonic() - begun:.2f} s after the signal')
        tap.same(process.returncode, 130)
        tap.check('cancelled' in said or 'interrupted' in said or said == '', said)
    file.close()


tap.main(globals())
