#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Random graphs under random limits, cancelled, killed and struck by faults at random: no hang, no crash, no wrong exit
code, no wrong bytes, nothing half-written, nothing that a process keeps. Each has a seed of its own, which is told
where something is wrong: soak.py SINOGRAPH [RUNNER FAULTS.so] --seed=N runs it again, on a machine that has the same
devices. What a wrong one wrote, and should have written, is left in a folder. With --part, every Nth of them is tried in
the Nth part of the time, unless tests are thorough.
usage: soak.py SINOGRAPH [RUNNER FAULTS.so] [--seconds=N] [--part=N] [--first=N | --seed=N] [--keep=FOLDER]"""
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
from dataclasses import replace
from pathlib import Path

import drawn
import graphs
import tap
from draw import THOROUGH, is_drawn
from faults import make_scans
from table import Case
from tap import check
from trial import Fault, Trial

parser = argparse.ArgumentParser()
parser.add_argument("programs", nargs="+", type=Path)
parser.add_argument("--seconds", type=float, default=30)
parser.add_argument("--part", type=int, default=1)
parser.add_argument("--first", type=int, default=20261126)
parser.add_argument("--seed", type=int)
parser.add_argument("--keep", type=Path)
options = parser.parse_args()
PROGRAMS = dict(zip(("sinograph", "runner", "faults"), (path.resolve() for path in options.programs)))
PATIENCE = 120  # seconds, which no such small graph takes
TRIES = 9  # at a graph that ends well without the fault
FAULTY = 0.5 if "faults" in PROGRAMS else 0  # share of the graphs that have no other limit
IN_PROCESS = 0.2  # share of those that a process runs again and again, too
DEVICES = {name: name for name in ("native", "cl:0", "all")}
outcomes = collections.Counter()


class Attempt(Trial):
    """A graph in a folder of its own."""

    def content(self):
        """Journals tell of a run, and not of the results, which differ a little where devices of two kinds share
        them."""
        files = super().content().items()
        return {name: b"" if self.case.device == "all" else got for name, got in files if not name.endswith(".journal")}

    def run(self, words, rules="", limit=None, disturb=lambda running: None):
        running = subprocess.Popen([PROGRAMS["sinograph"], "launch", *words, self.line()], cwd=self.folder,
                                   env=self.environment(rules), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=limit)
        disturb(running)
        try:
            _, error = running.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
            raise Fault("it hangs") from None
        return running.returncode, error.decode(errors="replace")

    def left_behind(self):
        """What no run is to leave that ends by itself: scratch files, too, which have the folder of the graph."""
        usual = {self.out, self.struck, *(self.folder / name for name in ("out-trace.json", "sinograph", "pocl"))}
        return [str(path) for path in self.folder.rglob("*")
                if path.suffix in (".part", ".journal") or (path.parent == self.folder and path not in usual)]

    def undisturbed(self, words):
        """The exit code without limits, signals and faults, and how many calls there were that might have failed; its
        files are what others have to give."""
        self.begin()
        status, error = self.run(words, drawn.calls_of(self.case.rules))
        judge(status, error, {0, 1, 2})
        if status == 0:
            self.references[self.case.line, self.case.device] = self.content()
        return status, len(self.struck.read_text().split()) if self.has_struck() else 0


def limits(dice):
    """What the system refuses beyond: the size of files, or the number that may be open."""
    kind = dice.choice((None, None, None, None, "files", "size"))
    size, number = dice.choice((0, 4096, 100000)), dice.choice((7, 8, 16, 32, 64))

    def limit():
        if kind == "size":
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        elif kind == "files":
            resource.setrlimit(resource.RLIMIT_NOFILE, (number, number))

    return kind, limit


def disturbances(dice):
    number = dice.choice((None,) * 5 + (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGKILL))
    pause = dice.choice((0.05, 0.2, 0.5)) * dice.random()

    def disturb(running):
        if number:
            time.sleep(pause)
            running.send_signal(number)

    return number, disturb


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


def judge(status, error, allowed):
    if status not in allowed:
        raise Fault(f"exit code {status}: {error}")
    if status in (1, 2):
        last = error.strip().splitlines()[-1:] or [""]
        told = [line for line in error.splitlines() if line.startswith("sinograph: ")]
        if not told or "terminate called" in error or "std::" in last[0]:
            raise Fault(f"it says {error!r}")


def judge_result(trial, status, error, resumes):
    """What a graph leaves that ends well where nobody disturbs it."""
    if trial.has_struck() and status in (0, 1, 2):
        if status == 2:
            raise Fault(f"it takes the graph for wrong: {error}")
        trial.check_outcome(status == 0, error)
    if status == 0 or not resumes:
        trial.check_files(status == 0)


def gone_on_with(trial, words, usual, must):
    status, error = trial.run(words + ["--resume"][: "--resume" not in words])
    short = "than the memory limit" in error  # what a process takes before its run differs by some KiB
    judge(status, error, {0} if must and not short else {0, 1, 2})
    if status == 0 and usual == 0:
        trial.check_files(True)


def attempt(trial, words, usual, kind, limit, number, disturb):
    """The exit code."""
    trial.begin()
    status, error = trial.run(words, "" if trial.case.alone else trial.case.rules, limit, disturb)
    # Where one loads libraries with too few files, the loader ends it.
    allowed = {0, 1, 2} | ({130, -number, 128 + number} if number else set()) | ({127} if kind == "files" else set())
    if kind == "size" and trial.case.device != "native" and (status, error) == (1, ""):
        return status  # NVIDIA's compiler ends the process where it cannot write a file of its own
    judge(status, error, allowed)
    fewer = kind == "files" and trial.case.device == "all"  # drivers are files that cannot be opened then
    if status == 0 and usual and not fewer:
        raise Fault(f"it ends well, and with {usual} where nobody disturbs it")
    if number == signal.SIGKILL:
        gone_on_with(trial, words, usual, False)
        return status
    resumes = "--resume" in words
    if not resumes and trial.left_behind():
        raise Fault(f"it left {trial.left_behind()}")
    if usual == 0:
        judge_result(trial, status, error, resumes)
        if resumes and status:  # kernels that did not build are known by the next run, too
            gone_on_with(trial, words, usual, kind is None and not trial.case.fresh)
    return status


def in_process(trial):
    """Whether the fault struck a process that has run the graph before, and does so again."""
    line = trial.case.line
    again = replace(trial.case, line=line if line.endswith("null") else line + " overwrite=true")
    references = {(again.line, again.device): trial.references[line, again.device]}
    return Attempt(again, trial.folder.parent, PROGRAMS, DEVICES, references).process()


def keep(trial, folder):
    """What there is to look at where something is wrong, beside what undisturbed runs wrote."""
    shutil.copytree(trial.folder, folder / "got", symlinks=True, dirs_exist_ok=True)
    for number, files in enumerate(trial.references.values()):
        for name, content in files.items():
            path = folder / f"usual-{number}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def one(nodes, place, seed):
    """What is wrong with a graph; None: nothing."""
    dice = random.Random(seed)
    (kind, limit), (number, disturb) = limits(dice), disturbances(dice)
    faulty, process = kind is None and dice.random() < FAULTY, dice.random() < IN_PROCESS
    disturbed = [f"with a limit of {kind}"] * bool(kind) + [f"with signal {number}"] * bool(number)
    for _ in range(TRIES if faulty else 1):
        line, words = graphs.chain(nodes, dice, *graphs.source(dice)), list(switches(dice))
        case = Case(f"seed {seed}", line, "", device=words[0].partition("=")[2], either=True)
        case = drawn.case(dice, case.name, line, case.device) if faulty else case
        case = replace(case, complete=case.complete or bool(number))  # it may have ended before
        trial = Attempt(case, place, PROGRAMS, DEVICES, {})
        try:
            usual, calls = trial.undisturbed(words)
            status, strikes = usual, calls > 0 and usual == 0
            if strikes:
                trial.case = replace(case, rules=drawn.later(dice, case.rules, calls))
                disturbed.append(f"with the fault '{trial.case.rules}'")
            if strikes or (disturbed and not faulty):
                status = attempt(trial, words, usual, kind, limit, number, disturb)
            struck = strikes and trial.has_struck()
            if strikes and (process or trial.case.alone):
                struck = in_process(trial) or struck
        except Fault as why:
            if options.keep:
                keep(trial, options.keep / str(seed))
            return f"seed {seed}: {' '.join(words)} '{line}' {' and '.join(disturbed)}: {why}"
        finally:
            shutil.rmtree(trial.folder, ignore_errors=True)
        outcomes[{0: "good", 1: "failed", 2: "refused"}.get(status, "stopped")] += 1
        outcomes["struck by faults"] += struck
        if strikes:
            break


def test_soak():
    nodes, wrong = graphs.Nodes(PROGRAMS["sinograph"]), []
    part = 1 if THOROUGH or options.seed is not None else options.part
    seed, end = options.first if options.seed is None else options.seed, time.monotonic() + options.seconds / part
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        if "XDG_CACHE_HOME" in os.environ:  # programs that were built take no time again
            (place / "cache").symlink_to(os.environ["XDG_CACHE_HOME"])
        make_scans(place, PROGRAMS)
        while True:
            failure = one(nodes, place, seed) if is_drawn(seed, part) else None
            if failure:
                wrong.append(seed)
                print("".join(f"# {line}\n" for line in failure.splitlines()), end="", flush=True)
            seed += 1
            if options.seed is not None or time.monotonic() > end:
                break
    number = len(wrong) + sum(n for what, n in outcomes.items() if "struck" not in what)
    print(f"# {number} graphs, {len(wrong)} of them wrong: {dict(outcomes)}", flush=True)
    check(not wrong, f"wrong: {wrong}")


sys.argv[1:] = []
tap.main(globals())
