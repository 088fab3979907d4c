#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs the examples of a page, one after the other in one process and a folder of their own.

usage: python-guide.py PAGE [FOLDER]

With FOLDER, where the pictures of the page are, these are drawn again.
"""
import contextlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from unittest import SkipTest

import tap


def example(page, line, code, names):
    def run():
        if "matplotlib" in code and not importlib.util.find_spec("matplotlib"):
            raise SkipTest("matplotlib is not installed")
        with contextlib.redirect_stdout(sys.stderr):  # the other is for results
            exec(compile("\n" * line + code, page, "exec"), names)

    run.__name__ = f"line_{line + 1}"
    return run


def pictures(page, folder):
    """Those that the page shows were drawn."""
    for name in re.findall(r"!\[[^]]*\]\(\S*?([^/)]+\.png)\)", page):
        if not importlib.util.find_spec("matplotlib"):
            raise SkipTest("matplotlib is not installed")
        tap.check(Path(name).stat().st_size > 10000, f"{name} is empty")
        if folder:
            shutil.copy(name, folder)


def main():
    path = Path(sys.argv[1]).resolve()
    folder = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    page, names = path.read_text(), {"__name__": "__main__"}
    blocks = re.finditer(r"^```python\n(.*?)^```", page, re.M | re.S)
    tests = {f"test_{found.start()}": example(str(path), page.count("\n", 0, found.start(1)), found[1], names)
             for found in blocks}
    tests["test_pictures"] = lambda: pictures(page, folder)
    tests["test_pictures"].__name__ = "pictures"
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        tap.main(tests)


main()
