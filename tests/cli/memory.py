#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Memory stays within --memory, from negotiation on. Costs 3 s, or 17 s where many pages have their turn. usage: memory.py SINOGRAPH"""
import json
import tempfile
import zlib

import tap
from draw import in_turn
from memory_of import MB, least, peak, small
from tap import check, same


def test_negotiation():
    """Nothing large is allocated before the plan has seen that it fits."""
    with tempfile.TemporaryDirectory() as folder:
        small("check", "--memory=256M", f"phantom width=20000 ! preview path={folder}/x.png")
        ellipsoid = '{"half-axes": [1, 1], "value": 1}'
        for number, status, more in (65536, 0, 45), (450000, 1, 45):
            path = f"{folder}/{number}.json"
            with open(path, "w") as file:
                file.write("[" + ellipsoid)
                for _ in range(number - 1):  # this process stays small, for its size counts for those that it starts
                    file.write("," + ellipsoid)
                file.write("]")
            small("check", "-q", "--memory=150M", f"phantom object={path} width=4 ! null", more=more, status=status)
        with open(f"{folder}/long", "w") as file:
            file.truncate(2 << 30)
        for node in "back-project axis", "fourier-reconstruct axis":
            small("check", f"simulate width=8 height=2 projections=8 ! interleave ! {node}={folder}/long ! null")
        small("check", f"simulate width=8 height=2 projections=8 object={folder}/long ! null")
        small("check", f"graph path={folder}/long ! null", status=2)
        small("run", f"{folder}/long", status=2)


def test_many_pages():
    """The tags of a TIFF's pages are written as they are made. Costs 14 s."""
    in_turn(2, 4)
    with tempfile.TemporaryDirectory() as folder:
        small("launch", "-q", "--device=native", "--memory=100M",
              f"phantom width=1 height=400000 ! write path={folder}/x.tif", more=60, status=0)


def test_names_of_other_files():
    """The checksums of a folder have names, which a run that adds an image reads. Costs 1 s."""
    with tempfile.TemporaryDirectory() as folder:
        output, number, kept = f"{folder}/slice-%07i.tif", 300000, "Sinograph checksums 1\nfiles\n"
        kept += "".join(f"{i:08x} slice-{i:07}.tif\n" for i in range(10, number))
        with open(f"{output}.sums", "w") as file:
            file.write(f"{kept}end {zlib.crc32(kept.encode()):08x}\n")
        graph = f"phantom width=16 height=2 ! write path={output}"
        status, _, text = peak("plan", "--json", graph)
        same(status, 0)
        names, = [item["bytes"] for item in json.loads(text)["memory"]["bill"] if "names of files" in item["name"]]
        status, bytes_, text = peak("launch", "-q", "--device=native", graph)
        same((status, text), (0, ""))
        with open(f"{output}.sums") as file:
            same(file.read().count("\n"), 2 + number - 10 + 2 + 1)
        took = bytes_ - least()
        check(0.6 * names < took < names + 15 * MB, f"{took / MB:.0f} MB, where the plan has {names / MB:.0f} MB")


tap.main(globals())
