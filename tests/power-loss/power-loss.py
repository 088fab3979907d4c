#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Machines that lose power in the middle of a run: what is gone on with afterwards has the bytes of a run that nobody
disturbed. Costs 7 s for each output.
usage: power-loss.py SINOGRAPH UNDO-LOG.so"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tap
from draw import drawn
from lose import lose
from tap import check, same

PROGRAM, LOGGER = sys.argv[1], sys.argv[2]
LOSSES = int(os.environ.get("SINO_TEST_KILLS", 5))
SCAN = "simulate object=shepp-logan-3d z=-0.25 width=256 height=64 projections=300 type=u16 darks=3 flats=3"
GRAPH = "read path=scan.h5 ! flat-field ! reconstruct method=direct axis=127.5 ! write path="
OUTPUTS = "out/slices/%05i.tif", "out/volume.h5", "out/volume.mhd", "out/volume.h5 files=3"

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
subprocess.run([PROGRAM, "launch", "-q", f"{SCAN} ! write path=scan.h5"], check=True)


# The least memory that a run works in: work items of a row or two.
NEEDED = subprocess.run([PROGRAM, "plan", "--device=native", "--memory=1M", f"{GRAPH}volume.h5"], capture_output=True,
                        text=True).stderr
LEAST = float(re.search(r"needs ([\d.]+) MiB", NEEDED)[1]) + 1


def arguments(output, *more):
    return [PROGRAM, "launch", "--device=native", f"--memory={LEAST}M", *more, GRAPH + output]


def files():
    return {str(path): path.read_bytes() for path in sorted(Path("out").rglob("*"))
            if path.is_file() and path.suffix not in (".journal", ".part")}


def run(output, *more):
    done = subprocess.run(arguments(output, *more), capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


def without_power(output, after, dice):
    """A run in a machine that stops after so many seconds, or once `after ()` does not hold: how many changes it forgot, of how
    many it might have."""
    logger = {"LD_PRELOAD": LOGGER, "UNDO_LOG": f"{folder.name}/log", "UNDO_ROOT": f"{folder.name}/out"}
    running = subprocess.Popen(arguments(output, "--resume"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, **logger})
    if callable(after):
        while after() and running.poll() is None:
            time.sleep(0.001)
    else:
        try:
            running.wait(after)
        except subprocess.TimeoutExpired:
            pass
    running.kill()
    running.wait()
    return lose("out", "log", dice)


def test_losses():
    dice = random.Random(11)
    for output in drawn(OUTPUTS, 3):
        shutil.rmtree("out", ignore_errors=True)
        os.mkdir("out")
        begin = time.monotonic()
        without_power(output, 60, random.Random(0))
        seconds = time.monotonic() - begin
        shutil.rmtree("out")
        os.mkdir("out")
        same(run(output)[0], 0)
        whole, told = files(), []
        for _ in range(LOSSES):
            shutil.rmtree("out")
            os.mkdir("out")
            while True:
                told.append(without_power(output, dice.uniform(0, seconds), dice))
                if dice.random() < 0.6:
                    break
            status, error = run(output, "--resume")
            same((status, error if status else ""), (0, ""))
            check(files() == whole, f"{output}: other bytes")
            check(not list(Path("out").rglob("*.part")), "a file under construction is left")
        print(f"# {output}: {len(told)} losses of power, which took back {sum(lost for lost, _ in told)} of "
              f"{sum(possible for _, possible in told)} changes that were not on the disk")


class Everything(random.Random):
    """Dice with which all is lost that may be."""

    def choice(self, some):
        return some[-1]

    def random(self):
        return 0


def test_slices_are_on_the_disk_before_they_are_told_of():
    """Power is lost as soon as the journal tells of slices."""
    output = drawn(OUTPUTS[1::2], 2)[0]
    shutil.rmtree("out", ignore_errors=True)
    os.mkdir("out")
    same(run(output)[0], 0)
    whole = files()
    told = 0
    for attempt in range(10):
        shutil.rmtree("out")
        os.mkdir("out")
        without_power(output, lambda: told_of() < 1 + attempt % 3, Everything())
        told += told_of()
        status, error = run(output, "--resume")
        same((status, error if status else ""), (0, ""))
        check(files() == whole, f"other bytes in attempt {attempt}")
        if told > 1:
            return
    check(False, "nothing was told of in time")


def told_of():
    """Lines of the journal about slices that are finished. What is lost includes a line that is not on the disk yet."""
    return sum(path.read_text().count(" rows ") for path in Path("out").glob("*.journal"))


tap.main(globals())
