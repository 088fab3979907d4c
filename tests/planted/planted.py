#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Puts the faults of faults.json into the code, one at a time, and says whether the tests find them.

Each fault meets the tests that should find it first, and, where these find nothing, all that its code can reach
(.ci/select). The file is put back whatever happens. A build folder that was used knows that: its next build makes the
sound code again. The last line is "N of M found", and the exit status 0 where that is nine in ten.

Faults that only a sanitizer sees say so ("under"), and want a build folder with it (--address, --thread).
"""
import argparse
import hashlib
import json
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from builds import KINDS, Build, Wrong, is_sanitized, tests_of

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).resolve().parent / "faults.json"
SELECT = ROOT / ".ci/select"
KEYS = {"name", "kind", "file", "old", "new", "why", "likely", "under"}
MINUTES_LIKELY, MINUTES_OTHERS = 20, 60  # of a run of tests


# --- the table ---


def text_of(lines):
    """A part of a line, or a list of whole lines."""
    return lines if isinstance(lines, str) else "".join(line + "\n" for line in lines)


def read_table():
    faults = json.loads(TABLE.read_text())
    for fault in faults:
        fault["old"], fault["new"] = text_of(fault["old"]), text_of(fault["new"])
    return faults


def problems_of(fault):
    name = fault.get("name", "a fault without a name")
    if fault.keys() != KEYS:
        yield f"{name}: keys {', '.join(sorted(fault.keys() ^ KEYS))} are missing or unknown"
        return
    if fault["under"] not in KINDS or not fault["likely"] or fault["old"] == fault["new"]:
        yield f"{name}: 'under' is one of {', '.join(KINDS)}, some test is likely, and 'new' is not 'old'"
    path = ROOT / fault["file"]
    if not path.is_file():
        yield f"{name}: there is no {fault['file']}"
    elif (n := path.read_text().count(fault["old"])) != 1:
        yield f"{name}: its text is {n} times in {fault['file']}, not once: write the fault into the code as it is now"


def check_table(faults, known):
    """`known`: names of all tests, or None."""
    found = [problem for fault in faults for problem in problems_of(fault)]
    names = [fault.get("name") for fault in faults]
    found += [f"{name}: is here twice" for name in sorted(set(names)) if names.count(name) > 1]
    if known is not None:
        found += [f"{fault['name']}: there is no test {test}"
                  for fault in faults for test in fault.get("likely", []) if test not in known]  # fmt: skip
    if found:
        raise Wrong("\n".join(found))


# --- a fault ---


def check_clean(fault):
    run = subprocess.run(["git", "status", "--porcelain", "--", fault["file"]], cwd=ROOT, capture_output=True, text=True)
    if run.returncode != 0 or run.stdout:
        raise Wrong(f"{fault['file']} is not as it was committed: {run.stdout.strip() or run.stderr.strip()}")


@contextmanager
def planted(fault):
    """The fault is in the code. Afterwards the file has its bytes, and a time after those of what was built of it."""
    check_clean(fault)
    path = ROOT / fault["file"]
    sound = path.read_bytes()
    try:
        path.write_text(sound.decode().replace(fault["old"], fault["new"]))
        yield
    finally:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        path.write_bytes(sound)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def fault_in_build(fault, outcome):
    """What the compiler has against the fault, or None."""
    if not outcome.built:
        errors = [line for line in outcome.output.splitlines() if "error:" in line or line.startswith("FAILED")]
        return "\n".join(errors[:5]) or outcome.output[-2000:]
    warning = re.search(rf"^.*{re.escape(fault['file'])}:\d+:\d+: warning: .*$", outcome.output, re.M)
    return warning and warning[0]


class Trial:
    """One fault: what was run, and what that says."""

    def __init__(self, fault, build, everything):
        self.fault, self.build, self.everything = fault, build, everything
        self.by, self.broken, self.notes = None, None, []

    def run(self):
        begin = time.monotonic()
        likely = self.build.suited(self.fault["likely"])
        with planted(self.fault):
            self.look(likely, MINUTES_LIKELY)
            if not self.by and not self.broken:
                others = self.build.tests if self.everything else self.build.reachable(SELECT, self.fault["file"])
                self.look([test for test in self.build.suited(others) if test not in likely], MINUTES_OTHERS)
        self.seconds = round(time.monotonic() - begin, 1)
        return self.by not in likely

    def look(self, tests, minutes):
        if not tests:
            return
        outcome = self.build.run(tests, minutes)
        self.broken = fault_in_build(self.fault, outcome)
        self.by = outcome.bad[0] if outcome.bad and not self.broken else None
        if not outcome.in_time:
            self.notes.append(f"stopped after {minutes} minutes")

    def confirm(self):
        """A test that was not tried before is nothing if it fails without the fault, too."""
        if self.by and self.build.run([self.by], MINUTES_LIKELY).bad:
            raise Wrong(f"{self.fault['name']}: {self.by} fails without the fault, too")

    def verdict(self):
        return "does not compile" if self.broken else "found" if self.by else "missed"

    def line(self):
        words = f"found by {self.by} ({self.seconds:.0f} s)" if self.by else self.verdict()
        return f"{self.fault['name']}: {words}{''.join(f' ({note})' for note in self.notes)}"


def check_baseline(faults, builds):
    """What fails without a fault finds none."""
    for kind, build in builds.items():
        names = build.suited(test for fault in faults if fault["under"] == kind for test in fault["likely"])
        if not names:
            continue
        outcome = build.run(names, MINUTES_OTHERS, all_of_them=True)
        if not outcome.built:
            raise Wrong(f"{build.folder} cannot be built:\n{outcome.output[-2000:]}")
        if outcome.bad or not outcome.in_time:
            raise Wrong(f"without any fault, in {build.folder}: {', '.join(outcome.bad) or 'the tests take too long'}")
        skipped = [test for test in names if outcome.results.get(test) not in ("OK", "EXPECTEDFAIL")]
        print(f"{kind}: {len(names) - len(skipped)} tests pass without any fault"
              + (f"; not run: {', '.join(skipped)}" if skipped else ""), flush=True)  # fmt: skip


# --- results that are kept ---


def commit():
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def digest(fault):
    return hashlib.sha256("\0".join((fault["file"], fault["old"], fault["new"])).encode()).hexdigest()[:16]


def judged(path, now):
    """Verdicts of earlier runs on the same commit, by name and digest."""
    if not path or not Path(path).exists():
        return {}
    lines = [json.loads(line) for line in Path(path).read_text().splitlines() if line.endswith("}")]
    return {(line["name"], line["digest"]): line["verdict"] for line in lines
            if line["commit"] == now and line["verdict"] in ("found", "missed")}  # fmt: skip


def keep(path, now, trial):
    if path:
        with open(path, "a") as file:
            print(json.dumps({"name": trial.fault["name"], "digest": digest(trial.fault), "commit": now, "under": trial.build.kind,
                              "verdict": trial.verdict(), "by": trial.by, "seconds": trial.seconds, "notes": trial.notes}), file=file)  # fmt: skip


# --- the program ---


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", metavar="BUILD", help="build folder without a sanitizer")
    for kind in KINDS:
        parser.add_argument("--" + kind, metavar="BUILD", help=f"build folder for the faults under '{kind}'")
    parser.add_argument("--check", action="store_true", help="only hold the table to the code, and to the tests of BUILD if given")
    parser.add_argument("--name", nargs="+", default=[], help="faults to plant; all, if not given")
    parser.add_argument("--all-tests", action="store_true", help="all tests, not those that .ci/select says the code can reach")
    parser.add_argument("--no-baseline", action="store_true", help="do not see first that the tests pass without a fault")
    parser.add_argument("--out", metavar="FILE", help="add a line of JSON for each fault")
    parser.add_argument("--resume", action="store_true", help="leave out faults that --out has for this commit")
    options = parser.parse_args()
    options.plain = options.plain or options.build
    if options.resume and not options.out:
        parser.error("--resume wants --out")
    return options, parser


def choose(faults, names):
    if unknown := set(names) - {fault["name"] for fault in faults}:
        raise Wrong(f"no fault {', '.join(sorted(unknown))}")
    return [fault for fault in faults if not names or fault["name"] in names]


def plant_all(options, parser, faults):
    now = commit()
    known = judged(options.out, now) if options.resume else {}
    found = sum(known.get((fault["name"], digest(fault))) == "found" for fault in faults)
    left = [fault for fault in faults if (fault["name"], digest(fault)) not in known]
    kinds = dict.fromkeys(fault["under"] for fault in left)
    if missing := [kind for kind in kinds if not getattr(options, kind)]:
        parser.error(f"some faults want build folders: {', '.join('--' + kind for kind in missing)}")
    if left and not options.all_tests and not SELECT.exists():
        raise Wrong(f"there is no {SELECT}, which says what tests the code can reach: write it, or give --all-tests")
    builds = {kind: Build(kind, getattr(options, kind), ROOT) for kind in kinds}
    for kind, build in builds.items():
        check_table([fault for fault in left if fault["under"] == kind], build.tests)
    for fault in left:
        check_clean(fault)
    if not options.no_baseline:
        check_baseline(left, builds)
    broken = 0
    for fault in left:
        trial = Trial(fault, builds[fault["under"]], options.all_tests)
        if trial.run() and not options.no_baseline:
            trial.confirm()
        keep(options.out, now, trial)
        print(trial.line() + (f"\n{trial.broken}" if trial.broken else ""), flush=True)
        found += trial.verdict() == "found"
        broken += trial.broken is not None
    print(f"{found} of {len(faults)} found")
    return 0 if not broken and 10 * found >= 9 * len(faults) else 1


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    options, parser = parse()
    for number in signal.SIGTERM, signal.SIGHUP:
        signal.signal(number, interrupt)
    try:
        faults = choose(read_table(), options.name)
        if options.check:
            known = options.plain and not is_sanitized(options.plain) and tests_of(options.plain)
            check_table(faults, known or None)
            print(f"{len(faults)} faults fit the code")
            return 0
        check_table(faults, None)
        return plant_all(options, parser, faults)
    except Wrong as problem:
        print(f"planted.py: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
