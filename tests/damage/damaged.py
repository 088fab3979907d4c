#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs graphs over damaged scans. Each must give what its plan promised, or one error that leaves nothing behind.

usage: damaged.py RUNNER tiff|hdf5|fields|edf|fits|mrc|npy|png|jpeg|mat|zeiss|raw [--files N] [--part N] [--seed N] [--only NUMBER]
                  [--keep FOLDER]

A file depends on its seed and number alone. With --part, every Nth of them is tried, all the same in thorough tests. Files at which a run fails are kept, with the command that repeats it.
"""
import argparse
import itertools
import os
import random
import re
import shutil
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

import harm
import scans
from draw import drawn
from session import Ended, Session

MEMORY = 512  # MiB for a run: with the address sanitizer, the program has 260 before it begins
ALLOWANCE = 64  # MiB that the process may take beyond that
LARGEST = 64 << 20  # bytes of a result, beyond which it is planned only
FIELDS = ["edf", "fits", "mrc", "npy", "png", "jpeg", "mat", "zeiss", "scanner", "raw"]  # the formats that `fields` has together
SIZES = {"u8": 1, "u16": 2, "f16": 2, "f32": 4}


class Fault(Exception):
    pass


def promised(plan):
    """Element and shape that reach the sink."""
    found = re.findall(r"\b(u8|u16|f16|f32) \w+ \(\w+ (\d+), \w+ (\d+), \w+ (\d+)\)", plan)
    return found[-1][0], tuple(map(int, found[-1][1:]))


def written(folder):
    """What a run left as (element, shape), with its bytes."""
    import h5py
    import numpy as np
    import tifffile
    files = sorted(path for path in folder.iterdir() if path.suffix != ".sums")
    if files[0].suffix == ".h5":
        with h5py.File(files[0]) as file:
            array = file["exchange/data"][()]
    elif len(files) == 1 and "-" not in files[0].name:
        with tifffile.TiffFile(files[0]) as file:
            array = np.stack([page.asarray() for page in file.pages])
    else:
        array = np.stack([tifffile.imread(file) for file in files])
    kind = {np.dtype(t): e for e, t in (("u8", "u1"), ("u16", "u2"), ("f16", "f2"), ("f32", "f4"))}[array.dtype]
    return kind, array.shape, array.tobytes()


class Case:
    """A scan and what is done with it; damaged, unless its number is negative: good scans have to pass as well."""

    def __init__(self, seed, number, good):
        rng = random.Random(f"{seed} {number}")
        self.number = number
        self.scan = good[number if number < 0 else rng.randrange(len(good))]
        self.files, self.harm = self.scan.files, "nothing"
        if number >= 0:
            others = [content for scan in good for content in scan.files.values()]
            self.files, self.harm = harm.damage(rng, self.scan.files, others)
        ranges = [f" rows={rng.randrange(9)}:", " rows=::3", " columns=3:-3", " projections=1::2"]
        read = "read " + self.scan.words + (rng.choice(ranges) if rng.random() < 0.2 and number >= 0 else "")  # a good one may have a single image
        corrected = " ! flat-field" if "*" not in self.scan.words else ""
        middle = rng.choices(["", corrected, corrected and corrected + " ! reconstruct"], [6, 2, 2])[0]
        self.graph = read + middle
        self.result = rng.choice(["out.tif", "out.h5", "out-%05i.tif"])
        self.memory = f"{MEMORY}M"
        self.twice = rng.random() < 0.1

    def __str__(self):
        return f"{self.scan.name}, {self.harm}: {self.graph} ! write path={self.result}"

    def write(self, folder):
        for name, content in self.files.items():
            (folder / name).write_bytes(content)


class Trial:
    """One case in a folder of its own."""

    def __init__(self, session, case, folder):
        self.session, self.case, self.folder = session, case, folder

    def ask(self, verb, result):
        line = f"{self.case.graph} ! write path={self.folder / result / self.case.result}"
        line = line.replace("PLACE", str(self.folder))
        good, peak, said = self.session.ask(verb, self.case.memory, line)
        if peak > (MEMORY + ALLOWANCE) << 10:
            raise Fault(f"{verb} took {peak >> 10} MiB of memory, {MEMORY} were allowed")
        if not good and (not said.strip() or "\\n" in said):
            raise Fault(f"{verb} gave no clean message: '{said}'")
        return good, said

    def left(self, result, sums=False):
        """What is in the folder, checksums apart."""
        folder = self.folder / result
        return sorted(path for path in folder.iterdir() if (path.suffix == ".sums") == sums) if folder.exists() else []

    def run(self, result):
        """Whether the run went well; its result is as promised then, and else nothing unfinished is left."""
        good, said = self.ask("run", result)
        left = self.left(result)
        strange = [path.name for path in left if not re.fullmatch(r"out(-\d+\.tif|\.tif|\.h5)", path.name)]
        if strange:
            raise Fault(f"the run left {', '.join(strange)}")
        sums = [path.name for path in self.left(result, sums=True)]
        beside = [] if self.case.result.endswith(".h5") else [self.case.result + ".sums"]  # HDF5 has them inside
        if sums not in (beside, []) or good and sums != beside:
            raise Fault(f"the run left the checksums {sums}")
        if good:
            return True
        if sums and "%" not in self.case.result:
            raise Fault(f"the run failed and left {sums[0]}")
        if left and "%" not in self.case.result:
            raise Fault(f"the run failed ({said}) and left {left[0].name}")
        for page in left:
            self.page(page)
        return False

    def run_again(self):
        good, said = self.ask("run", "second")
        if not good:
            raise Fault(f"a second run failed: {said}")

    def page(self, path):
        import tifffile
        if tifffile.imread(path).shape != self.promise[1][1:]:
            raise Fault(f"the run failed and left {path.name} of another shape")

    def verdict(self):
        good, plan = self.ask("check", "first")
        if self.left("first"):
            raise Fault("planning made files")
        if not good:
            if self.ask("run", "first")[0]:
                raise Fault(f"what cannot be planned ({plan}) can be run")
            if self.left("first"):
                raise Fault("a run that cannot be planned made files")
            return "refused"
        self.promise = promised(plan)
        element, shape = self.promise
        if SIZES[element] * shape[0] * shape[1] * shape[2] > LARGEST:
            return "planned"
        if not self.run("first"):
            return "failed"
        kind, shape, content = written(self.folder / "first")
        if (kind, shape) != self.promise:
            raise Fault(f"{kind} {shape} was written, {self.promise} promised")
        if self.case.twice:
            self.run_again()
            if written(self.folder / "second")[2] != content:
                raise Fault("a second run gave other bytes")
        return "good"


class Campaign:
    """Many cases on some threads, each with a process that runs the graphs."""

    def __init__(self, options):
        self.options = options
        with tempfile.TemporaryDirectory() as folder:
            made = {"tiff": scans.tiff_scans, "fields": scans.field_scans, "hdf5": lambda: scans.hdf5_scans(folder)}
            make = made.get(options.kind, lambda: (scan for scan in scans.field_scans() if scan.name.split("-")[0] == options.kind))
            self.good = list(make())
        numbers = [options.only] if options.only is not None else [*range(-len(self.good), 0), *drawn(range(options.files), options.part)]
        self.numbers, self.lock = iter(numbers), threading.Lock()
        self.verdicts, self.faults = Counter(), []

    def next(self):
        with self.lock:
            return next(self.numbers, None)

    def work(self):
        with tempfile.TemporaryDirectory() as place:
            session = Session(self.options.runner, Path(place) / "messages")
            for n in itertools.count():
                number = self.next()
                if number is None:
                    break
                if n % 250 == 249:
                    session = self.end(session, number)
                case = Case(self.options.seed, number, self.good)
                folder = Path(place) / str(number)
                folder.mkdir()
                case.write(folder)
                try:
                    verdict = Trial(session, case, folder).verdict()
                    session.silent()
                    if number < 0 and verdict != "good":
                        raise Fault(f"a good scan was {verdict}")
                    self.verdicts[verdict] += 1
                except (Fault, Ended) as fault:
                    self.report(case, fault)
                except Exception as error:  # such as those of the libraries that read what was written
                    self.report(case, f"the trial failed: {error!r}")
                shutil.rmtree(folder)
            self.end(session, "the last one")

    def end(self, session, number):
        try:
            session.end()
        except Ended as fault:
            self.report(None, f"the process did not end well before {number}: {fault}")
        return Session(self.options.runner, session.messages)

    def report(self, case, fault):
        with self.lock:
            self.faults.append(fault)
            if not case:
                print(f"# {fault}", flush=True)
                return
            folder = Path(self.options.keep) / f"{self.options.kind}-{self.options.seed}-{case.number}"
            folder.mkdir(parents=True, exist_ok=True)
            case.write(folder)
            lines = [f"{self.options.kind}, seed {self.options.seed}, number {case.number}: {fault}", str(case),
                     f"kept in {folder}", f"again: {sys.executable} {' '.join(sys.argv[:3])} "
                     f"--seed {self.options.seed} --only {case.number}"]
            print("".join(f"# {line}\n" for text in lines for line in text.splitlines()), flush=True)

    def run(self):
        threads = [threading.Thread(target=self.work) for _ in range(min(os.cpu_count() or 1, 8))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runner", type=os.path.abspath)
    parser.add_argument("kind", choices=["tiff", "hdf5", "fields", *FIELDS])
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", default="damaged")
    campaign = Campaign(parser.parse_args())
    if not campaign.good:
        print(f"1..0 # SKIP nothing here writes {campaign.options.kind}")
        return
    campaign.run()
    counts = ", ".join(f"{n} {verdict}" for verdict, n in sorted(campaign.verdicts.items()))
    print(f"# {sum(campaign.verdicts.values())} files: {counts}; {len(campaign.faults)} faults")
    print(f"1..1\n{'not ' if campaign.faults else ''}ok 1 - {campaign.options.kind}")
    sys.exit(1 if campaign.faults else 0)


if __name__ == "__main__":
    main()
