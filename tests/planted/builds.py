# SPDX-License-Identifier: LGPL-3.0-or-later
"""Build folders, and runs of their tests that end whatever hangs."""
import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

KINDS = {"plain": [], "address": ["--setup", "address", "-t", "4"], "thread": ["-t", "4"]}  # options of 'meson test'
LOG = "planted"
ABOUT_TEXT = {"planted", "layout"}  # tests that read the sources: they would see a planted fault as such
BAD = {"FAIL", "ERROR", "TIMEOUT", "UNEXPECTEDPASS"}


class Wrong(Exception):
    """The table, the tree or a build folder is not as it has to be."""


def information(folder, what):
    try:
        return json.loads((Path(folder) / f"meson-info/{what}.json").read_text())
    except OSError as error:
        raise Wrong(f"{folder} is no build folder: {error}") from None


def tests_of(folder):
    """Names of tests, with their suites."""
    return {test["name"]: {suite.split(":")[-1] for suite in test["suite"]} for test in information(folder, "intro-tests")}


def is_sanitized(folder):
    return any(o["name"] == "b_sanitize" and o["value"] != "none" for o in information(folder, "intro-buildoptions"))


def has_fixed_addresses():
    """GCC's thread sanitizer does not know the address layout of kernels with much randomness."""
    return shutil.which("setarch") and subprocess.run(["setarch", "-R", "true"], capture_output=True).returncode == 0


def descendants(pid):
    """Processes that a process has started, and those that these have, with the times of their begin."""
    parents, begins = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:  # gone
            continue
        number = int(stat.parent.name)
        parents[number], begins[number] = int(words[1]), words[19]
    found, last = set(), {pid}
    while last:
        last = {child for child, parent in parents.items() if parent in last} - found
        found |= last
    return {child: begins[child] for child in found}


def is_same(pid, begin):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19] == begin
    except OSError:
        return False


def stop(process):
    """Ends 'meson test' and what it has started: compilers, or tests, which have process groups of their own."""
    started = descendants(process.pid)
    for number, patience in (signal.SIGTERM, 30), (signal.SIGKILL, 10):
        for pid in [process.pid] * (process.poll() is None) + [pid for pid, begin in started.items() if is_same(pid, begin)]:
            try:
                os.kill(pid, number)
            except OSError:  # gone
                pass
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            pass


class Outcome:
    """Of a run of tests: what each gave, and whether the code was built and time sufficed."""

    def __init__(self, results, built, in_time, output):
        self.results, self.built, self.in_time, self.output = results, built, in_time, output
        # What fails because it was stopped is no finding, and what had failed before would have ended the run.
        self.bad = [test for test, result in results.items() if result in BAD] if in_time else []


class Build:
    def __init__(self, kind, folder, root):
        self.kind, self.folder, self.root = kind, Path(folder).resolve(), root
        source = information(self.folder, "meson-info")["directories"]["source"]
        if Path(source).resolve() != root:
            raise Wrong(f"{folder} is a build of {source}, not of {root}")
        self.tests = tests_of(self.folder)
        self.command = ["setarch", "-R"] if kind == "thread" and has_fixed_addresses() else []

    def suited(self, names):
        """Those that the build has, and that go with the sanitizer."""
        return [name for name in dict.fromkeys(names)
                if name in self.tests and (self.kind != "thread" or "core" in self.tests[name])]  # fmt: skip

    def reachable(self, select, file):
        run = subprocess.run([select, self.folder, file], cwd=self.root, capture_output=True, text=True)
        if run.returncode != 0:
            raise Wrong(f"{select} {self.folder} {file}: {run.stderr.strip() or f'status {run.returncode}'}")
        return [test for test in run.stdout.split() if test not in ABOUT_TEXT]

    def run(self, names, minutes, all_of_them=False):
        """Builds and runs tests, up to the first that fails or all of them."""
        logs = self.folder / "meson-logs"
        for old in logs.glob(LOG + "*"):
            old.unlink()
        output = logs / (LOG + "-output.txt")
        command = [*self.command, "meson", "test", "-C", str(self.folder), "--print-errorlogs", "--logbase", LOG,
                   *KINDS[self.kind], *([] if all_of_them else ["--maxfail", "1"]), *names]  # fmt: skip
        with open(output, "w") as file:
            process = subprocess.Popen(command, cwd=self.root, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True)
            in_time = True
            try:
                process.wait(60 * minutes)
            except subprocess.TimeoutExpired:
                in_time = False
                stop(process)
            except BaseException:
                stop(process)
                raise
        return Outcome(self.read_results(logs), process.returncode != 125, in_time, output.read_text(errors="replace"))

    @staticmethod
    def read_results(logs):
        lines = [line for log in logs.glob(LOG + "*.json") for line in log.read_text(errors="replace").splitlines()]
        results = {}
        for line in lines:
            try:
                result = json.loads(line)
            except ValueError:  # was being written
                continue
            results[result["name"].split(" / ")[-1]] = result["result"]
        return results
