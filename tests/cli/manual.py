#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The pages for man, which the program writes. usage: manual.py SINOGRAPH"""
import json
import os
import re
import shutil
import subprocess
from unittest import SkipTest

import tap
from program import call, fails
from tap import check, same


BENCH = shutil.which("sinograph-bench", path=os.environ["SINOGRAPH_PLUGIN_PATH"])


def page(*words):
    status, out, error = call("manual", *words)
    same((status, error), (0, ""))
    return out


def page_of_bench():
    return subprocess.run([BENCH, "manual"], capture_output=True, text=True, check=True).stdout


def shown(roff):
    """As man shows it, in lines that are not cut or spread."""
    if not shutil.which("groff"):
        raise SkipTest("there is no groff")
    done = subprocess.run(["groff", "-man", "-Tascii", "-P-c", "-ww", "-rLL=2000n", "-dAD=l"], input=roff, capture_output=True,
                          text=True, check=True)
    same(done.stderr, "")
    return re.sub(".\b", "", done.stdout)


def test_program():
    whole, bench = shown(page()), shown(page_of_bench())
    listed = re.findall(r"^  ([a-z]+) ", call("--help")[1], flags=re.M)
    apart = re.findall(r"^   ([a-z]+)\n +[^\n]*: see sinograph-bench\(1\)\.$", whole, flags=re.M)
    same(apart, ["bench", "tune"])
    for command in listed:
        text = bench if command in apart else whole
        help = call(command, "--help")[1]
        usage, = re.findall(rf"^  sinograph {command} \[OPTION\.\.\.\] *(.*)$", help, flags=re.M)
        check(f"\n   {command} {usage}".rstrip() + "\n" in text, (command, text))
        for letter, name, value in re.findall(r"^  (?:(-[a-gi-z]), )?(--[a-z-]+)(=[^ ]+)?", help, flags=re.M):
            if name != "--help":
                check(f"{letter + ', ' if letter else ''}{name}{value}" in text, (command, name, value, text))
    check("sinograph launch '[read path=scan.tif, read path=darks.tif, read path=flats.tif] ! flat-field ! null'\n" in whole, whole)
    for text in whole, bench:
        check("\nEXIT STATUS\n       0 done, 1 the run failed, 2 " in text, text)


def test_nodes():
    text = shown(page("nodes"))
    for node in json.loads(call("inspect", "--json")[1]):
        _, found, section = text.partition(f"\n   {node['name']}\n")
        check(found and node["summary"] in section.partition("\n   ")[0] + section, node["name"])
        for known in node["properties"]:
            check(f"{known['name']}={known['type']}" in section and " ".join(known["blurb"].split()) in
                  " ".join(section.split()), (node["name"], known["name"]))
    check("f16, f32 sinograms (row, angle, column) -> f32 slices (z, y, x)\n" in text, text)


def test_lint():
    if not shutil.which("mandoc"):
        raise SkipTest("there is no mandoc")
    for text in page(), page("nodes"), page_of_bench():
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=text, capture_output=True, text=True)
        # Pages have the version; the day that they were written on would be another in each build.
        same([line for line in done.stdout.splitlines() if "missing date" not in line], [])


def test_wrong():
    fails(2, "manual wants nothing, or 'nodes'", "manual", "zebra")
    same("manual" in call("--help")[1], False)


tap.main(globals())
