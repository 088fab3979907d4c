#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The program beside what drivers of OpenCL do. Costs 8 s: PoCL compiles. usage: drivers.py SINOGRAPH"""
import ctypes
import hashlib
import json
import os
import subprocess
import tempfile
from pathlib import Path
from unittest import SkipTest

import tap
from draw import drawn
from program import PROGRAM, call
from tap import check, same

STRANGER = 61234  # for whom folders are locked, as they are not for root


def pocl():
    for device in json.loads(call("devices", "--json")[1]):
        if device["name"].endswith("Portable Computing Language"):
            return device["id"]
    raise SkipTest("there is no PoCL")


def test_damaged_cache():
    """PoCL aborts where a file of its cache is not whole, as a full disk leaves it: such programs are built again."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "pocl"

        def run():
            same(call("launch", "-q", f"--device={pocl()}", "simulate width=64 height=16 projections=32 ! reconstruct method=direct ! null",
                      env={**os.environ, "XDG_CACHE_HOME": folder, "POCL_CACHE_DIR": str(cache)}), (0, "", ""))
            return {path: path.stat().st_mtime_ns for path in cache.glob("*/*/program.bc")}

        programs = run()
        check(programs, "PoCL keeps no programs where they are looked for")
        same(run(), programs)  # what is whole stays
        # What ends a library is not loaded.
        for kind, part in drawn((("*.bc", 0), ("*.bc", 0.5), ("*.bc", 0.95), ("*.so", 0), ("*.so", 0.5)), 3):
            for path in cache.rglob(kind):
                os.truncate(path, int(path.stat().st_size * part))
            check(run() != programs, f"{kind} cut to {part}")
            programs = run()


def test_unregistered_driver():
    """The line that registers a driver of which only the library is there."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "libamdocl64.so"
        library.touch()
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("OCL_ICD", "OPENCL_"))}
        environment["LD_LIBRARY_PATH"] = folder + ":" + environment.get("LD_LIBRARY_PATH", "")
        out = call("devices", env=environment)[1]
        check(f"is on this machine, but no ICD file names it; as root: mkdir -p /etc/OpenCL/vendors && echo '{library}' > "
              "/etc/OpenCL/vendors/amdocl64.icd\n" in out, out)


def texts_of(first):
    """What OpenCL says of the first device whose name begins so: name, vendor, versions of device, driver and platform."""
    opencl = ctypes.CDLL("libOpenCL.so.1")

    def listed(get, *of):
        count, found = ctypes.c_uint(), (ctypes.c_void_p * 16)()
        get(*of, 16, found, ctypes.byref(count))
        return found[:count.value]

    def text(get, of, what):
        room = ctypes.create_string_buffer(4096)
        get(ctypes.c_void_p(of), what, ctypes.c_size_t(4096), room, None)
        return room.value.decode()

    for platform in listed(opencl.clGetPlatformIDs):
        for device in listed(opencl.clGetDeviceIDs, ctypes.c_void_p(platform), ctypes.c_ulong(0xFFFFFFFF)):
            name, *others = [text(opencl.clGetDeviceInfo, device, what) for what in (0x102B, 0x102C, 0x102F, 0x102D)]
            if first.startswith(name):
                return [name, *others, text(opencl.clGetPlatformInfo, platform, 0x901)]
    raise SkipTest(f"OpenCL has no {first}")


def test_time_ratios():
    """Those that are kept are listed with their node and kernel. Plans for PoCL take none, so the file is made here."""
    def key(*parts):
        return hashlib.sha256("".join(part + "\0" for part in parts).encode()).hexdigest()

    def listed():
        chosen, = [device for device in json.loads(call("devices", "--json")[1]) if device["id"] == pocl()]
        return chosen

    identity = "".join(part + "\n" for part in texts_of(listed()["name"]))
    version = call("--version")[1].split()[1]
    findings = Path(os.environ["XDG_CACHE_HOME"]) / "sinograph/findings"
    kept = findings / "0-time-of-back-project"
    line = "      image(VIEWS=32), 4 lanes, \"element=u16\": takes 0.83 of the predicted time, as measured before\n"
    same((listed()["time-ratios"], line in call("devices")[1]), ([], False))
    for mark, wanted in ((key(version, identity), True), (key("0.0", identity), False), (key(version, identity + "2"), False)):
        finding = f'0.832\n{mark}\nimage(VIEWS=32), 4 lanes, "element=u16"'
        try:
            kept.write_text(f"{key(finding)}\n{finding}")
            same(listed()["time-ratios"],
                 [{"node": "back-project", "kernel": 'image(VIEWS=32), 4 lanes, "element=u16"', "ratio": 0.832}] if wanted else [])
            same(line in call("devices")[1].split("    back-project\n")[-1].split("    cone-back-project\n")[0], wanted)
        finally:
            kept.unlink()


def test_locked_cache():
    """A folder of PoCL's cache that cannot be read is no reason to fail."""
    device = pocl()
    with tempfile.TemporaryDirectory() as folder:
        locked = Path(folder) / "pocl" / "AB" / "program" / "locked"
        locked.mkdir(parents=True)
        for path in (Path(folder), *Path(folder).rglob("*")):
            path.chmod(0o777)
        locked.chmod(0)
        user = {"user": STRANGER, "group": STRANGER, "extra_groups": []} if os.getuid() == 0 else {}
        try:
            done = subprocess.run([PROGRAM, "launch", "-q", f"--device={device}",
                                   "simulate width=64 height=16 projections=32 ! reconstruct method=direct ! null"],
                                  env={**os.environ, "XDG_CACHE_HOME": folder, "POCL_CACHE_DIR": f"{folder}/pocl"},
                                  stderr=subprocess.PIPE, text=True, timeout=300, **user)
        except PermissionError as error:
            raise SkipTest("the program cannot be started by another user") from error
        finally:
            locked.chmod(0o700)
        same((done.returncode, done.stderr), (0, ""))


tap.main(globals())
