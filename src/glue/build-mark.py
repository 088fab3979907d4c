#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Writes the header with the build mark: a hash of the headers that modules in C++ are compiled with.

usage: build-mark.py OUTPUT HEADER...
"""
import hashlib
import sys
from pathlib import Path

output, *headers = map(Path, sys.argv[1:])
digest = hashlib.sha256()
for header in sorted(headers, key=lambda path: (path.parent.name, path.name)):
    digest.update(f"{header.parent.name}/{header.name}\n".encode() + header.read_bytes())
output.write_text(f"""// SPDX-License-Identifier: LGPL-3.0-or-later
// A hash of the headers that modules in C++ are compiled with, made by build-mark.py.
#pragma once

#define SINO_BUILD "{digest.hexdigest()[:12]}"
""")
