#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The program where the system has few threads left. usage: threads.py SINOGRAPH"""
import os
import resource
import subprocess
import tempfile
from pathlib import Path
from unittest import SkipTest

import tap
from program import PROGRAM, has_opencl, matches
from tap import check, same

LINE = "simulate width=64 height=8 projections=32 ! reconstruct ! write path=PATH/slice.tif overwrite=true"
STRANGER = 61234  # a user without processes, for the limit does not hold for root


def threads_of(user):
    """Threads count as processes."""
    number = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == user:
                number += len(list((process / "task").iterdir()))
        except OSError:  # it has ended
            pass
    return number


def limited(most, cache, *words, **more):
    """Runs the program with so many threads beside those that the user has already."""
    user = STRANGER if os.getuid() == 0 else os.getuid()
    limit = most + threads_of(user)

    def settle():
        resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(STRANGER)
            os.setuid(STRANGER)

    # The search for leaks takes a process of its own.
    sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    try:
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60, preexec_fn=settle,
                              env={**os.environ, "XDG_CACHE_HOME": cache, "POCL_CACHE_DIR": cache,
                                   "ASAN_OPTIONS": sanitizer, **more})
    except PermissionError as error:
        raise SkipTest("the program cannot be started by another user") from error
    return done.returncode, done.stderr, limit


def test_few_threads():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        os.mkdir(f"{folder}/cache")
        os.chmod(f"{folder}/cache", 0o777)
        outcomes = set()
        opencl = [["--device=cl"]] if has_opencl() else []
        for most in range(1, 14):
            # Drivers for CPUs start threads of their own when they are loaded, and processes that compile.
            for place in (["--device=native", "--threads=2"], ["--device=native", "--threads=4"], [], *opencl):
                line = LINE.replace("PATH", folder)
                status, error, limit = limited(most, f"{folder}/cache", "launch", "-q", *place, line)
                check(status in (0, 1), f"{most} threads: status {status}, {error}")
                if status == 1:
                    matches(f"^sinograph: .*cannot start a thread: .*ulimit -u is {limit} for all processes of this user",
                            error)
                    same(len(error.splitlines()), 1)
                same([name for name in os.listdir(folder) if name.endswith(".part")], [])
                outcomes.add(status)
        same(outcomes, {0, 1})


def test_drivers_that_nobody_asked_for():
    """They want a thread for each processor; where there are fewer, a graph goes on natively."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)

        def least(*place):
            """Threads with which a graph can be planned."""
            for most in range(1, 20):
                status, error, _ = limited(most, folder, "plan", *place, LINE.replace("PATH", folder),
                                           OCL_ICD_VENDORS="/etc/OpenCL/vendors")
                if status == 0:
                    return most
                check("cannot start a thread" in error, error)
            raise AssertionError("no number is enough")

        same(least(), least("--device=native"))


tap.main(globals())
