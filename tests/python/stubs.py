#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The type stubs of filters name what the functions take, and mypy accepts a program and finds its mistakes.

usage: stubs.py STUBS PACKAGE [names]

With `names` mypy, which takes seconds, is left out.
"""
import ast
import importlib.util
import inspect
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import SkipTest

import tap
from sinograph import filters
from tap import check, same

STUBS, PACKAGE = map(Path, sys.argv[1:3])
PROGRAM = """
import numpy
import sinograph
volume: numpy.ndarray = sinograph.reconstruct (numpy.zeros ((9, 8, 7)), axis=3.5, window="hann")
smooth: numpy.ndarray = sinograph.filters.median (volume, size=5, device="native")
for array in sinograph.Graph ("phantom ! app-sink name=out")["out"]:
    pass
def shown (error: sinograph.Error) -> str | None:
    return error.node
"""
WRONG = {'sinograph.filters.median (1, size="five")': 'Argument "size"', 'sinograph.filters.median (1, sise=5)': "sise",
         'sinograph.filters.median (1, direction="up")': 'Argument "direction"', "sinograph.Graph (7)": "Argument 1"}


def test_names():
    declared = {part.name: part for part in ast.parse(STUBS.read_text()).body if isinstance(part, ast.FunctionDef)}
    known = set(dir(filters))
    check(known <= set(declared), known - set(declared))
    for name in known:
        own = inspect.signature(getattr(filters, name)).parameters
        arguments = declared[name].args
        same([one.arg for one in arguments.args + arguments.kwonlyargs], list(own))


def test_mypy():
    if "names" in sys.argv[3:] or importlib.util.find_spec("mypy") is None:
        raise SkipTest("mypy is not wanted, or not installed")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(PACKAGE, f"{folder}/sinograph", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(STUBS, f"{folder}/sinograph/filters.pyi")
        good, bad = Path(folder, "good.py"), Path(folder, "bad.py")
        good.write_text(PROGRAM)
        bad.write_text("import sinograph\n" + "\n".join(WRONG) + "\n")
        done = subprocess.run([sys.executable, "-m", "mypy", "--follow-imports=silent", "--ignore-missing-imports",
                               "--cache-dir=/dev/null", good, bad], capture_output=True, text=True, cwd=folder)
        lines = [line for line in done.stdout.splitlines() if ": error:" in line]
        same(len(lines), len(WRONG))
        for line, word in zip(lines, WRONG.values()):
            check(line.startswith("bad.py") and word in line, line)


tap.main(globals())
