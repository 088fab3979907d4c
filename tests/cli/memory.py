#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Memory stays within --memory, from negotiation on. Costs 2 s, or 16 s where many pages have their turn. usage: memory.py SINOGRAPH"""
import tempfile

import tap
from draw import in_turn
from memory_of import small


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


tap.main(globals())
