# SPDX-License-Identifier: LGPL-3.0-or-later
"""The faults: where each strikes, and what the run has to say. tests/faults/rules.hpp explains the rules."""
import errno
import os
from dataclasses import dataclass

# What is read, and how it becomes slices.
CORRECTED = 'flat-field ! reconstruct'
INPUTS = {
    'hdf5': ('scan.h5', f'read path=IN/scan.h5 ! {CORRECTED}'),
    'packed': ('packed.h5', f'read path=IN/packed.h5 ! {CORRECTED}'),
    'stack': ('scan.tif', 'read path=IN/scan.tif angles=0:180 axis=32 ! reconstruct'),
    'pages': ('page-', 'read path=IN/pages angles=0:180 axis=32 ! reconstruct'),
}
# What is written: a part of its name, and the sink.
OUTPUTS = {
    'tiff': ('slice-', 'write path=OUT/slice-%03i.tif'),
    'stack': ('stack', 'write path=OUT/stack.tif'),
    'ome': ('stack', 'write path=OUT/stack.ome.tif'),
    'hdf5': ('volume', 'write path=OUT/volume.h5'),
    'packed': ('volume', 'write path=OUT/volume.h5 compression=deflate'),
    'spread': ('volume', 'write path=OUT/volume.h5 files=3'),
    'zarr': ('volume', 'write path=OUT/volume.zarr'),
    'mhd': ('volume', 'write path=OUT/volume.mhd'),
    'preview': ('cuts', 'preview path=OUT/cuts.png'),
}
HANGING = 'simulate width=64 height=12 projections=48 type=f32 ! test-filter trouble=hang ! write path=OUT/volume.h5 overwrite=true'
WATCHED = '--watchdog=1',
NATIVE, POCL, BOTH = 'native', 'pocl', 'both'
LOST = -36  # CL_INVALID_COMMAND_QUEUE, as drivers give it for a device that is gone


@dataclass(frozen=True)
class Case:
    name: str
    line: str
    rules: str
    words: tuple = ()  # of the message; empty: the run has to go well in spite of the fault
    device: str = NATIVE
    either: bool = False  # it may also go well, with the right bytes
    alone: bool = False  # in a process that has run before only: what it strikes is used by the start of the program
    complete: bool = False  # what it leaves when it fails is whole, and stays
    fresh: bool = False  # no programs are kept from runs before
    options: tuple = ()  # of the program


def line_of(source='hdf5', sink='hdf5'):
    return f'{INPUTS[source][1]} ! {OUTPUTS[sink][1]} overwrite=true'


def reads():
    for kind, (path, _) in INPUTS.items():
        def case(name, rules, *words, kind=kind, **more):
            return Case(f'read {kind}: {name}', line_of(kind), rules, words, **more)

        for code in errno.EACCES, errno.EMFILE, errno.EIO:
            yield case(f'open, {errno.errorcode[code]}', f'open path={path} error={code}', "'read'", os.strerror(code))
        for call in 'read', 'pread':
            for nth in 1, 2, 9, 30:
                yield case(f'{call} {nth}, EIO', f'{call} path={path} nth={nth} error={errno.EIO}', "'", path)
            yield case(f'{call} 5, end of file', f'{call} path={path} nth=5 short=0', "'", path)
            yield case(f'{call} in pieces', f'{call} path={path} short=100')
            yield case(f'{call} interrupted', f'{call} path={path} nth=2 times=1 error={errno.EINTR}', 'truncated', either=True)
            yield case(f'{call} slow', f'{call} path={path} nth=2 times=3 delay=200')
    for nth in range(1, 13):  # a link to the next page, for one, without which a stack looks shorter
        yield Case(f'read stack: pread {nth} once, EIO', line_of('stack'), f'pread path=scan.tif nth={nth} times=1 error={errno.EIO}',
                   ("'read'", os.strerror(errno.EIO)))
        yield Case(f'read stack: pread {nth} once, end of file', line_of('stack'), f'pread path=scan.tif nth={nth} times=1 short=0', ("'read'",))


def writes():
    for kind, (path, _) in OUTPUTS.items():
        node = "'preview'" if kind == 'preview' else "'write'"

        def case(name, rules, *words, kind=kind, node=node, **more):
            return Case(f'write {kind}: {name}', line_of(sink=kind), rules, (node, *words) if words else (), **more)

        for code in errno.EACCES, errno.EMFILE, errno.ENOSPC:
            for nth in 1, 2:
                yield case(f'open {nth}, {errno.errorcode[code]}', f'open path={path} nth={nth} times=1 error={code}', os.strerror(code),
                           either=True)
        for call in 'write', 'pwrite':
            for nth in 1, 2, 3, 5, 8:
                for code in errno.ENOSPC, errno.EIO:
                    yield case(f'{call} {nth}, {errno.errorcode[code]}', f'{call} path={path} nth={nth} error={code}', os.strerror(code))
            yield case(f'{call} 2 once, EIO', f'{call} path={path} nth=2 times=1 error={errno.EIO}', os.strerror(errno.EIO))
            yield case(f'{call} in pieces', f'{call} path={path} short=1000')
            yield case(f'{call} interrupted', f'{call} path={path} times=2 error={errno.EINTR}', either=kind != 'hdf5')
            yield case(f'{call} slow', f'{call} path={path} times=3 delay=200')
        for call in 'fsync', 'ftruncate', 'mkdir':
            yield case(f'{call}, EIO', f'{call} path={path} error={errno.EIO}', os.strerror(errno.EIO))
        yield case('fallocate, ENOSPC', f'fallocate path={path} error={errno.ENOSPC}', os.strerror(errno.ENOSPC))
        yield case('fallocate, EOPNOTSUPP', f'fallocate path={path} error={errno.EOPNOTSUPP}')
        if kind != 'spread':  # an old output would lose its head, and later runs do not touch the rest: tests/cli/resume-files.py
            yield case('rename, EIO', f'rename path={path} error={errno.EIO}', os.strerror(errno.EIO))
            yield case('rename 2, EIO', f'rename path={path} nth=2 error={errno.EIO}', os.strerror(errno.EIO), either=kind == 'zarr')
        for nth in range(2, 9):
            yield case(f'fsync {nth}, EIO', f'fsync path=OUT nth={nth} error={errno.EIO}', os.strerror(errno.EIO), either=True, complete=True)


def memory():
    def case(name, line, rules, *words, **more):
        return Case(f'memory: {name}', line, rules, words or ('memory',), **more)

    for kind in 'hdf5', 'packed', 'tiff', 'zarr':
        for nth in 1, 2, 4:
            yield case(f'blocks, {kind} {nth}', line_of(sink=kind), f'malloc caller=libsinograph above=8192 nth={nth} error=12')
    for nth in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181):
        for kind in 'hdf5', 'tiff':
            yield case(f'any of C++, {kind} {nth}', line_of('stack' if kind == 'tiff' else 'packed', kind),
                       f'malloc caller=libstdc++ nth={nth} times=1 error=12', either=True, alone=True)
    for nth in 8, 89, 610, 1597, 2212, 2584:  # and no more of it until the run has ended
        yield case(f'no more of C++ from {nth} on', line_of('packed', 'mhd'),
                   f'malloc caller=libstdc++ nth={nth} error=12', either=True, alone=True)
    for nth in range(1, 7):
        yield case(f'modules {nth}', line_of(),
                   f'malloc caller=libstdc++ above=4096 nth={nth} times=1 error=12', either=True)
    yield case('maps', line_of(), 'mmap caller=libsinograph nth=1 error=12', either=True)
    yield case('advice', line_of(), 'madvise error=22', either=True)


def threads():
    for nth in 1, 2, 3, 4, 6, 8, 10:
        yield Case(f'thread {nth}', line_of('stack', 'tiff'), f'pthread_create nth={nth} error={errno.EAGAIN}',
                   (os.strerror(errno.EAGAIN),), either=nth > 5)
        yield Case(f'thread {nth} of a run', line_of('hdf5', 'hdf5'),
                   f'pthread_create caller=libstdc++ nth={nth} error={errno.EAGAIN}',
                   (os.strerror(errno.EAGAIN),), either=nth > 5, alone=True)


OPENCL = {
    'clCreateBuffer': (-4, 'no memory for a buffer'),
    'clCreateCommandQueue': (-6, 'out of host memory'),
    'clCreateKernel': (-46, 'no such kernel'),
    'clEnqueueNDRangeKernel': (-5, 'out of resources'),
    'clEnqueueMapBuffer': (-12, 'cannot map memory'),
    'clEnqueueUnmapMemObject': (-5, 'out of resources'),
    'clEnqueueMarkerWithWaitList': (-5, 'out of resources'),
    'clEnqueueBarrierWithWaitList': (-5, 'out of resources'),
    'clEnqueueWriteBuffer': (-5, 'out of resources'),
    'clWaitForEvents': (-14, 'an earlier command failed'),
    'clFlush': (-36, 'invalid command queue'),
    'clFinish': (-36, 'invalid command queue'),
}


def devices():
    def case(name, rules, *words, **more):
        return Case(f'device: {name}', line_of(), rules, ("'", *words) if words else (), POCL, **more)

    for call, (code, words) in OPENCL.items():
        for nth in 1, 2, 5:
            yield case(f'{call} {nth}, {words}', f'{call} nth={nth} error={code}', words, 'cl:0', either=call == 'clFinish' or nth > 2)
    for nth in 1, 5, 20, 40, 60, 90:
        yield case(f'lost at call {nth}', f'* nth={nth} error={LOST}', 'invalid command queue', 'cl:0', either=nth > 50)
    for nth in 1, 2, 3:
        cone = 'simulate width=50 height=12 projections=48 source-origin=500 origin-detector=500 type=f32 ! cone-back-project variant=columns'
        yield Case(f'device: memory of a cone beam {nth}', f'{cone} ! write path=OUT/volume.h5 overwrite=true',
                   f'clCreateBuffer nth={nth} error=-4', ("'cone-back-project'", 'no memory for a buffer'), POCL)
    for node in ('half-pack variant=opencl', 'minus-log variant=opencl', 'rescale min=0 max=1 variant=opencl', 'remove-outliers threshold=0.1 variant=select',
                 'remove-stripes variant=opencl', 'flat-field variant=opencl'):
        kind = node.split()[0]
        source = 'read path=IN/scan.h5' if kind == 'flat-field' else 'simulate width=64 height=12 projections=48 type=f32' + ' ! interleave' * (kind == 'remove-stripes')
        yield Case(f'device: counts of {kind}', f'{source} ! {node} ! write path=OUT/volume.h5 overwrite=true',
                   'clEnqueueReadBuffer error=-5', (f"'{kind}'", 'out of resources'), POCL)
    yield case('kernels that do not build', 'clBuildProgram error=-11', 'does not build on cl:0', fresh=True)
    yield case('no compiler', 'clBuildProgram error=-3', 'no kernel on cl:0', fresh=True)


def hangs():
    """Calls that do not return: the watchdog ends the run, and leaves their threads behind."""
    for call, rules, node in (('pwrite', 'path=volume nth=3', "'write'"), ('pread', 'path=scan.h5 nth=40', "'read'"),
                              ('fallocate', 'path=volume', "'write'")):
        yield Case(f'hang: {call}', line_of(), f'{call} {rules} delay=100000', (node, 'did not return within 10 s'), options=WATCHED)
    for call in 'clWaitForEvents', 'clEnqueueNDRangeKernel':
        yield Case(f'hang: {call}', line_of(), f'{call} delay=100000', ("'", 'has worked for', 'did not return within 10 s'), POCL,
                   options=WATCHED)
    for device in NATIVE, POCL:
        yield Case(f'hang: a task on {device}', HANGING, 'read delay=1', ("'test-filter' has worked for", 'did not return within 10 s'),
                   device, options=WATCHED)


MANY_ITEMS = 'simulate width=50 height=120 projections=23 type=f32 ! ramp-filter ! interleave ! back-project ! '


def left_out():
    """A device that fails in the middle of a run with two: the other one does its work items again."""
    for device in 0, 1:
        for nth in 1, 3, 10, 30, 60, 100, 150, 200, 300:
            yield Case(f'left out: cl:{device} lost at call {nth}', MANY_ITEMS + 'write path=OUT/volume.h5 overwrite=true',
                       f'* device={device} nth={nth} error={LOST}', (), BOTH)
        for call, (code, _) in OPENCL.items():
            yield Case(f'left out: {call} on cl:{device}', MANY_ITEMS + 'write path=OUT/slice-%03i.tif overwrite=true',
                       f'{call} device={device} nth=4 error={code}', (), BOTH)
        for nth in 1, 2, 3:  # while slices of the item before get their names
            yield Case(f'left out: cl:{device} at kernel {nth}, with files that stay', MANY_ITEMS + 'write path=OUT/slice-%03i.tif',
                       f'fsync path=OUT/ nth=2 delay=30;clEnqueueNDRangeKernel device={device} path=back nth={nth} delay=50 '
                       f'error={LOST}', (), BOTH, options=('--on-device-error=continue',))
        yield Case(f'left out: cl:{device} beside a preview', MANY_ITEMS + 'preview path=OUT/cuts.png overwrite=true',
                   f'clEnqueueNDRangeKernel device={device} nth=4 error={LOST}', (), BOTH)
        yield Case(f'left out: cl:{device} in order', MANY_ITEMS + 'write path=OUT/volume.h5 compression=deflate overwrite=true',
                   f'clEnqueueNDRangeKernel device={device} nth=2 error={LOST}', ("'back-project'", f'cl:{device}'), BOTH)
        yield Case(f'left out: cl:{device}, but stop', MANY_ITEMS + 'write path=OUT/volume.h5 overwrite=true',
                   f'clEnqueueNDRangeKernel device={device} nth=2 error={LOST}', ("'back-project'", f'cl:{device}'), BOTH,
                   options=('--on-device-error=stop',))
    yield Case('left out: both', MANY_ITEMS + 'write path=OUT/volume.h5 overwrite=true', f'clEnqueueNDRangeKernel nth=4 error={LOST}',
               ("'back-project'", 'invalid command queue'), BOTH)


def wrong():
    """A device that computes something else: slices that are computed again tell."""
    for call in 'clEnqueueNDRangeKernel spoil=1 path=back', 'clEnqueueMapBuffer spoil=1 nth=8', 'clEnqueueMapBuffer spoil=1 nth=16':
        yield Case(f'wrong: {call}', MANY_ITEMS + 'write path=OUT/volume.h5 overwrite=true', call,
                   ("'write': slice", 'was computed again on native', 'is not reliable'), POCL, options=('--verify=8',))
    for path in 'volume.h5', 'slice-%03i.tif':
        yield Case(f'wrong: {path}, which no later run goes on with', MANY_ITEMS + f'write path=OUT/{path}',
                   'clEnqueueNDRangeKernel spoil=1 path=back', ("'write': slice", 'is not reliable'), POCL,
                   options=('--verify=8', '--resume'))
    yield Case('right: slices are computed again', MANY_ITEMS + 'write path=OUT/volume.h5 overwrite=true', 'fsync delay=1', (), POCL,
               options=('--verify=3',))
    yield Case('right: the same kernels', line_of(), 'fsync delay=1', (), options=('--verify=3',))


GROUPS = {'reads': reads, 'writes': writes, 'memory': memory, 'threads': threads, 'devices': devices, 'hangs': hangs, 'left-out': left_out, 'wrong': wrong}
