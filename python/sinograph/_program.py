# SPDX-License-Identifier: LGPL-3.0-or-later
"""The command `sinograph` of a wheel: it becomes the program that lies in the package."""
import os
import sys
from pathlib import Path


def main():
    program = Path(__file__).parent / "bin/sinograph"
    os.execv(program, ["sinograph", *sys.argv[1:]])
