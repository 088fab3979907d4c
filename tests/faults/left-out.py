#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What is said of a device that was left out. usage: left-out.py SINOGRAPH FAULTS.so"""
import os
import re
import subprocess
import sys
import tempfile
from unittest import SkipTest

os.environ['POCL_DEVICES'] = 'pthread pthread'  # before any device is seen

import tap
from table import LOST, MANY_ITEMS
from tap import check, same

PROGRAM, FAULTS = (os.path.abspath(word) for word in sys.argv[1:3])


def sinograph(*words, rules=''):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60,
                          env={**os.environ, 'LD_PRELOAD': FAULTS, 'OPENCL_LAYERS': FAULTS, 'SINO_FAULTS': rules})
    return done.returncode, done.stdout, done.stderr


def pocl():
    found = re.findall(r'^[* ] (cl:\d+) .*Portable Computing Language', sinograph('devices')[1], re.M)
    if len(found) < 2:
        raise SkipTest('there are no two devices of PoCL')
    return found[:2]


def test_words():
    one, two = pocl()
    rules = f'clEnqueueNDRangeKernel device={two[3:]} error={LOST}'
    why = rf"'back-project': clEnqueueNDRangeKernel failed on {two} \(.*\): invalid command queue \({LOST}\)"
    status, out, error = sinograph('launch', '--stats', f'--device={one},{two}', MANY_ITEMS + 'null', rules=rules)
    same(status, 0)
    check(re.search(fr"'back-project': {two} is no longer used in this run, and other devices process its work items: {why}\n", error), error)
    check(re.search(rf'\n{two} was left out: {why}\n', out), out)
    did = {device: int(rows) for device, rows in re.findall(r'(cl:\d+) did \d+ work items?, (\d+) rows', out)}
    same(sum(did.values()), 120)
    check(did[one] > did[two], did)
    check('120 slices in' in out, out)
    status, _, error = sinograph('launch', '-q', '--on-device-error=go', MANY_ITEMS + 'null')
    same((status, error), (2, "sinograph: --on-device-error wants continue or stop, got 'go'\n"))


tap.main(globals())
