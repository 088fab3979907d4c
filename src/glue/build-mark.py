#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Writes the header with the build mark, a hash of the headers that modules in C++ are compiled with, and the versions of the
library's symbols, of which that of C++ is named by the mark.

usage: build-mark.py HEADER-OUTPUT VERSIONS-OUTPUT HEADER...
"""
import hashlib
import sys
from pathlib import Path

header_output, versions_output, *headers = map(Path, sys.argv[1:])
digest = hashlib.sha256()
for header in sorted(headers, key=lambda path: (path.parent.name, path.name)):
    digest.update(f"{header.parent.name}/{header.name}\n".encode() + header.read_bytes())
mark = digest.hexdigest()[:12]
header_output.write_text(f"""// SPDX-License-Identifier: LGPL-3.0-or-later
// A hash of the headers that modules in C++ are compiled with, made by build-mark.py.
#pragma once

#define SINO_BUILD "{mark}"
""")
# What is hidden stays so: this says the versions of what is visible.
versions_output.write_text(f"""SINOGRAPH_1.0 {{ global: sino_*; }};
SINOGRAPH_BUILD_{mark} {{ global: _Z*; }};
""")
