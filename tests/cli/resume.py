#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs that are killed and gone on with: the bytes of a run that nobody disturbed. Costs 13 s, whole 45 s.
usage: resume.py SINOGRAPH"""
import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import tap
from draw import drawn
from program import PROGRAM, call, fails, matches
from resumed import (AXIS, GRAPH, KILLS, NOT_ENDED, OUTPUTS, ROWS, SCAN, arguments, clear, files, finished, go_on, interrupted,
                     killed, killed_in_the_middle, undisturbed)
from tap import check, same


def test_random_kills():
    """Killed at any moment, some of them several times, and gone on with: the same files."""
    dice = random.Random(7)
    for output in drawn(OUTPUTS, 2):
        whole, seconds = undisturbed(output)
        kills = gone_on = 0
        while kills < KILLS:
            clear()
            kills += killed(output, dice.uniform(0, seconds))
            while dice.random() < 0.4:
                kills += killed(output, dice.uniform(0, seconds), "--resume")
            gone_on += finished(output) > 0
            status, _, error = call(*arguments(output, "--resume"))
            # One that had ended before it could be killed had no journal, as --resume was not given.
            check(status == 0 or (status == 1 and "exists: set overwrite" in error), error)
            check(files(output) == whole, f"{output}: other bytes")
            check(not list(Path().glob("**/*.part")), "a file under construction is left")
        print(f"# {output}: {kills} kills, after {gone_on} of which something was finished")


def test_only_what_is_missing_is_made():
    for output in "slices/%05i.tif", "volume.h5":
        killed_in_the_middle(output)
        there = finished(output)
        status, out, error = call(*arguments(output, "--resume", "--stats"))
        same(status, 0)
        matches(f"{there} of {ROWS} slices are complete from an earlier run", error)
        made = int(re.search(r"^write +(\d+)", out, re.M)[1])
        check(made <= ROWS - there + 4, f"{made} blocks were written, and {ROWS - there} rows were missing")
        # It is there, so there is nothing to do.
        status, out, error = call(*arguments(output, "--resume", "--stats"))
        same(status, 0)
        same(int(re.search(r"^write +(\d+)", out, re.M)[1]), 0)


def test_without_resume():
    """A journal of a run that was killed is an error, found before anything is touched."""
    for output in "slices/%05i.tif", "volume.h5":
        killed_in_the_middle(output)
        before = sorted(Path().glob("**/*"))
        for command in "launch", "plan", "check":
            status, _, error = call(command, *arguments(output)[1:])
            same(status, 1)
            matches(re.escape(NOT_ENDED), error)
        same(call(*arguments(output + " overwrite=true"))[0], 1)
        same(sorted(Path().glob("**/*")), before)
        Path(output + ".journal").unlink()
        same(call(*arguments(output + " overwrite=true"))[0], 0)
        check(not list(Path().glob("**/*.part")), "a file under construction is left")


def test_what_must_be_the_same():
    output = "slices/%05i.tif"
    killed_in_the_middle(output)
    refused = "cannot be continued: the run that wrote it had another"
    status, _, error = call(*arguments(output, "--resume", graph=GRAPH.replace(f"{AXIS}", f"{AXIS + 0.5}")))
    same(status, 1)
    matches(refused + " graph; continue with that, or remove the journal to start again", error)
    os.utime("scan.h5")
    status, _, error = call(*arguments(output, "--resume"))
    same(status, 1)
    matches(refused + " state of the files that 'read' reads", error)
    same(finished(output) > 0, True)


def test_other_limits_of_memory_and_threads():
    """What decides no bytes may change."""
    output = "volume.h5"
    whole, _ = undisturbed(output)
    killed_in_the_middle(output)
    same(call("launch", "--device=native", "--memory=1G", "--threads=1", "--resume", GRAPH + output)[0], 0)
    check(files(output) == whole, "other bytes")


def test_kept_whatever_ends_it():
    """With --resume also Ctrl-C and a failure leave what is finished; without it they leave nothing half-written."""
    for output in "slices/%05i.tif", "volume.h5":
        whole, seconds = undisturbed(output)
        for more in ["--resume"], []:
            check(any(interrupted(output, *more) for _ in range(50)), "it was never interrupted in the middle")
            same(Path(output + ".journal").exists(), bool(more))
            same(len(list(Path().glob("**/*.part"))), int(bool(more) and "/" not in output))
            if more:
                same(call(*arguments(output, *more))[0], 0)
                check(files(output) == whole, "other bytes")


def test_damaged_journals():
    output = "slices/%05i.tif"
    whole, _ = undisturbed(output)
    killed_in_the_middle(output)
    journal = Path(output + ".journal")
    good = journal.read_bytes()
    dice = random.Random(3)
    for _ in range(3 * min(KILLS, 6)):
        bad = bytearray(good)
        for _ in range(dice.randrange(1, 4)):
            bad[dice.randrange(len(bad))] ^= 1 << dice.randrange(8)
        if dice.random() < 0.5:
            del bad[dice.randrange(len(bad)):]
        journal.write_bytes(bad)
        status, _, error = call(*arguments(output, "--resume"))
        if status:
            matches("journal|'slices/00000.tif' exists", error)  # it says nothing any more
            check(status == 1, error)
        else:
            check(files(output) == whole, "other bytes")
            clear()
            killed_in_the_middle(output)
            good = journal.read_bytes()


def test_files_that_are_gone():
    output = "slices/%05i.tif"
    whole, _ = undisturbed(output)
    killed_in_the_middle(output)
    next(Path("slices").glob("*.tif")).unlink()
    go_on(output)
    check(files(output) == whole, "other bytes")
    Path("slices/00003.tif").unlink()
    go_on(output)
    check(files(output) == whole, "other bytes")
    killed_in_the_middle("volume.h5")
    next(Path().glob("*.part")).unlink()
    status, _, error = call(*arguments("volume.h5", "--resume"))
    same(status, 1)
    matches("is missing: remove 'volume.h5.journal' to start again", error)


def test_two_runs_at_once():
    output = "volume.h5"
    clear()
    running = subprocess.Popen([PROGRAM, *arguments(output)], stdout=subprocess.DEVNULL)
    while running.poll() is None and finished(output) < 1:
        time.sleep(0.002)
    os.kill(running.pid, signal.SIGSTOP)
    for more in [], ["--resume"]:
        status, _, error = call(*arguments(output, *more))
        same(status, 1)
        matches("another run is writing this output", error)
    os.kill(running.pid, signal.SIGCONT)
    same(running.wait(), 0)
    clear()


def test_outputs_that_cannot_be_gone_on_with():
    for output in "stack.tif", "volume.h5 compression=deflate", "volume.zarr":
        for command in "plan", "launch":
            status, _, error = call(command, "--device=native", "--resume", GRAPH + output)
            same(status, 2)
            matches("'write': its output cannot be continued: only uncompressed TIFF with a file per slice", error)
    status, _, error = call("plan", "--resume", f"{SCAN} ! null")
    same(status, 2)
    matches("'null': its output cannot be continued", error)


tap.main(globals())
