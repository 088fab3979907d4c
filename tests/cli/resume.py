#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs that are killed and gone on with: the bytes of a run that nobody disturbed.
usage: resume.py SINOGRAPH"""
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import tap
from program import PROGRAM, call, fails, matches
from tap import check, same

KILLS = int(os.environ.get("SINO_TEST_KILLS", 6))  # of each output, and a measure of other things that are repeated
ROWS = 64
WIDTH, PROJECTIONS = (256, 400) if KILLS > 1 else (96, 120)  # where the program is slow, as under a sanitizer
SCAN = (f"simulate object=shepp-logan-3d z=-0.25 width={WIDTH} height={ROWS} projections={PROJECTIONS} type=u16 darks=3 "
        "flats=3")
AXIS = WIDTH / 2 - 0.5
GRAPH = f"read path=scan.h5 ! flat-field ! reconstruct method=direct axis={AXIS} ! write path="
OUTPUTS = "slices/%05i.tif", "slices/%05i.ome.tif", "volume.h5", "volume.mhd"
NOT_ENDED = "tells of a run that did not come to its end: --resume goes on with it; remove the journal to begin anew"

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
check(call("launch", "-q", f"{SCAN} ! write path=scan.h5")[0] == 0, "no scan")


# The least memory that a run works in: work items of a row or two.
LEAST = re.search(r"needs ([\d.]+) MiB", call("plan", "--device=native", "--memory=1M", f"{GRAPH}volume.h5")[2])[1]


def arguments(output, *more, graph=GRAPH):
    return ["launch", "--device=native", f"--memory={float(LEAST) + 1}M", *more, graph + output]


def place(output):
    return Path(output.partition("/")[0]) if "/" in output else None


def files(output):
    """Names and bytes of all that an output is made of, its journal and what is under construction left out."""
    paths = place(output).iterdir() if place(output) else Path().glob("volume.*")
    return {path.name: path.read_bytes() for path in sorted(paths) if path.suffix not in (".journal", ".part")}


def clear():
    shutil.rmtree("slices", ignore_errors=True)
    for path in Path().glob("v*"):
        path.unlink()


def undisturbed(output):
    clear()
    begin = time.monotonic()
    same(call(*arguments(output))[0], 0)
    seconds = time.monotonic() - begin
    whole = files(output)
    check(not list(Path().glob("**/*.journal")), "a journal is left")
    clear()
    return whole, seconds


def killed(output, after, *more):
    """A run that is killed after so many seconds; whether it was."""
    running = subprocess.Popen([PROGRAM, *arguments(output, *more)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        running.wait(after)
    except subprocess.TimeoutExpired:
        running.send_signal(signal.SIGKILL)
    return running.wait() == -signal.SIGKILL


def killed_in_the_middle(output, *more):
    """One that has finished something, and not all."""
    for attempt in range(50):
        clear()
        running = subprocess.Popen([PROGRAM, *arguments(output, *more)], stdout=subprocess.DEVNULL)
        while running.poll() is None and finished(output) < ROWS // 8:
            time.sleep(0.002)
        running.send_signal(signal.SIGKILL)
        running.wait()
        if 0 < finished(output) < ROWS:
            return
    check(False, "it was never killed in the middle")


def interrupted(output, *more):
    """A run that has finished something when it is interrupted; whether it was, or had ended."""
    clear()
    running = subprocess.Popen([PROGRAM, *arguments(output, *more)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while running.poll() is None and finished(output) < 8:
        time.sleep(0.002)
    running.send_signal(signal.SIGINT)
    status = running.wait()
    check(status in (0, 130), status)
    return status == 130


def go_on(output):
    status, _, error = call(*arguments(output, "--resume"))
    check(status == 0, error)


def finished(output):
    try:
        lines = Path(output + ".journal").read_text().splitlines()
    except FileNotFoundError:
        return 0
    numbers = [list(map(int, line.split()[2:])) for line in lines if " rows " in line]
    return sum(end - begin for line in numbers for begin, end in zip(line[::2], line[1::2]))


def test_random_kills():
    """Killed at any moment, some of them several times, and gone on with: the same files."""
    dice = random.Random(7)
    for output in OUTPUTS:
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
        matches(f"{there} of {ROWS} slices are there since an earlier run", error)
        made = int(re.search(r"^write +(\d+)", out, re.M)[1])
        check(made <= ROWS - there + 4, f"{made} blocks were written, and {ROWS - there} rows were missing")
        # It is there, so there is nothing to do.
        status, out, error = call(*arguments(output, "--resume", "--stats"))
        same(status, 0)
        same(int(re.search(r"^write +(\d+)", out, re.M)[1]), 0)


def test_slices_in_several_requests():
    """That they are not blank is told, so that a run which was killed before its end was told of is gone on with."""
    graph = "simulate object=shepp-logan-3d width=1100 height=2 projections=8 ! reconstruct method=direct ! write path="
    for output in "volume.h5", "volume.mhd":
        clear()
        words = ["launch", "--device=native", "--resume", graph + output]
        same(call(*words)[0], 0)
        whole, journal = files(output), Path(output + ".journal")
        lines = journal.read_text().splitlines(keepends=True)
        check(lines[-1].endswith(" ended\n"), lines)
        journal.write_text("".join(lines[:-1]))
        status, _, error = call(*words)
        same(status, 0)
        check(files(output) == whole, f"{output}: other bytes")


def test_a_file_that_took_the_place():
    """What another program has written under the name is not what the journal calls complete."""
    for output in "volume.h5", "volume.mhd":
        clear()
        words = arguments(output, "--resume")
        same(call(*words)[0], 0)
        same(call(*words)[0], 0)
        for path in Path().glob("volume.*"):
            if path.suffix != ".journal":
                shutil.copy(path, "other")
                os.replace("other", path)
        status, _, error = call(*words)
        same(status, 1)
        matches("is another file than the one that '.*' calls complete: remove the journal to begin anew", error)


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
    refused = "cannot be gone on with: the run that left it had another"
    status, _, error = call(*arguments(output, "--resume", graph=GRAPH.replace(f"{AXIS}", f"{AXIS + 0.5}")))
    same(status, 1)
    matches(refused + " graph; run that again, or remove the journal to begin anew", error)
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
    matches("is gone, which was under construction: remove 'volume.h5.journal' to begin anew", error)


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
        matches("another run is at work on this output", error)
    os.kill(running.pid, signal.SIGCONT)
    same(running.wait(), 0)
    clear()


def test_outputs_that_cannot_be_gone_on_with():
    for output in "stack.tif", "volume.h5 compression=deflate", "volume.zarr":
        for command in "plan", "launch":
            status, _, error = call(command, "--device=native", "--resume", GRAPH + output)
            same(status, 2)
            matches("'write': no run can go on with what it has written: a TIFF for each slice", error)
    status, _, error = call("plan", "--resume", f"{SCAN} ! null")
    same(status, 2)
    matches("'null': no run can go on", error)


tap.main(globals())
