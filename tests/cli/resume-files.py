#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What has to be as a run left it that is gone on with: the files that it read, and those that it wrote. Costs 12 s.
usage: resume-files.py SINOGRAPH [FAULTS]"""
import os
import sys
from pathlib import Path

import h5py
import numpy
import tap
from program import call, matches
from resumed import (AXIS, GRAPH, KILLS, LEAST, PROJECTIONS, ROWS, SCAN, WIDTH, arguments, clear, files, go_on, interrupted,
                     killed_in_the_middle, unended)
from tap import check, same

FAULTS = sys.argv[2] if len(sys.argv) > 2 else None


def call_with(rules, *words):
    return call(*words, env={**os.environ, "LD_PRELOAD": FAULTS, "SINO_FAULTS": rules})


def test_all_files_that_are_read():
    """Files that nodes read beside those of the scan."""
    Path("axis.txt").write_text(f"{AXIS}\n" * PROJECTIONS)
    Path("inner.json").write_text('{"nodes": [{"plugin": "calculate", "name": "times", "properties": {"expression": "x*1"}}]}')
    Path("object.json").write_text('[{"value": 1, "half-axes": [0.5, 0.5, 0.5]}]')
    axis = "read path=scan.h5 ! flat-field ! reconstruct method={} axis=axis.txt ! write path=volume.h5"
    for path, graph, wrong in (
            ("axis.txt", axis.format("direct"), "state of the files"), ("axis.txt", axis.format("fourier"), "state of the files"),
            ("inner.json", f"{SCAN} ! flat-field ! graph path=inner.json ! reconstruct ! write path=volume.h5", "graph"),
            ("object.json", "phantom object=object.json width=64 height=64 ! write path=volume.h5", "state of the files")):
        whole = unended("volume.h5", graph)
        same(call("launch", "--device=native", "--resume", graph)[0], 0)
        check(files("volume.h5") == whole, f"{path}: other bytes")
        whole = unended("volume.h5", graph)
        Path(path).write_text(Path(path).read_text().replace("1", "2"))
        status, _, error = call("launch", "--device=native", "--resume", graph)
        same(status, 1)
        matches(f"cannot be continued: the run that wrote it had another {wrong}", error)


def test_linked_numbers():
    """The energy of a scan, in a file that the scan's file links to."""
    with h5py.File("energy.h5", "w") as file:
        file["energy"] = 20.0
        file["energy"].attrs["units"] = "keV"
    with h5py.File("linked.h5", "w") as file:
        file["exchange/data"] = numpy.random.default_rng(1).integers(100, 200, (16, 24, 32), numpy.uint16)
        file["exchange/theta"] = numpy.linspace(0, 180, 16, endpoint=False)
        file["measurement/instrument/monochromator/energy"] = h5py.ExternalLink("energy.h5", "/energy")
    graph = ("read path=linked.h5 ! calculate expression=x*0.01 ! retrieve-phase distance=1 pixel-size=1e-6 delta-beta=100 ! "
             "reconstruct axis=15.5 ! write path=volume.h5")
    unended("volume.h5", graph)
    with h5py.File("energy.h5", "r+") as file:
        file["energy"][()] = 21.0
    status, _, error = call("launch", "--device=native", "--resume", graph)
    same(status, 1)
    matches("cannot be continued: the run that wrote it had another state of the files that 'read' reads", error)


def test_what_was_not_verified():
    """Slices that are there, but that no run has held against those of another kernel, are made once more."""
    for output in "slices/%05i.tif", "volume.h5":
        whole = unended(output, GRAPH + output)
        for told in "3 slices were computed again on native", "3 slices to verify are complete from an earlier run":
            status, _, error = call("launch", "--device=native", "--resume", "--verify=3", GRAPH + output)
            same(status, 0)
            matches(told, error)
            check(files(output) == whole, f"{output}: other bytes")


def test_what_was_not_verified_after_all():
    """A slice of an ended run is made again, and that run is stopped wherever it writes its journal."""
    if not FAULTS:
        return
    output = "slices/%05i.tif"
    whole = unended(output, GRAPH + output)
    words = "launch", "--device=native", "--resume", GRAPH + output
    stopped = 0
    for nth in range(1, 6):
        same(call(*words)[0], 0)
        Path("slices/00003.tif").unlink()
        status, _, error = call_with(f"write path=.journal nth={nth} error=5", *words)
        check(status in (0, 1), error)
        stopped += status == 1
        verified, _, told = call(*words, "--verify=3")
        same(verified, 0)
        if status == 1:
            matches("3 slices were computed again on native", told)
        check(files(output) == whole, "other bytes")
    check(stopped > 0, "no run was stopped")


def test_verifying_needs_memory():
    """That is known before anything is computed."""
    clear()
    status, _, error = call("launch", "--device=native", "--memory=1M", "--verify=3", GRAPH + "volume.h5")
    same(status, 1)
    matches("the smallest work item needs", error)
    ended = 0
    for more in range(1, 16, 2) if KILLS > 1 else (40, 80):  # a sanitizer takes memory of its own
        clear()
        status, _, error = call("launch", "--device=native", f"--memory={float(LEAST) + more}M", "--threads=1", "--verify=8",
                                GRAPH + "volume.h5")
        check("could not be computed again" not in error and (status == 0 or "the smallest work item needs" in error), error)
        ended += status == 0
    check(ended >= 2, "no run had enough")


def test_files_that_changed():
    """What is finished has to be there, and what is not the run's is left alone."""
    unended("volume.h5", GRAPH + "volume.h5")
    os.truncate("volume.h5", 4 * WIDTH * WIDTH)
    status, _, error = call("launch", "--device=native", "--resume", GRAPH + "volume.h5")
    same(status, 1)
    matches("'volume.h5' is shorter than 'volume.h5.journal' says: remove the journal to start again", error)
    whole = unended("slices/%05i.tif", GRAPH + "slices/%05i.tif")
    Path("slices/00003.tif").write_bytes(b"")
    Path("slices/00004.tif").unlink()
    go_on("slices/%05i.tif")
    check(files("slices/%05i.tif") == whole, "other bytes")
    killed_in_the_middle("slices/%05i.tif")
    last = Path(f"slices/{ROWS - 1:05}.tif")
    for content in b"another's", whole["00000.tif"].replace(b"flat-field", b"fiat-field"):
        last.write_bytes(content)
        status, _, error = call(*arguments("slices/%05i.tif", "--resume"))
        same(status, 1)
        matches(f"'{last}' does not belong to the run that is continued: move it away", error)
        same(last.read_bytes(), content)
    last.unlink()
    go_on("slices/%05i.tif")
    check(files("slices/%05i.tif") == whole, "other bytes")

    killed_in_the_middle("volume.h5")
    Path("volume.h5").write_text("another's")
    status, _, error = call(*arguments("volume.h5", "--resume"))
    same(status, 1)
    matches("'volume.h5' was created after the run that 'volume.h5.journal' describes: move it away", error)
    same(Path("volume.h5").read_text(), "another's")
    Path("volume.h5").unlink()

    journal = Path("volume.h5.journal")
    lines = journal.read_text().splitlines(keepends=True)
    for some in lines[:1] + ["torn\n"] + lines[1:], [line for line in lines if " file " not in line]:
        journal.write_text("".join(some))
        for more in ["--resume"], []:
            status, _, error = call(*arguments("volume.h5", *more))
            same(status, 1)
            matches("'volume.h5.journal' (is damaged|belongs to an unfinished run)", error)
    journal.unlink()


def test_names_of_journals():
    """They are no names for other files, none is another's, and where they would be too long none is kept."""
    clear()
    Path("volume.h5.journal.20261126").write_text("another's")
    same(call(*arguments("volume.h5"))[0], 0)
    same(Path("volume.h5.journal.20261126").read_text(), "another's")
    clear()
    status, _, error = call(*arguments("volume.h5", "--trace=volume.h5.journal"))
    same(status, 2)
    matches("the trace and 'write' would both write 'volume.h5.journal'", error)
    output = "v" * 250 + ".h5"
    same(call(*arguments(output))[0], 0)
    check(Path(output).exists(), "no file")
    clear()
    status, _, error = call(*arguments(output, "--resume"))
    same(status, 2)
    matches("the name of its journal would have 261 bytes, but at most 250 are possible: choose a shorter name", error)


def test_several_files():
    """Killed at each moment between the names of the files that share the images; nothing is left of one that is interrupted."""
    output = "volume.h5 files=3"
    whole = unended(output, GRAPH + output)
    same(sorted(whole), ["volume-part0.h5", "volume-part1.h5", "volume-part2.h5", "volume.h5"])
    order = ["volume-part0.h5", "volume-part1.h5", "volume-part2.h5", "volume.h5"]
    for named in range(5):
        unended(output, GRAPH + output)
        temporary = [line.split()[-1] for line in Path("volume.h5.journal").read_text().splitlines() if " file " in line]
        temporary = temporary[1:] + temporary[:1]
        for i in range(named, 4):
            os.rename(order[i], temporary[i])
        status, _, error = call("launch", "--device=native", "--resume", GRAPH + output)
        check(status == 0, error)
        check(files(output) == whole, "other bytes")
        check(not list(Path().glob("*.part")), "a file under construction is left")
    # A pixel of one of them that has changed is made again.
    unended(output, GRAPH + output)
    content = bytearray(whole["volume-part1.h5"])
    content[len(content) // 2] ^= 1
    Path("volume-part1.h5").write_bytes(content)
    status, _, error = call("launch", "--device=native", "--resume", GRAPH + output)
    check(status == 0, error)
    matches("1 finished images were changed after they were written, and are made again: ", error)
    check(files(output) == whole, "other bytes")
    killed_in_the_middle(output)
    go_on(output)
    check(files(output) == whole, "other bytes")
    check(any(interrupted(output) for _ in range(50)), "it was never interrupted in the middle")
    same([path.name for path in Path().glob("v*")], [])
    # One that is missing, or another's, is no part of what is gone on with.
    unended(output, GRAPH + output)
    Path("volume-part2.h5").unlink()
    status, _, error = call("launch", "--device=native", "--resume", GRAPH + output)
    same(status, 1)
    matches("the unfinished file '.*volume-part2.h5.*.part' is missing: remove 'volume.h5.journal' to start again", error)


def test_an_old_output_has_no_images_of_another():
    """A run that cannot give a file its name leaves the old output as it was, or no file that refers to images. Costs 2 s."""
    if not FAULTS:
        return
    scan = "simulate object=shepp-logan-3d width=32 height=3 projections=6 axis={} ! write path=volume.h5 files=3 overwrite=true"
    for rule, stays in ("rename path=volume.h5", False), ("rename path=part0", False), ("rename path=part2", False), ("fsync path=part1", True):
        clear()
        same(call("launch", "-q", scan.format(15))[0], 0)
        before = files("volume.h5")
        status, _, error = call_with(f"{rule} error=5", "launch", "-q", scan.format(12))
        same(status, 1)
        matches("Input/output error", error)
        left = files("volume.h5")
        check(left == before if stays else "volume.h5" not in left, rule)


def test_slices_in_several_requests():
    """That they are not blank is told, so that a run which was killed before its end was told of is gone on with."""
    graph = "simulate object=shepp-logan-3d width=1100 height=2 projections=8 ! reconstruct method=direct ! write path="
    for output in "volume.h5", "volume.mhd":
        whole = unended(output, graph + output)
        same(call("launch", "--device=native", "--resume", graph + output)[0], 0)
        check(files(output) == whole, f"{output}: other bytes")


def test_blank_slices_first():
    """That others are not blank, the last ones, is known to whoever makes one of these again."""
    if not FAULTS:
        return
    clear()
    Path("low.json").write_text('[{"value": 1, "centre": [0, 0, -2.2], "half-axes": [0.5, 0.5, 0.08]}]')
    graph = ("simulate object=low.json width=32 height=80 projections=16 ! reconstruct method=direct ! "
             "write path=slices/%05i.tif requests=1")
    words = "launch", "--device=native", "--threads=1", "--memory=60M", "--resume", graph
    # The folder is synced so slowly after the first 32 of them that no more is told before the end.
    status, _, error = call_with("fsync path=slices nth=35 times=1 delay=1500", *words)
    check(status == 0, error)
    whole = files("slices/%05i.tif")
    Path("slices/00000.tif").unlink()
    status, _, error = call(*words)
    check(status == 0, error)
    check(files("slices/%05i.tif") == whole, "other bytes")


def test_a_file_that_took_the_place():
    """What another program has written under the name is not what the journal calls complete."""
    for output in "volume.h5", "volume.mhd":
        clear()
        words = arguments(output, "--resume")
        same(call(*words)[0], 0)
        same(call(*words)[0], 0)
        for path in Path().glob("volume.*"):
            if path.suffix == ".journal":
                continue
            content, inode = path.read_bytes(), path.stat().st_ino
            for _ in range(100):  # some file systems give its inode to the next file
                path.unlink()
                path.write_bytes(content)
                if path.stat().st_ino == inode:
                    break
        status, _, error = call(*words)
        same(status, 1)
        matches(f"'volume.(h5|raw)' is not the file that '{output}.journal' describes as complete: remove the journal to start again", error)


tap.main(globals())
