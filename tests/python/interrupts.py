#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Ctrl-C ends every call that waits, and the process then ends. How soon is said in comments, not tested.

So does a program that ends while runs read its arrays.
"""
import functools
import subprocess
import sys

import tap
from tap import same

# The signal comes from a thread of the program itself: one from here might be so late that the call has ended.
BEGIN = """
import os, signal, sys, threading, time
import numpy, sinograph
lines = numpy.ones ((400, 64, 512), 'f4')
graph = sinograph.Graph ('app-source name=s rows=8 columns=8 frames=9 ! app-sink name=out')
small = numpy.zeros ((8, 8), 'u2')
begun, sent = [], []
def send (after):
    time.sleep (after)
    sent.append (time.monotonic ())
    os.kill (os.getpid (), signal.SIGINT)
    time.sleep (1000) # as long as there is a thread that might act, a push to a full source waits
def begin (after=0.1):
    begun.append (after)
    threading.Thread (target=send, args=(after,), daemon=True).start ()
def told (*_): begun or begin (0)
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
    "push": "graph.set ('s', max_buffers=1); graph['s'].push (small); begin (); graph['s'].push (small)",
    "push without a copy": "graph.set ('s', max_buffers=1); graph['s'].push (small); begin (); "
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
# Programs that end in the middle of a run, which may take longer than the end waits for it. Where the end of the run is
# looked at, the wait is longer.
AT_END = """
import atexit
atexit.register (lambda: print (waiting.done ()) if 'waiting' in globals () else None)
"""
LEAVES = {
    "waiting": "sinograph._runs.PATIENCE = 30; waiting = graph.start ('native')",
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
    print ('interrupted', f'after {1000 * (time.monotonic () - sent[0]):.0f} ms')
"""


def run(*arguments):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=250)


def interrupted(name):
    body = "\n".join("    " + line for line in CALLS[name].strip().splitlines())
    done = run("-Wignore", "-c", f"{BEGIN}\ntry:\n{body}\n    print ('went through')\n{END}")
    print(f"# {name}: {done.stdout.strip()}")
    same((done.returncode, done.stdout.split()[:1], done.stderr), (0, ["interrupted"], ""))


def left(name):
    done = run("-c", AT_END + BEGIN + LEAVES[name])
    same((done.returncode, done.stdout, done.stderr), (0, "True\n" if name == "waiting" else "", ""))


tests = {f"test_{name}": functools.partial(interrupted, name) for name in CALLS}
tests.update({f"test_leave_{name}": functools.partial(left, name) for name in LEAVES})
for test_name, test in tests.items():
    test.__name__ = test_name.replace(" ", "_")
tap.main(tests, at_once=2)
