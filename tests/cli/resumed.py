# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs that are killed, for the tests of those that go on with them, in a folder of their own."""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from draw import THOROUGH
from program import PROGRAM, call
from tap import check, same

KILLS = int(os.environ.get("SINO_TEST_KILLS", 6))  # of each output, and a measure of other things that are repeated
ROWS = 64
# Longer runs are killed in the middle more often; under a sanitizer the program is slow.
WIDTH, PROJECTIONS = (96, 120) if KILLS == 1 else (256, 400) if THOROUGH else (160, 240)
SCAN = (f"simulate object=shepp-logan-3d z=-0.25 width={WIDTH} height={ROWS} projections={PROJECTIONS} type=u16 darks=3 "
        "flats=3")
AXIS = WIDTH / 2 - 0.5
GRAPH = f"read path=scan.h5 ! flat-field ! reconstruct method=direct axis={AXIS} ! write path="
OUTPUTS = "slices/%05i.tif", "slices/%05i.ome.tif", "volume.h5", "volume.h5 files=3", "volume.mhd", "volume.nrrd", "volume.nhdr", "volume.vgi"
NOT_ENDED = "belongs to an unfinished run: continue it with --resume, or remove the journal to start again"

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
check(call("launch", "-q", f"{SCAN} ! write path=scan.h5")[0] == 0, "no scan")


# The least memory that a run works in: work items of a few rows. What a process takes before a run varies, too.
LEAST = re.search(r"needs ([\d.]+) MiB", call("plan", "--device=native", "--memory=1M", f"{GRAPH}volume.h5")[2])[1]


def arguments(output, *more, graph=GRAPH):
    return ["launch", "--device=native", f"--memory={float(LEAST) + 2}M", *more, graph + output]


def place(output):
    return Path(output.partition("/")[0]) if "/" in output else None


def files(output):
    """Names and bytes of all that an output is made of, its journal and what is under construction left out."""
    paths = place(output).iterdir() if place(output) else Path().glob("volume*")
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
    return status == 130 and not Path(output.split()[0]).exists()  # else it came too late


def go_on(output):
    status, _, error = call(*arguments(output, "--resume"))
    check(status == 0, error)


def finished(output):
    try:
        lines = Path(output.split()[0] + ".journal").read_text().splitlines()
    except FileNotFoundError:
        return 0
    numbers = [list(map(int, line.split()[2:])) for line in lines if " rows " in line]
    return sum(end - begin for line in numbers for begin, end in zip(line[::2], line[1::2]))


def unended(output, *words):
    """As a run leaves it that is killed when all is written, and before it says so."""
    clear()
    same(call("launch", "--device=native", "--resume", *words)[0], 0)
    whole, journal = files(output), Path(output.split()[0] + ".journal")
    lines = journal.read_text().splitlines(keepends=True)
    check(lines[-1].endswith(" ended\n"), lines)
    journal.write_text("".join(lines[:-1]))
    return whole
