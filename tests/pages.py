#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Holds the pages of the nodes to the registry: each node has one, with the table of properties that it really has.

usage: pages.py SINOGRAPH SOURCE_ROOT [--update]

SINOGRAPH_PLUGIN_PATH says which nodes there are; --update writes the tables.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

TABLE = re.compile(r"(<!-- properties -->\n).*?(<!-- /properties -->\n)", re.S)


def ask(program, *arguments):
    return subprocess.run([program, "inspect", *arguments], check=True, capture_output=True, text=True).stdout


def check(program, root, name, update):
    """What is wrong with the page of a node, or None."""
    kind = "filters" if (root / "filters" / f"{name}.cpp").exists() else "tasks"
    page = root / "docs" / kind / f"{name}.md"
    if not page.exists():
        return f"{page}: missing"
    old = page.read_text()
    if len(TABLE.findall(old)) != 1:
        return f"{page}: wants the lines '<!-- properties -->' and '<!-- /properties -->' once"
    table = ask(program, name, "--markdown")
    new = TABLE.sub(lambda found: found[1] + table + found[2], old)
    if new == old:
        return None
    if update:
        page.write_text(new)
        return None
    return f"{page}: its table of properties is old: 'ninja -C build pages' brings it up to date"


def main():
    program, root, update = sys.argv[1], Path(sys.argv[2]), "--update" in sys.argv[3:]
    names = [node["name"] for node in json.loads(ask(program, "--json"))]
    problems = [check(program, root, name, update) for name in names]
    for page in sorted((root / "docs/filters").glob("*.md")) + sorted((root / "docs/tasks").glob("*.md")):
        if page.stem not in names:
            problems.append(f"{page}: there is no node '{page.stem}'")
    problems = [p for p in problems if p]
    print("\n".join(problems) or f"{len(names)} pages fit their nodes")
    return 1 if problems or not names else 0


if __name__ == "__main__":
    sys.exit(main())
