#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""sinograph and other packages that load large libraries work in one process, whichever comes first."""
import importlib.util
import subprocess
import sys
import tempfile
from unittest import SkipTest

import tap
from tap import same

USES = {
    "gi": """
gi.require_version ('Sino', '1.0')
from gi.repository import Sino
graph = Sino.Graph.new_from_launch ('phantom width=16 ! app-sink name=out whole=true')
with Sino.Runner (device='native').run_async (graph):
    assert graph['out'].pull ().numpy ().shape[1:] == (16, 16)
""",
    "h5py": """
with h5py.File (folder + '/scan.h5', 'w') as file:
    file['values'] = lines
with h5py.File (folder + '/scan.h5') as file:
    assert numpy.array_equal (sinograph.reconstruct (file['values'], axis=16, device='native'), want)
""",
    "hdf5plugin": """
import h5py
with h5py.File (folder + '/packed.h5', 'w') as file:
    file.create_dataset ('values', data=lines, **hdf5plugin.Bitshuffle ())
with h5py.File (folder + '/packed.h5') as file:
    assert numpy.array_equal (sinograph.reconstruct (file['values'], axis=16, device='native'), want)
""",
    "torch": """
tensor = torch.from_numpy (lines)
assert float ((tensor @ tensor.transpose (1, 2)).sum ()) != 0
assert numpy.array_equal (sinograph.reconstruct (tensor, axis=16, device='native'), want)
""",
    "cupy": """
try:
    array = cupy.asarray (lines)
except Exception as error:
    print ('no GPU:', error)
else:
    assert numpy.array_equal (sinograph.reconstruct (array, axis=16, device='native'), want)
""",
}
PROGRAM = """
import {order}
import sys, numpy, sinograph
folder = sys.argv[1]
lines = numpy.random.default_rng (1).uniform (size=(12, 2, 32)).astype ('f4')
want = sinograph.reconstruct (lines, axis=16, device='native')
{uses}
assert numpy.array_equal (sinograph.reconstruct (lines, axis=16, device='native'), want)
print ('good')
"""


def installed(name):
    """The folder of the overrides alone is no PyGObject."""
    found = importlib.util.find_spec(name)
    return found is not None and found.origin is not None


def orders(present):
    """Each package before sinograph and after it, alone and with all others, forwards and backwards."""
    for name in present:
        yield from ([name, "sinograph"], ["sinograph", name])
    if len(present) > 1:
        yield from (["sinograph", *present], [*reversed(present), "sinograph"])


def make(name):
    def test():
        if not installed(name):
            raise SkipTest(f"{name} is not installed")
        present = [one for one in USES if installed(one)]
        for order in orders(present):
            if name not in order or (len(order) > 2 and name != present[0]):
                continue
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([sys.executable, "-c", PROGRAM.format(order=", ".join(order), uses="".join(
                    USES[one] for one in order if one in USES)), folder], capture_output=True, text=True)
            same((order, done.returncode, done.stdout.splitlines()[-1:], done.stderr), (order, 0, ["good"], ""))
    test.__name__ = f"test_{name}"
    return test


tap.main({f"test_{name}": make(name) for name in USES}, at_once=2)
