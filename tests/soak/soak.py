#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Random graphs under random limits, cancelled and killed at random: no hang, no crash, no wrong exit code, nothing
half-written. Each has a seed of its own, which is told where something is wrong: soak.py SINOGRAPH --seed=N runs it again.
usage: soak.py SINOGRAPH [--seconds=N] [--seed=N]"""
import argparse
import collections
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import graphs
import tap
from tap import check

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("--seconds", type=float, default=30)
parser.add_argument("--seed", type=int)
options = parser.parse_args()
PATIENCE = 120  # seconds, which no such small graph takes
MiB = 1 << 20
outcomes = collections.Counter()


def limits(dice):
    """What the system refuses beyond: the size of files, or the number that may be open."""
    kind = dice.choice((None, None, None, None, "files", "size"))

    def limit():
        if kind == "size":
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            size = dice.choice((0, 4096, 100000))
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        elif kind == "files":
            number = dice.choice((8, 16, 32, 64))
            resource.setrlimit(resource.RLIMIT_NOFILE, (number, number))

    return kind, limit


def switches(dice):
    yield f"--device={dice.choice(('native',) * 8 + ('cl:0', 'all'))}"
    if dice.random() < 0.5:
        yield f"--memory={dice.choice(('1M', '50M', '60M', '80M', '200M', '2G'))}"
    if dice.random() < 0.3:
        yield f"--threads={dice.randint(1, 4)}"
    if dice.random() < 0.2:
        yield "--resume"
    if dice.random() < 0.2:
        yield dice.choice(("--stats", "--quiet", "--progress=json", "--trace=out-trace.json"))


def ended(running, what):
    try:
        out, error = running.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        running.kill()
        check(False, f"{what}: hangs")
    return running.returncode, out.decode(errors="replace"), error.decode(errors="replace")


def judge(status, error, allowed, what):
    check(status in allowed, f"{what}: exit code {status}\n{error}")
    if status in (1, 2):
        last = error.strip().splitlines()[-1:] or [""]
        told = [line for line in error.splitlines() if line.startswith("sinograph: ")]
        check(told and "terminate called" not in error and "std::" not in last[0], f"{what}: says {error!r}")


def left_behind():
    return [str(path) for path in Path().rglob("*") if path.suffix in (".part", ".journal")]


def one(nodes, seed):
    dice = random.Random(seed)
    line = graphs.chain(nodes, dice, *graphs.source(dice))
    words = list(switches(dice))
    kind, limit = limits(dice)
    what = f"seed {seed}: {' '.join(words)} '{line}'" + (f" with a limit of {kind}" if kind else "")
    running = subprocess.Popen([options.program, "launch", *words, line], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               preexec_fn=limit)
    disturbance = dice.choice((None,) * 5 + (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGKILL))
    if disturbance:
        time.sleep(dice.choice((0.05, 0.2, 0.5)) * dice.random())
        running.send_signal(disturbance)
    status, _, error = ended(running, what)
    # Where one loads libraries with too few files, the loader ends it.
    allowed = {0, 1, 2} | ({130, -disturbance, 128 + disturbance} if disturbance else set()) | ({127} if kind == "files" else set())
    judge(status, error, allowed, what)
    if disturbance == signal.SIGKILL:
        again = subprocess.Popen([options.program, "launch", *words, *["--resume"][: "--resume" not in words], line],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        after, _, error = ended(again, what)
        judge(after, error, {0, 1, 2}, what + ", gone on with")
    elif "--resume" not in words:
        check(not left_behind(), f"{what}: left {left_behind()}")
    outcomes[{0: "good", 1: "failed", 2: "refused"}.get(status, "stopped")] += 1


def test_soak():
    nodes, folder = graphs.Nodes(options.program), tempfile.mkdtemp()
    seed = options.seed if options.seed is not None else 20261126
    end = time.monotonic() + options.seconds
    try:
        while True:
            place = Path(folder, "run")
            place.mkdir()
            os.chdir(place)
            one(nodes, seed)
            os.chdir(folder)
            shutil.rmtree(place)
            seed += 1
            if options.seed is not None or time.monotonic() > end:
                break
    finally:
        os.chdir("/")
        shutil.rmtree(folder)
        print(f"# {sum(outcomes.values())} graphs: {dict(outcomes)}", flush=True)


sys.argv[1:] = []
tap.main(globals())
