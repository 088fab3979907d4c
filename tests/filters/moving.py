# SPDX-License-Identifier: LGPL-3.0-or-later
"""What the tests of filters that move pixels share: scans, whole runs, and what must hold for each of them."""
import os
import tempfile

import h5py
import numpy as np
import tap
from program import at_most, in_little_memory, sinograph, sinograph_fails

N, ROWS, COLUMNS = 13, 22, 75
NOISE = np.random.default_rng(3)


def images(dtype, *shape):
    if np.dtype(dtype).kind == 'u':
        return NOISE.integers(1, np.iinfo(dtype).max, shape).astype(dtype)
    return NOISE.normal(size=shape).astype(dtype)


def scan(path, data, **more):
    with h5py.File(path, 'w') as file:
        file['exchange/data'], file['exchange/theta'] = data, np.arange(len(data)) * 180. / len(data)
        for name, frames in more.items():
            file[f'exchange/{name}'] = frames


def counts(path, chunks=None):
    """A scan whose darks and flats lie in chunks of that size."""
    with h5py.File(path, 'w') as file:
        file['exchange/data'] = NOISE.integers(500, 900, (N, ROWS, COLUMNS)).astype(np.uint16)
        file['exchange/theta'] = np.arange(N) * 180. / N
        for name, low in ('data_white', 1000), ('data_dark', 90):
            frames = NOISE.integers(low, low + 10, (5, ROWS, COLUMNS)).astype(np.uint16)
            file.create_dataset(f'exchange/{name}', data=frames, chunks=chunks, compression=chunks and 'gzip')


def made(line, *options):
    sinograph('launch', '--quiet', '--device=native', *options, f'{line} ! write path=out.h5 overwrite=true')
    with h5py.File('out.h5') as file:
        return file['exchange/data'][:]


def same_there(line, tolerance=0.):
    """What the line makes on an OpenCL device, whatever the memory and on two devices, is what it makes on the CPU; {} stands for variant=."""
    os.environ.setdefault('POCL_DEVICES', 'pthread pthread')
    devices = sinograph('devices')
    if 'cl:0' not in devices:
        return
    want, there = made(line.format('variant=native')), line.format('variant=opencl')

    def got(*options, device='cl:0'):
        sinograph('launch', '--quiet', f'--device={device}', *options, f'{there} ! write path=there.h5 overwrite=true')
        with h5py.File('there.h5') as file:
            return file['exchange/data'][:]

    first = got()
    np.testing.assert_allclose(first, want, rtol=0, atol=tolerance * np.abs(want).max(), err_msg=line)
    np.testing.assert_array_equal(in_little_memory(got, 'cl:0', f'{there} ! write path=no.h5'), first)
    if 'cl:1' in devices:
        np.testing.assert_array_equal(got(device='cl:0,cl:1'), first)


def holds(words, truth, dtype, tolerance=0., read='read path=scan.h5'):
    """What the filter makes of each image, whatever the threads and the memory."""
    data = images(dtype, N, ROWS, COLUMNS)
    scan('scan.h5', data)
    line = f'{read} ! {words}'
    first = made(line)
    want = np.stack([truth(image.astype(float)) for image in data])
    np.testing.assert_allclose(first, want, rtol=0, atol=tolerance * np.abs(want).max(), err_msg=words)
    few = in_little_memory(lambda memory: made(line, memory, '--threads=1'), 'native', f'{line} ! write path=no.h5')
    np.testing.assert_array_equal(few, first)


def in_sinograms(words, truth, tolerance=0.):
    """The same from lanes, where `truth` is of a sinogram."""
    data = images(np.float32, N, ROWS, COLUMNS)
    scan('scan.h5', data)
    for lanes in 1, 8:
        got = made(f'read path=scan.h5 ! interleave lanes={lanes} ! {words}')
        want = np.stack([truth(image.astype(float)) for image in data.transpose(1, 0, 2)])
        np.testing.assert_allclose(got, want, rtol=0, atol=tolerance * np.abs(want).max(), err_msg=words)


def companions_follow(words, tolerance=0., between=''):
    """Darks and flats are moved alike, so that it makes no difference when counts are corrected."""
    for chunks in None, (2, 5, 20), (5, ROWS, COLUMNS):
        counts('counts.h5', chunks)
        before = made(f'read path=counts.h5 {between} ! {words} ! flat-field')
        after = made(f'read path=counts.h5 {between} ! flat-field ! {words}')
        np.testing.assert_allclose(before, after, rtol=0, atol=tolerance)
        kept = made(f'read path=counts.h5 {between} ! {words}')
        assert kept.shape == before.shape


SCAN = 'simulate object=shepp-logan-3d width=80 height=12 projections=90 axis=43.5'
CONE = SCAN + ' angles=0:360 source-origin=400 origin-detector=200 detector-roll=0.5'


def slices(line):
    """By the same method, however many slices there are."""
    cone = 'source-origin' in line
    return made(f"{line} ! {'reconstruct' if cone else 'interleave ! ramp-filter ! back-project'}").astype(float)


def whole(volume):
    return volume


def seen(volume):
    """The middle of 80 x 80 pixels that all projections of SCAN see: further out nothing is added where the detector ends."""
    edge = (volume.shape[-1] - 80) // 2
    y, x = np.mgrid[:80, :80] - 39.5
    return volume[:, edge:edge + 80, edge:edge + 80] * (x**2 + y**2 < 35**2)


def same_volume(words, of_before, tolerance, line=SCAN, of_after=whole):
    """Slices stay what they were, in the part of them that is left."""
    want, got = of_before(slices(line)), of_after(slices(f'{line} ! {words}'))
    assert got.shape == want.shape, (got.shape, want.shape)
    at_most(np.sqrt(np.mean((got - want)**2)) / np.sqrt(np.mean(want**2)), tolerance, words)


def refused(words, said, line='read path=scan.h5'):
    message = sinograph_fails('check', '--device=native', f'{line} ! {words} ! write path=no.h5')
    tap.check(said in message, f'{words}: {message}')


def main(functions):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        scan('scan.h5', images(np.float32, N, ROWS, COLUMNS))
        tap.main(functions)
