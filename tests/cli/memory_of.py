# SPDX-License-Identifier: LGPL-3.0-or-later
"""What the program takes of memory, for tests."""
import functools
import os
import subprocess
import tempfile
import threading

from program import PROGRAM
from tap import check

MB = 1e6


def peak(*words):
    """Exit status, resident bytes at most, and what was said."""
    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen([PROGRAM, *words], stdout=out, stderr=out)
        hangs = threading.Timer(120, child.kill)
        hangs.start()
        _, status, used = os.wait4(child.pid, 0)
        hangs.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return child.returncode, used.ru_maxrss * 1024, out.read()


@functools.cache
def least():
    """What the program takes for nothing."""
    status, bytes_, text = peak("check", "-q", "phantom width=4 ! null")
    check(status == 0, text)
    return bytes_


def small(*words, more=25, status=1):
    """It fails or not, and takes that many MB more than nothing does."""
    got, bytes_, text = peak(*words)
    check(got == status, (words, got, text))
    check(bytes_ < least() + more * MB, f"{words}: {bytes_ / MB:.0f} MB, nothing takes {least() / MB:.0f} MB")
