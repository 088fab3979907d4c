# SPDX-License-Identifier: LGPL-3.0-or-later
"""The program for tests: how it is called and what that must give."""
import re
import signal
import subprocess
import sys
from unittest import SkipTest

from tap import same

PROGRAM = sys.argv[1]
GOOD = "test-source slices=6 ! test-filter ! test-sink"

# Under nohup, or in the background of a shell, signals would be ignored, and the program keeps that.
for number in signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP:
    signal.signal(number, signal.SIG_DFL)


def call(*arguments, **options):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=300, **options)
    return done.returncode, done.stdout, done.stderr


def fails(status, message, *arguments, **options):
    """The call fails with this status and this one message."""
    same(call(*arguments, **options), (status, "", f"sinograph: {message}\n"))


def has_opencl():
    return call("check", "simulate width=8 height=2 projections=4 ! null", "--device=cl")[0] == 0


def need_opencl():
    if not has_opencl():
        raise SkipTest("there is no OpenCL device")


def matches(pattern, text):
    assert re.search(pattern, text), f"{pattern!r} is not in {text!r}"
