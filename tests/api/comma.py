#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs a test in a locale whose numbers have a comma, as programs on a German desktop do.

usage: comma.py FOLDER PROGRAM [ARGUMENT...]; the locale is made in FOLDER, unless it is there
"""
import os
import shutil
import subprocess
import sys
import tempfile

NAME = "de_DE.UTF-8"


def make(folder):
    """Several tests may do this at the same time."""
    part = tempfile.mkdtemp(dir=folder)
    subprocess.run(["localedef", "--no-archive", "-i", "de_DE", "-f", "UTF-8", f"{part}/{NAME}"], check=True)
    try:
        os.rename(f"{part}/{NAME}", f"{folder}/{NAME}")
    except OSError:
        if not os.path.isdir(f"{folder}/{NAME}"):
            raise
    shutil.rmtree(part)


def main(folder, *command):
    os.makedirs(folder, exist_ok=True)
    if not os.path.isdir(f"{folder}/{NAME}"):
        if not shutil.which("localedef") or not os.path.exists("/usr/share/i18n/locales/de_DE"):
            print("1..0 # SKIP no localedef with its sources (package locales)")
            return
        make(folder)
    environment = {**os.environ, "LC_ALL": NAME, "LOCPATH": folder, "SINO_TEST_COMMA": "1"}
    os.execve(command[0], command, environment)


main(*sys.argv[1:])
