#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The installed files are enough for an author of nodes: the example of the guide is built and run with them alone."""
import os
import re
import shutil
import subprocess
from pathlib import Path

import h5py
import numpy
from building import adding
from installing import install, place, shell

import tap
from tap import check, same

GUIDE = Path(os.environ["SINO_SOURCE"]) / "docs/guide/own-nodes.md"

def code_of(start):
    """The code of the guide that begins so, without its indent."""
    block = re.search(rf"^    {re.escape(start)}.*\n(?:(?:    .*)?\n)*", GUIDE.read_text(), re.M)[0]
    return re.sub(r"^    ", "", block.rstrip("\n"), flags=re.M) + "\n"


def strict(command, compiler):
    same(command.split()[0], "cc")
    return f"{compiler} -Wall -Wextra -Wno-unused-parameter -Werror {command.removeprefix('cc')}"


modules = install()
compile_it, name_folder, inspect_it, launch_it = code_of("cc ").splitlines()


def test_example_of_the_guide():
    (place / "clip.c").write_text(code_of("/* clip.c"))
    shell(strict(compile_it, os.environ["SINO_CC"]))
    path = f"{name_folder}\n"
    table = shell(path + inspect_it)
    check("Largest value" in table, table)
    shell(path + launch_it)
    shell(path + launch_it.replace(" ! my-clip max=0.5", "").replace("clipped.h5", "plain.h5"))
    with h5py.File(place / "clipped.h5") as clipped, h5py.File(place / "plain.h5") as plain:
        values = plain["exchange/data"][()]
        check(values.max() > 0.5, "nothing was clipped")
        check((clipped["exchange/data"][()] == numpy.clip(values, 0, 0.5)).all(), "values differ")


def test_module_in_cpp():
    (place / "other.cpp").write_text(adding("my-other"))
    shell(strict(compile_it, os.environ["SINO_CXX"]).replace("clip.c", "other.cpp").replace("clip.so", "other.so"))
    listed = shell(f"{name_folder}\nsinograph inspect")
    check("  my-other" in listed and "refused" not in listed, listed)


def test_program_that_measures():
    """It is found beside the modules, where nobody's PATH leads."""
    shown = shell("sinograph bench --help")
    check("sinograph bench [OPTION" in shown, shown)
    same([path.parent for path in place.rglob("sinograph-bench")], [Path(modules)])


def test_moved_installation():
    """A copy has its own library, modules and pages. The first one is hidden meanwhile, and no variable helps."""
    prefix = next(place.rglob("bin/sinograph")).parent.parent
    copy, hidden = place / "copy", place / "hidden"
    shutil.copytree(prefix, copy, symlinks=True)
    prefix.rename(hidden)
    try:
        bare = {"PATH": f"{copy}/bin:{os.defpath}", "HOME": str(place)}
        simulated = "simulate width=37 height=5 projections=7 ! median ! write path=moved.h5"
        for command in "sinograph inspect median", f"sinograph launch -q '{simulated}'", "sinograph bench --help":
            done = subprocess.run(["sh", "-c", command], cwd=place, env=bare, capture_output=True, text=True)
            check(done.returncode == 0, f"{command}: {done.stdout}{done.stderr}")
            if "inspect" in command:
                check(f"{copy}/share/doc/sinograph/filters/median.md" in done.stdout, done.stdout)
    finally:
        hidden.rename(prefix)
    with h5py.File(place / "moved.h5") as file:
        same(file["exchange/data"].shape, (7, 5, 37))


if __name__ == "__main__":
    tap.main(globals())
