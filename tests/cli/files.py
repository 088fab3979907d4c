#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Files around runs: what cannot be read, output over input, changes during a run, what a killed run leaves. Costs 9 s.
usage: files.py SINOGRAPH"""
import itertools
import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from unittest import SkipTest

import numpy as np
import tifffile

import tap
from draw import drawn
from program import PROGRAM, call, fails, matches
from tap import check, same


def in_folder(test):
    def run():
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            test()
            os.chdir("/")

    run.__name__ = test.__name__
    return run


def make_scan(name="scan", frames=40, size=16, **options):
    os.makedirs(name)
    for i in range(frames):
        tifffile.imwrite(f"{name}/{i:04}.tif", np.full((size, 16), i + 1, np.float32), **options)


SCAN = "read path=scan angles=0:180"


# --- what cannot be read ---

@in_folder
def test_pipes_and_devices():
    """Everything that a graph names is a file: what would make the program wait is refused at once."""
    make_scan()
    call("launch", "-q", "simulate width=16 height=16 projections=40 ! write path=scan.h5")
    os.mkfifo("pipe")
    for name in "pipe.tif", "pipe.h5", "pipe.json":
        os.symlink("pipe", name)
    make_scan("folder", 3)
    os.mkfifo("folder/0003.tif")
    places = ["read path=PIPE ! null", "read path=PIPE.tif ! null", "read path=PIPE.h5 ! null", "read path=folder ! null",
              "read path=folder/*.tif ! null", "read path=scan angles=PIPE ! null"]
    places += [f"{SCAN} {frames}=PIPE ! null" for frames in ("darks", "flats", "flats-after")]
    places += [f"{SCAN} ! interleave ! back-project axis=PIPE ! null", f"{SCAN} ! reconstruct axis=PIPE ! null",
               "phantom object=PIPE width=8 height=8 ! null", "simulate object=PIPE width=8 height=8 projections=8 ! null",
               "graph path=PIPE ! null"]
    for place in places:
        status, out, error = call("check", place.replace("PIPE", "pipe"))
        check(status in (1, 2) and out == "", (place, status, out))
        matches(r"'(pipe(\.tif|\.h5)?|folder/0003\.tif)': it is a pipe, but must be a regular file\n", error)
    for command in "run", "check", "plan":
        fails(2, "cannot open graph 'pipe.json': it is a pipe, but must be a regular file", command, "pipe.json")
    for device in "/dev/zero", "/dev/null":
        for place in places[-5:]:
            matches(f"'{device}': it is a device, but must be a regular file", call("check", place.replace("PIPE", device))[2])


# --- output over input ---

@in_folder
def test_output_over_input():
    """By whatever way its path leads there."""
    make_scan()
    tifffile.imwrite("flat.tif", np.full((16, 16), 99, np.float32))
    call("launch", "-q", "simulate width=16 height=16 projections=40 ! write path=scan.h5")
    call("launch", "-q", "read path=scan.h5 ! write path=spread.h5 files=3")
    os.symlink("scan", "link")
    os.symlink("../flat.tif", "scan/link.tif")
    os.unlink("scan/link.tif")
    os.symlink("flat.tif", "other.tif")
    os.link("flat.tif", "hard.tif")
    before = {path: path.read_bytes() for path in Path().rglob("*.*") if path.is_file()}

    def refused(line, path, reader="read"):
        for command in "check", "launch":
            fails(2, f"'write' would replace '{path}', which '{reader}' reads: give it another path", command, "-q", line)

    for folder in "scan", "./scan", "link", f"{os.getcwd()}/scan":
        refused(f"{SCAN} ! reconstruct ! write path={folder}/%04i.tif overwrite=true", f"{folder}/0000.tif")
    refused(f"{SCAN} flats=flat.tif ! flat-field ! write path=flat.tif overwrite=true", "flat.tif")
    refused(f"{SCAN} flats=flat.tif ! flat-field ! write path=hard.tif overwrite=true", "hard.tif")
    refused(f"{SCAN} flats=flat.tif ! flat-field ! write path=other.tif overwrite=true", "other.tif")
    refused("read path=scan.h5 ! reconstruct ! write path=scan.h5 overwrite=true", "scan.h5")
    refused("[read path=scan.h5, read path=scan.h5 name=b] ! test-join ! write path=scan.h5 overwrite=true", "scan.h5")
    for words in "files=2", "compression=deflate":  # the old file's, which goes with it
        refused(f"read path=spread-part2.h5 angles=0:180 ! write path=spread.h5 {words} overwrite=true", "spread-part2.h5")
    same({path: path.read_bytes() for path in Path().rglob("*.*") if path.is_file()}, before)
    # What no node reads may be replaced.
    for _ in range(2):
        same(call("launch", "-q", f"{SCAN} ! reconstruct ! write path=slices/%04i.tif overwrite=true"), (0, "", ""))


# --- changes during a run ---

def changed(change, line=f"{SCAN} ! test-filter trouble=slow ! null", frames=40, **options):
    """What the program says where a scan is changed after it has begun to read."""
    shutil.rmtree("scan", ignore_errors=True)
    make_scan(frames=frames, **options)
    running = subprocess.Popen([PROGRAM, "launch", "-q", "--memory", "400M", "--device=native", line], stderr=subprocess.PIPE,
                               text=True)
    while running.poll() is None and len(os.listdir(f"/proc/{running.pid}/task")) < 4:  # in negotiation there are two
        time.sleep(0.002)
    change()
    error = running.communicate(timeout=300)[1]
    return running.returncode, error


@in_folder
def test_changes():
    last = "scan/0399.tif"

    def by_another_size():
        tifffile.imwrite("new.tif", np.zeros((4, 4), np.float32))
        os.rename("new.tif", last)

    def by_another_type():
        tifffile.imwrite("new.tif", np.zeros((1024, 16), np.uint16))
        os.rename("new.tif", last)

    def in_place():
        with open(last, "r+b") as file:
            file.seek(1000)
            file.write(b"\xff" * 1000)

    def cut():
        os.truncate(last, 2000)

    def gone():
        os.unlink(last)

    changes = ((by_another_size, "was replaced by another file after the run was planned"),
               (by_another_type, "was replaced by another file after the run was planned"),
               (in_place, "was changed after the run was planned"),
               (cut, "was changed after the run was planned"), (gone, "No such file or directory"))
    for options, (change, what) in drawn(itertools.product(({}, {"compression": "deflate"}), changes), 3):
        status, error = changed(change, frames=400, size=1024, **options)
        same((change.__name__, status), (change.__name__, 1))
        matches(f"'read': .*'{last}'.*{what}", error)


# --- what is left ---

def killed(line, begun):
    """Runs a line that is slow, and kills it once a file of that kind is there."""
    running = subprocess.Popen([PROGRAM, "launch", "-q", line])
    while not list(Path().glob(begun)):
        assert running.poll() is None, "the run has ended"
        time.sleep(0.01)
    time.sleep(0.3)
    running.send_signal(signal.SIGKILL)
    running.wait()


@in_folder
def test_killed_runs():
    slow = "test-source slices=4000 ! test-filter trouble=slow ! "
    quick = "test-source slices=4 ! "
    for path in "out/a.tif", "out/a.h5":
        # One TIFF cannot be gone on with, HDF5 can, and is kept until its journal is removed: cli/resume.
        begun = "out/*.journal" if path.endswith(".h5") else "out/*.part"
        killed(f"{slow}write path={path}", begun)
        for journal in Path("out").glob("*.journal"):
            matches("belongs to an unfinished run", call("launch", "-q", f"{quick}write path={path}")[2])
            journal.unlink()
        left = [name for name in os.listdir("out") if name.endswith(".part")]
        same(len(left), 1)
        # Another run into that place removes it and says so; a run at work keeps its own.
        busy = subprocess.Popen([PROGRAM, "launch", "-q", f"{slow}write path={path}"])
        while len([name for name in os.listdir("out") if name.endswith(begun[5:]) and name not in left]) < 1:
            time.sleep(0.01)
        same(call("launch", "-q", f"{quick}write path=out/other.tif overwrite=true"), (0, "", ""))
        status, _, error = call("launch", f"{quick}write path={path}")
        same(status, int(path.endswith(".h5")))
        check(busy.poll() is None and not os.path.exists(f"out/{left[0]}"), os.listdir("out"))
        same(len([name for name in os.listdir("out") if name.endswith(".part")]), 1)
        busy.send_signal(signal.SIGINT)
        same(busy.wait(), 130)
        same([name for name in os.listdir("out") if name.endswith((".part", ".journal"))], [])
    # What looks like it and is not ours stays.
    for name in "a.tif.part", "a.tif.1-2-3.part", "b.tif.1-2.part", "a.tif.x-2.part":
        Path("out", name).touch()
    Path("out/a.tif.99999999-0.part").touch()
    status, _, error = call("launch", f"{quick}write path=out/a.tif overwrite=true")
    same((status, error), (0, "sinograph: 'write': removed 'out/a.tif.99999999-0.part', which was left by an interrupted run\n"))
    same(len([name for name in os.listdir("out") if name.endswith(".part")]), 4)


@in_folder
def test_benchmark_folders():
    words = ["bench", "pipeline", "--size=256", "--slices=8", "--folder=here"]
    os.mkdir("here")
    os.mkdir("here/sinograph-backup")
    running = subprocess.Popen([PROGRAM, *words], stdout=subprocess.DEVNULL)
    while not list(Path("here").glob("sinograph-*/*.h5*")):
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    running.wait()
    same(len(os.listdir("here")), 2)
    status, _, error = call(*words)
    same((status, os.listdir("here")), (0, ["sinograph-backup"]))
    matches(r"^sinograph: removed 'here/sinograph-......', which was left by an interrupted benchmark\n", error)


@in_folder
def test_folders_of_failed_runs():
    """Those that were made for the output and are empty go again."""
    for path in "new/deep/out.tif", "new/deep/out.h5", "new/deep/%i.tif":
        same(call("launch", "-q", f"test-source ! test-filter trouble=throw ! write path={path}")[0], 1)
        same(os.listdir(), [])
    os.mkdir("mine")
    same(call("launch", "-q", "test-source ! test-filter trouble=throw ! write path=mine/new/%i.tif")[0], 1)
    same(os.listdir("mine"), [])
    running = subprocess.Popen([PROGRAM, "launch", "-q", "test-source slices=4000 ! test-filter trouble=hang ! "
                                "write path=new/deep/out.tif"], stderr=subprocess.DEVNULL)
    while not list(Path().glob("new/deep/*.part")):
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    same((running.wait(), os.listdir()), (130, ["mine"]))


# --- how many ---

@in_folder
def test_hundreds_of_outputs():
    """The usual limit of open files is no limit of sinks."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most != resource.RLIM_INFINITY and most < 2048:
        raise SkipTest("the hard limit of open files is low")
    number = 600
    nodes = [{"plugin": "test-source", "name": "source", "properties": {"slices": 1}}]
    nodes += [{"plugin": "write", "name": f"w{i}", "properties": {"path": f"out/{i}.tif"}} for i in range(number)]
    edges = [{"from": {"name": "source"}, "to": {"name": f"w{i}", "input": 0}} for i in range(number)]
    Path("graph.json").write_text(json.dumps({"sinograph": 1, "nodes": nodes, "edges": edges}))
    status, out, error = call("run", "-q", "graph.json", "--device=native",
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (1024, most)))
    same((status, out, error), (0, "", ""))
    same(sorted(os.listdir("out")), sorted(f"{i}.tif{more}" for i in range(number) for more in ("", ".sums")))


tap.main(globals())
