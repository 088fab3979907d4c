#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Prints the folder below a prefix in which this Python looks for modules, if there is one.

usage: site-folder.py PREFIX
"""
import os
import site
import sys

for folder in site.getsitepackages():
    if os.path.relpath(folder, sys.argv[1]).startswith("lib"):
        print(folder)
        break
