#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Holds pages to the program: each node has one, with the table of properties that it really has, and each option of a run
a row of the guide, with its default.

usage: pages.py SINOGRAPH SOURCE_ROOT [--update]

SINOGRAPH_PLUGIN_PATH says which nodes there are; --update writes the tables.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

OPTION = re.compile(r"^  (?:-., )?--([a-z-]+)\S* +.*?(?: \(([^() ]+)\))?$", re.M)
ROW = re.compile(r"^\| `--([a-z-]+).*$", re.M)
TABLE = re.compile(r"(<!-- properties -->\n).*?(<!-- /properties -->\n)", re.S)


def ask(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def check(program, root, name, update):
    """What is wrong with the page of a node, or None."""
    kind = "filters" if (root / "filters" / f"{name}.cpp").exists() else "tasks"
    page = root / "docs" / kind / f"{name}.md"
    if not page.exists():
        return f"{page}: missing"
    old = page.read_text()
    if len(TABLE.findall(old)) != 1:
        return f"{page}: wants the lines '<!-- properties -->' and '<!-- /properties -->' once"
    table = ask(program, "inspect", name, "--markdown")
    new = TABLE.sub(lambda found: found[1] + table + found[2], old)
    if new == old:
        return None
    if update:
        page.write_text(new)
        return None
    return f"{page}: its table of properties is old: 'ninja -C build pages' brings it up to date"


def check_options(program, root):
    """What is wrong with the table of the options of a run, a line each."""
    page = root / "docs/guide/graphs.md"
    defaults = {name: default for name, default in OPTION.findall(ask(program, "run", "--help")) if name != "help"}
    rows = {found[1]: found[0] for found in ROW.finditer(page.read_text())}
    for name in sorted(defaults.keys() ^ rows.keys()):
        yield f"{page}: 'sinograph run' has no option --{name}" if name in rows else f"{page}: no row for --{name}"
    for name, row in rows.items():
        if defaults.get(name, "") not in row:
            yield f"{page}: the row of --{name} does not say its default, {defaults[name]}"


def main():
    program, root, update = sys.argv[1], Path(sys.argv[2]), "--update" in sys.argv[3:]
    names = [node["name"] for node in json.loads(ask(program, "inspect", "--json"))]
    problems = [check(program, root, name, update) for name in names] + [*check_options(program, root)]
    for page in sorted((root / "docs/filters").glob("*.md")) + sorted((root / "docs/tasks").glob("*.md")):
        if page.stem not in names:
            problems.append(f"{page}: there is no node '{page.stem}'")
    problems = [p for p in problems if p]
    print("\n".join(problems) or f"{len(names)} pages fit their nodes, and the options of a run theirs")
    return 1 if problems or not names else 0


if __name__ == "__main__":
    sys.exit(main())
