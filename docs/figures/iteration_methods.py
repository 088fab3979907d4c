# SPDX-License-Identifier: LGPL-3.0-or-later
"""The methods of iteration.py. Each is a generator of (parameter, slice) over seven values of one parameter. What it prepares once
lies before a first `yield`, and is timed apart.

usage: iteration_methods.py METHOD SCAN.npz THREADS     prints a line of JSON for each value
"""
import json
import resource
import sys
import time
from dataclasses import dataclass
from typing import Callable

import numpy as np
from iteration_scans import Scan

METHODS = {}
CUTOFFS = .18, .25, .35, .5, .7, 1
STRENGTHS = .25, .4, .63, 1, 1.6, 2.5, 4
COUNTS = 3, 5, 8, 12, 20, 30, 50
STACK = 16  # slices that ours computes together


@dataclass
class Method:
    name: str
    package: str
    make: Callable           # (scan, threads)
    grid: str                # what is tried, in words
    goes_on: bool = False    # a value begins with the slice of the one before, so that its time counts, too
    slices: int = 1          # that are computed together; times are divided by it


def method(name, package, grid, **how):
    def keep(make):
        METHODS[make.__name__] = Method(name, package, make, grid, **how)
        return make
    return keep


# --- ours ---

def ours(scan, threads, slices=STACK, **properties):
    import sinograph
    rows = np.repeat(scan.rows[None], slices, axis=0)
    return sinograph.reconstruct(rows, scan.degrees, axis=scan.axis, kind='sinograms', device='native', threads=threads,
                                 message=lambda *_: None, **properties)[0]


def trials(scan, threads, key, values, slices=STACK, **properties):
    ours(scan, threads, slices, **{key: values[0]}, **properties)
    yield
    for value in values:
        yield f'{key}={value:g}', ours(scan, threads, slices, **{key: value}, **properties)


CUTS = 'window=hann with cutoff ' + ', '.join(map(str, CUTOFFS)) + ', window=ram-lak'


def windows(scan, threads, method):
    yield from trials(scan, threads, 'cutoff', CUTOFFS, method=method, window='hann')
    yield 'ram-lak', ours(scan, threads, method=method, window='ram-lak')


@method('filtered back-projection', 'sinograph', CUTS, slices=STACK)
def fbp(scan, threads):
    return windows(scan, threads, 'direct')


@method('Fourier reconstruction', 'sinograph', CUTS, slices=STACK)
def fourier(scan, threads):
    return windows(scan, threads, 'fourier')


@method('`tv`, defaults', 'sinograph', '(one value)', slices=STACK)
def tv(scan, threads):
    ours(scan, threads, method='tv')
    yield
    yield 'defaults', ours(scan, threads, method='tv')


@method('`tv`, defaults, a slice alone', 'sinograph', '(one value)')
def tv_alone(scan, threads):
    ours(scan, threads, 1, method='tv')
    yield
    yield 'defaults', ours(scan, threads, 1, method='tv')


@method('`tv`, best strength', 'sinograph', 'strength ' + ', '.join(map(str, STRENGTHS)), slices=STACK)
def tv_best(scan, threads):
    return trials(scan, threads, 'strength', STRENGTHS, method='tv')


@method('`cgls`', 'sinograph', 'iterations ' + ', '.join(map(str, COUNTS)), slices=STACK)
def cgls(scan, threads):
    return trials(scan, threads, 'iterations', COUNTS, method='cgls')


# --- others ---

WEIGHTS = .3, .5, 1, 1.7, 3, 5, 9


@method('filtered back-projection, scikit-image `denoise_tv_chambolle`', 'scikit-image', 'weight, in units of the noise, ' + ', '.join(map(str, WEIGHTS)))
def fbp_denoised(scan, threads):
    from skimage.restoration import denoise_tv_chambolle
    slice_of = lambda: ours(scan, threads, 1, method='direct', window='ram-lak').astype(float)  # noqa: E731
    differences = np.diff(slice_of(), 2, axis=1)
    noise = 1.4826 * np.median(np.abs(differences)) / np.sqrt(6)
    yield
    for value in WEIGHTS:
        yield f'weight={value:g}', denoise_tv_chambolle(slice_of(), value * noise)


def astra_goes_on(scan, name, counts, **options):
    import astra
    rays = astra.create_proj_geom('parallel', 1., scan.rows.shape[1], np.radians(scan.degrees))
    rays = astra.geom_postalignment(rays, scan.rows.shape[1] / 2 - scan.axis)
    n = scan.rows.shape[1]
    grid = astra.create_vol_geom(n, n)
    config = astra.astra_dict(name)
    config['ProjectorId'] = astra.create_projector('linear', rays, grid)
    config['ProjectionDataId'] = astra.data2d.create('-sino', rays, scan.rows)
    config['ReconstructionDataId'] = slices = astra.data2d.create('-vol', grid, 0)
    config['option'] = options
    algorithm, done = astra.algorithm.create(config), 0
    yield
    for count in counts:
        astra.algorithm.run(algorithm, count - done)
        done = count
        yield f'{count} iterations', astra.data2d.get(slices)


SIRT_COUNTS = 10, 20, 30, 50, 80, 130, 200


@method('ASTRA, SIRT, not negative', 'astra-toolbox', 'iterations ' + ', '.join(map(str, SIRT_COUNTS)), goes_on=True)
def astra_sirt(scan, threads):
    return astra_goes_on(scan, 'SIRT', SIRT_COUNTS, MinConstraint=0.)


@method('ASTRA, CGLS', 'astra-toolbox', 'iterations ' + ', '.join(map(str, COUNTS)), goes_on=True)
def astra_cgls(scan, threads):
    return astra_goes_on(scan, 'CGLS', COUNTS)


SHARPNESS = -1, -.5, 0, .5, 1, 1.5, 2


@method('svmbir', 'svmbir', 'sharpness ' + ', '.join(map(str, SHARPNESS)))
def svmbir(scan, threads):
    import tempfile

    import svmbir
    n = scan.rows.shape[1]
    with tempfile.TemporaryDirectory() as folder:
        def solve(**how):
            slices = svmbir.recon(scan.rows[:, None], np.radians(scan.degrees), num_rows=n, num_cols=n, center_offset=scan.axis - n / 2,
                                  num_threads=threads, svmbir_lib_path=folder, verbose=0, **how)
            return slices[0].T
        solve(max_iterations=1)  # makes the matrix of the system, which lies in a file then
        yield
        for value in SHARPNESS:
            yield f'sharpness={value:g}', solve(sharpness=value)


SART_COUNTS = 1, 2, 3, 5, 7, 10, 14


@method('scikit-image, SART', 'scikit-image', 'iterations ' + ', '.join(map(str, SART_COUNTS)), goes_on=True)
def skimage_sart(scan, threads):
    from skimage.transform import iradon_sart
    n, turn = scan.rows.shape[1], np.radians(scan.degrees)
    # There, the axis is in the middle of pixel n // 2 and of bin n // 2.
    shift = n // 2 + .5 - scan.axis - (n // 2 + .5 - n / 2) * (np.cos(turn) - np.sin(turn))
    rows, image = scan.rows.T.astype(float), None
    yield
    for count in range(1, max(SART_COUNTS) + 1):
        image = iradon_sart(rows, scan.degrees, image, projection_shifts=shift)
        if count in SART_COUNTS:
            yield f'{count} iterations', image


# --- one method on one scan, in a process of its own ---

def spent():
    """CPU seconds of this process and of those that it waited for, and wall seconds."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return np.array([sum(each.ru_utime + each.ru_stime for each in used), time.perf_counter()])


def main():
    how, scan, threads = METHODS[sys.argv[1]], Scan.load(sys.argv[2]), int(sys.argv[3])
    made, before = how.make(scan, threads), spent()
    next(made)
    prepared, total, before = spent() - before, np.zeros(2), spent()
    for value, image in made:
        taken = spent() - before
        total = total + taken if how.goes_on else taken
        error, similar = scan.judge(image)
        cpu, wall = total / how.slices
        print(json.dumps({'value': value, 'cpu': cpu, 'wall': wall, 'prepared': prepared[0], 'error': error, 'ssim': similar}), flush=True)
        before = spent()


if __name__ == '__main__':
    main()
