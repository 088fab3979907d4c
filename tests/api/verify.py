#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Results held to their checksums from Python. Costs 1 s."""
import os
import tempfile
import threading
import time
import zlib

from gi.repository import Gio
from nodes import *

import tap
from tap import check, raises, same

Code = Sino.Error
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)


def write(path):
    Sino.Runner(device="native").run(Sino.Graph.launch(f"phantom width=16 height=4 ! write path={path}"))


def found(right, **other):
    return {"output": "slices/%i.tif", "kind": "images", "right": right, "all": 4, "changed": [], "missing": [], "why": "", **other}


def test_what_is_found():
    write("slices/%i.tif")
    same(Sino.verify("slices").unpack(), [found(4)])
    same(Sino.verify("slices").get_type_string(), "aa{sv}")
    with open("slices/2.tif", "r+b") as file:
        file.seek(-8, os.SEEK_END)
        file.write(b"\1\2\3\4")
    os.unlink("slices/0.tif")
    same(Sino.verify("slices/%i.tif").unpack(), [found(2, changed=["2.tif"], missing=["0.tif"])])
    write("volume.mhd")
    os.truncate("volume.raw", 100)
    good, bad = sorted(Sino.verify(".").unpack(), key=lambda each: each["output"])
    same(good, found(2, output="./slices/%i.tif", changed=["2.tif"], missing=["0.tif"]))
    same({**bad, "why": ""}, {**found(0), "output": "./volume.mhd"})
    check("'./volume.raw'" in bad["why"], bad)


def test_what_cannot_be_verified():
    os.makedirs("empty", exist_ok=True)
    raises(Code.NOT_FOUND, "'empty' has no checksums", Sino.verify, "empty")
    raises(Code.BAD_FILE, "cannot verify 'nothing.h5': No such file or directory", Sino.verify, "nothing.h5")


def huge(pages=40, side=20000):
    """A volume of zeros that takes no space, and minutes to read; its checksums."""
    with open("huge.raw", "wb") as file:
        file.truncate(pages * side * side * 4)
    with open("huge.mhd", "w") as file:
        file.write(f"ObjectType = Image\nNDims = 3\nDimSize = {side} {side} {pages}\nElementType = MET_FLOAT\n"
                   "ElementByteOrderMSB = False\nElementDataFile = huge.raw\n")
    text = f"Sinograph checksums 1\nimages f32 {pages} {side} {side}\n"
    with open("huge.mhd.sums", "w") as file:
        file.write(f"{text}end {zlib.crc32(text.encode()):08x}\n")


def test_cancelled():
    huge()
    for wait in 0, 0.2:
        cancellable = Gio.Cancellable()
        threading.Timer(wait, cancellable.cancel).start() if wait else cancellable.cancel()
        begun = time.monotonic()
        raises(Gio.IOErrorEnum.CANCELLED, "cancel", Sino.verify, "huge.mhd", cancellable)
        check(time.monotonic() - begun < 3, f"it took {time.monotonic() - begun:.1f} s")


tap.main(globals())
