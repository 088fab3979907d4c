# SPDX-License-Identifier: LGPL-3.0-or-later
"""Faults that dice choose, in the words of the table: any kind that a graph can meet, at any of its calls."""
import errno
import os

import table

SYSTEM_DELAYS = 'open', 'read', 'pread', 'write', 'pwrite', 'fsync', 'rename'
DEVICE_DELAYS = 'clEnqueueNDRangeKernel', 'clWaitForEvents', 'clEnqueueMapBuffer', 'clBuildProgram'


def code(dice, *codes):
    number = dice.choice(codes)
    return f'error={number}', (os.strerror(number),)


def slow(dice, calls, place=''):
    return f'{dice.choice(calls)}{place} times=3 delay={dice.choice((20, 200))}', {}


def reading(dice):
    """HDF5 and libtiff keep to themselves what the system said, so that the message has the file at least."""
    call = dice.choice(('open', 'read', 'pread'))
    number = dice.choice((errno.EACCES, errno.EMFILE, errno.EIO)) if call == 'open' else errno.EIO
    return f'{call} path=/in/ error={number}', {'words': ("'", '/in/')}


def short_reading(dice):
    most = dice.choice((0, 1, 100, 1000))
    rules = f"{dice.choice(('read', 'pread'))} path=/in/ short={most}"
    return rules, {} if most else {'words': ("'", '/in/')}


def slow_reading(dice):
    return slow(dice, SYSTEM_DELAYS[:3], ' path=/in/')


def writing(dice):
    error, words = code(dice, errno.ENOSPC, errno.EIO)
    return f"{dice.choice(('write', 'pwrite'))} path=OUT/ times={dice.randint(0, 1)} {error}", {'words': words}


def short_writing(dice):
    return f"{dice.choice(('write', 'pwrite'))} path=OUT/ times=2000 short={dice.choice((1, 100, 1000))}", {}


def syncing(dice):
    """What was written is whole, and stays where only its folder could not be synced."""
    error, words = code(dice, errno.EIO)
    rules = f"{dice.choice(('fsync', 'fdatasync', 'syncfs'))} path=OUT {error}"
    return rules, {'words': words, 'complete': True}


def naming(dice):
    call = dice.choice(('open path=OUT/', 'rename path=OUT/', 'ftruncate path=OUT/', 'fallocate path=OUT/',
                        'mkdir path=OUT'))
    error, words = code(dice, errno.EIO, errno.ENOSPC, errno.EACCES)
    return f'{call} {error}', {'words': words}


def slow_writing(dice):
    return slow(dice, SYSTEM_DELAYS, ' path=OUT/')


def blocks(dice):
    rules = dice.choice(('malloc caller=libsinograph above=8192', 'mmap caller=libsinograph'))
    return rules + f' error={errno.ENOMEM}', {'words': ('memory',)}


def objects(dice):
    """In a process that has run before: drivers load others in functions that end the process where there is no memory,
    and so does the standard library where it reads folders."""
    return (f'malloc caller=libstdc++ times={dice.randint(0, 1)} error={errno.ENOMEM}',
            {'words': ('memory',), 'alone': True})


def threads(dice):
    """Those of oneTBB and PoCL end the process where they cannot be made; runs see first whether as many can."""
    error, words = code(dice, errno.EAGAIN)
    return f'pthread_create caller=libstdc++ {error}', {'words': words}


def device_call(dice):
    """With nothing kept from before, it may strike the trials of kernels, too."""
    call = dice.choice(list(table.OPENCL))
    number, words = table.OPENCL[call]
    return f'{call} times={dice.randint(0, 1)} error={number}', {'words': (words,), 'fresh': dice.random() < 0.2}


def device_lost(dice):
    return f'* error={table.LOST}', {'words': ('invalid command queue',)}


def no_kernels(dice):
    """No programs are kept from before then, so that there is something to build. Where a driver has no compiler, it
    may be the question for its log that fails."""
    number, words = dice.choice(((-11, 'does not build on cl:'), (-3, 'on cl:')))
    return f'clBuildProgram error={number}', {'words': (words,), 'fresh': True}


def slow_device(dice):
    return slow(dice, DEVICE_DELAYS)


def case(dice, name, line, device):
    """One fault for a graph, after which it may fail, and says why, or come to the right end all the same. It strikes
    from the first such call on; `later` puts it off."""
    kinds = [blocks, threads]
    if 'IN/' in line:
        kinds += [reading, short_reading, slow_reading]
    if 'OUT/' in line:
        kinds += [writing, short_writing, syncing, naming, slow_writing]
    if device == 'native' and 'OUT/' not in line and 'IN/pages' not in line:  # where no folder is read
        kinds += [objects] * 2
    if device != 'native':
        kinds += [device_call, device_call, device_lost, device_lost, no_kernels, slow_device]
    rules, more = dice.choice(kinds)(dice)
    return table.Case(name, line, rules, device=device, either=True, **more)


def calls_of(rules):
    """Rules that do nothing but tell of the calls that others are about."""
    strikes = 'times', 'error', 'short', 'delay'
    return ' '.join(word for word in rules.split() if word.partition('=')[0] not in strikes)


def later(dice, rules, calls):
    """The same fault at any of so many calls, where the first few are as likely as the many that follow."""
    return f'{rules} nth={int(calls ** dice.random())}'
