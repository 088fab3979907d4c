#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Ctrl-C ends every call that waits, and the process then ends. How soon is said in comments, not tested.

So does a program that ends while runs read its arrays.
"""
import functools
import os
import signal
import subprocess
import sys
import time

import tap
from tap import check, same

BEGIN = """
import sys, threading, time
import numpy, sinograph
lines = numpy.ones ((400, 64, 512), 'f4')
graph = sinograph.Graph ('app-source name=s rows=8 columns=8 frames=9 ! app-sink name=out')
small = numpy.zeros ((8, 8), 'u2')
def begin (): print ('begun', flush=True)
def told (*_): begin ()
def other (): # which might begin a run, so that a push to a full source waits
    threading.Thread (target=time.sleep, args=(1000,), daemon=True).start ()
"""
CALLS = {
    "reconstruct": "sinograph.reconstruct (lines, axis=256, device='native', method='direct', progress=told)",
    "filter": "sinograph.filters.median (lines, size=15, device='native', progress=told)",
    "pull": "run = graph.start ('native'); begin (); graph['out'].pull ()",
    "wait": "run = graph.start ('native'); begin (); run.wait ()",
    "context": """
with graph.start ('native'):
    begin ()
    graph['out'].pull ()
""",
    "push": "other (); graph.set ('s', max_buffers=1); graph['s'].push (small); begin (); graph['s'].push (small)",
    "push without a copy": "other (); graph.set ('s', max_buffers=1); graph['s'].push (small); begin (); "
                           "graph['s'].push (small, copy=False)",
    "asyncio": """
import asyncio
async def main ():
    run = graph.start ('native')
    begin ()
    await run
asyncio.run (main ())
""",
}
# Programs that end in the middle of a run, which may take longer than the end waits for it.
AT_END = """
import atexit
atexit.register (lambda: print (waiting.done ()) if 'waiting' in globals () else None)
"""
LEAVES = {
    "waiting": "waiting = graph.start ('native')",
    "in_place": """
graph = sinograph.Graph ()
graph.add_array (lines, geometry=sinograph.Geometry (numpy.arange (400) * .45))
graph.add ('reconstruct', axis=256)
graph.add ('app-sink', 'out', whole=True)
graph.connect ('array', 'reconstruct')
graph.connect ('reconstruct', 'out')
run = graph.start ('native')
""",
    "pushed": """
graph = sinograph.Graph ('app-source name=s rows=64 columns=512 element=f32 frames=400 ! '
                         'reconstruct axis=256 method=direct ! app-sink name=out')
with graph.start ('native'):
    graph['s'].push (lines, copy=False)
    time.sleep (0.1)
    raise SystemExit (0)
""",
}
END = """
except KeyboardInterrupt:
    print ('interrupted', flush=True)
"""


def interrupted(name):
    body = "\n".join("    " + line for line in CALLS[name].strip().splitlines())
    program = subprocess.Popen([sys.executable, "-Wignore", "-c",
                                f"{BEGIN}\ntry:\n{body}\n    print ('went through')\n{END}"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        same(program.stdout.readline(), "begun\n")
        time.sleep(0.1)
        begun = time.monotonic()
        os.kill(program.pid, signal.SIGINT)
        line = program.stdout.readline()
        while line == "begun\n":
            line = program.stdout.readline()
        took = time.monotonic() - begun
        _, errors = program.communicate(timeout=60)
    finally:
        program.kill()
        program.wait()
    print(f"# {name}: interrupted after {1000 * took:.0f} ms, ended after {1000 * (time.monotonic() - begun):.0f} ms")
    same(line, "interrupted\n")
    check(program.returncode == 0 and not errors, errors)


def left(name):
    done = subprocess.run([sys.executable, "-c", AT_END + BEGIN + LEAVES[name]], capture_output=True, text=True,
                          timeout=60)
    same((done.returncode, done.stdout, done.stderr), (0, "True\n" if name == "waiting" else "", ""))


tests = {f"test_{name}": functools.partial(interrupted, name) for name in CALLS}
tests.update({f"test_leave_{name}": functools.partial(left, name) for name in LEAVES})
for test_name, test in tests.items():
    test.__name__ = test_name.replace(" ", "_")
tap.main(tests, at_once=2)
