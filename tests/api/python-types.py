#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The type stubs: they name what there is, and mypy finds what is wrong with a program and nothing else.

usage: python-types.py STUBS
"""
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import SkipTest

import gi

gi.require_version("Sino", "1.0")
from gi.repository import GObject, Sino

import tap
from tap import check, same

STUBS = Path(sys.argv[1])
PROGRAM = Path(__file__).parent / "typed/program.py"
# What ours needs of the stubs of PyGObject, which are a package of their own.
OTHERS = {
    "__init__": "def require_version(namespace: str, version: str) -> None: ...\n",
    "repository/__init__": "",
    "repository/GObject": "class Object:\n    class Props: ...\nclass GEnum(int): ...\n",
    "repository/GLib": "class Variant: ...\nclass Bytes: ...\n"
                       "class Error(RuntimeError):\n"
                       "    message: str\n"
                       "    def matches(self, domain: int, code: int) -> bool: ...\n",
    "repository/Gio": "class Cancellable: ...\nclass AsyncResult: ...\n",
}


def mypy(program):
    if not shutil.which("mypy"):
        raise SkipTest("mypy is not installed")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "gi/repository").mkdir(parents=True)
        for name, text in OTHERS.items():
            (Path(folder) / f"gi/{name}.pyi").write_text(text)
        shutil.copy(STUBS, Path(folder) / "gi/repository/Sino.pyi")
        path = Path(folder) / "program.py"
        path.write_text(program)
        result = subprocess.run(["mypy", "--strict", "--no-error-summary", "--cache-dir", f"{folder}/cache", path],
                                env={**os.environ, "MYPYPATH": folder}, cwd=folder, capture_output=True, text=True)
        return result.stdout + result.stderr


def test_a_good_program():
    same(mypy(PROGRAM.read_text()), "")


def test_mistakes():
    lines = {
        'graph = Sino.Graph.launch(7)': "arg-type",
        'source = Sino.AppSource(row=4)': "call-arg",
        'source.push([1, 2])': "arg-type",
        'source.props.max_byte = 7': "attr-defined",
        'number: int = Sino.Buffer.new(format).numpy()': "assignment",
        'Sino.AppSink().pull().get_rows()': "union-attr",
        'Sino.Runner().run_async(graph).stop()': "attr-defined",
        'Sino.Runner().run_async(graph, progress=7)': "call-overload",
        'Sino.Flow.LINES': "attr-defined",
    }
    head = ["import gi", "from gi.repository import Sino", "source = Sino.AppSource()", "graph = Sino.Graph.new()",
            "format = Sino.Format.new_slices(Sino.Element.F32, 1, 2, 3)"]
    found = mypy("\n".join(head + list(lines)) + "\n")
    for number, (line, code) in enumerate(lines.items(), len(head) + 1):
        check(re.search(rf"^program.py:{number}: error: .*\[{code}\]$", found, re.M), f"{line}: {found}")


def stubbed():
    """The names of the namespace and of each of its classes."""
    names, classes = set(), {}
    for node in ast.parse(STUBS.read_text()).body:
        if isinstance(node, ast.ClassDef):
            classes[node.name] = {part.name if isinstance(part, ast.FunctionDef) else part.target.id
                                  for part in node.body if isinstance(part, (ast.FunctionDef, ast.AnnAssign))}
        elif isinstance(node, (ast.FunctionDef, ast.AnnAssign)):
            names.add(node.name if isinstance(node, ast.FunctionDef) else node.target.id)
    return names, classes


def test_all_that_is_named_is_there():
    names, classes = stubbed()
    said = {"Task": {"flow", "inputs", "optional_inputs", "replicable", "live", "live_properties", "open_ended"}}  # by classes
    for name in names | classes.keys() - {"HasArrayInterface"}:
        check(hasattr(Sino, name), f"there is no {name}")
        for part in classes.get(name, set()) - said.get(name, set()):
            check(hasattr(getattr(Sino, name), part), f"there is no {name}.{part}")


def test_all_that_is_there_is_named():
    names, classes = stubbed()
    for name in dir(Sino):
        thing = getattr(Sino, name)
        if name.startswith("_") or name.endswith("Class"):
            continue
        check(name in names or name in classes, f"{name} is missing")
        if isinstance(thing, type):
            # Of its own classes, in introspection and in the override; signals and properties are GObject's.
            own = {part for kind in thing.__mro__ if kind.__name__ == name for part in vars(kind)}
            missing = {part for part in own - classes[name] if not part.startswith("_") and part != "props"}
            inherited = set(dir(GObject.GEnum)) | {"parent", "parent_instance"}
            same((name, missing - inherited), (name, set()))


tap.main(globals())
