#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Phase retrieval on OpenCL devices, in graphs: nearly what the CPU makes, by either kind of transforms, with the same counts and
messages; the same bytes from two devices, in little memory and for parts of the rows. 10 s, most of it for the compiler."""
import os
import re
import subprocess
import tempfile
from unittest import SkipTest

os.environ['POCL_DEVICES'] = 'pthread pthread'  # before any device is seen

import h5py
import numpy as np
import phase_objects as objects
import tap
from program import at_most, in_little_memory, sinograph

OWN = 'variant=opencl variant-parameters=FFT=1,UNROLL=0'
KERNELS = {'paganin': OWN, 'bronnikov-aided': 'variant=opencl'}


def devices():
    found = [line.split()[0] for line in sinograph('devices').splitlines() if 'Portable Computing Language' in line]
    if len(found) < 2:
        raise SkipTest('there are no two devices of PoCL')
    return found[:2]


def made(device, line, *options):
    sinograph('launch', '--quiet', f'--device={device}', *options, f'{line} ! write path=out.h5 overwrite=true')
    with h5py.File('out.h5') as file:
        return file['exchange/data'][:]


def line(method, kernel=''):
    return f'read path=noise.h5 ! retrieve-phase {objects.WORDS} method={method} {kernel}'


def test_near_native():
    one, _ = devices()
    for method, kernel in KERNELS.items():
        native, ours = made('native', line(method)), made(one, line(method, kernel))
        sound = np.isfinite(native)  # bronnikov-aided keeps values that are not
        np.testing.assert_array_equal(np.isfinite(ours), sound)
        at_most(abs(ours - native)[sound].max() / abs(native[sound]).max(), 1e-5, f'{method} {kernel}')


def test_same_bytes():
    """However the work is cut, between devices and in blocks."""
    one, other = devices()
    words = line('paganin', OWN)
    right = made(one, words)
    for result in (made(f'{one},{other}', words),
                   in_little_memory(lambda memory: made(one, words, memory), one, f'{words} ! write path=no.h5'),
                   made(f'{one},{other}', f'{words} ! interleave').transpose(1, 0, 2)):
        np.testing.assert_array_equal(result, right)


def said(device, words):
    """What a run counts and says."""
    done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--stats', f'--device={device}', f'{words} ! null'],
                          capture_output=True, text=True, check=True)
    return re.findall(r'(?:clamped|replaced)=\d+|.*absorption=false.*', done.stdout + done.stderr)


def test_counts():
    one, _ = devices()
    for method, kernel in KERNELS.items():
        clamped, replaced, message = native = said('native', line(method))
        tap.check(clamped != 'clamped=0' and replaced == 'replaced=660' and "'retrieve-phase'" in message, native)
        tap.same(said(one, line(method, kernel)), native)


def test_choice():
    """Kernels run on CPUs only where they are asked for."""
    one, _ = devices()
    for kernel, runs in ('', False), ('variant=native', False), ('variant=opencl', True):
        told = sinograph('plan', f'--device={one}', f"{line('paganin', kernel)} ! null")
        tap.check(('OpenCL kernels' in told) == runs, told)


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        images = np.random.default_rng(5).uniform(0.3, 1, (13, 61, 150))
        images[3, 20:24] = np.nan
        images[4, 10, 30:90] = np.inf
        images[5] = -2.
        objects.write('noise.h5', images, np.arange(13) * 7.)
        tap.main(globals())
