#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The examples of docs/guide/embedding.md are built against what is installed, with pkg-config and CMake, and run."""
import os
import re
import shlex
import shutil
import signal
import subprocess
from pathlib import Path
from unittest import SkipTest

import numpy
from installing import environment, install, place, shell

import tap
from tap import check, same

GUIDE = (Path(os.environ["SINO_SOURCE"]) / "docs/guide/embedding.md").read_text()
SANITIZE = os.environ["SINO_SANITIZE"]
FLAGS = "-Wall -Wextra -Wpedantic -Wshadow -Werror" + (f" -fsanitize={SANITIZE}" if SANITIZE != "none" else "")
install()
examples = next(place.rglob("examples/control"))
STATES = ["idle -> arming", "arming -> scanning", "scanning -> finishing", "finishing -> idle"]
CANCELLED = ["idle -> arming", "arming -> scanning", "scanning -> idle"]


def command(start):
    """A line of the guide's code."""
    return re.search(rf"^    ({re.escape(start)}.*)$", GUIDE, re.M)[1]


def compiled(start, compiler):
    """With the guide's command, and warnings as errors."""
    return re.sub(rf"^{re.escape(start.split()[0])} ", lambda _: f"{compiler} {FLAGS} ", command(start))


def build_with_pkg_config():
    folder = place / "pkg-config"
    shutil.copytree(examples, folder)
    shell(compiled("cc control.c", os.environ["SINO_CC"]), folder)
    shell(compiled("cc -c camera.c", os.environ["SINO_CC"]), folder)
    shell(compiled("c++ ", os.environ["SINO_CXX"]), folder)
    return folder


def cmake(source, folder, *options, status=0):
    """Configures a project; what CMake says."""
    if not shutil.which("cmake"):
        raise SkipTest("no cmake here (package cmake)")
    command = ["cmake", "-S", source, "-B", folder, *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    check((done.returncode == 0) == (status == 0), done.stdout + done.stderr)
    return " ".join((done.stdout + done.stderr).split())


def prefix_of(target):
    return next(target.rglob("include/sinograph-1.0")).parent.parent


def start(program, *options):
    pipe = subprocess.PIPE
    return subprocess.Popen([program, *options], env=environment, stdout=pipe, stderr=pipe, text=True)


def ended(process):
    out, error = process.communicate(timeout=120)
    return process.returncode, out, error


def control(*options, folder=None, device="native"):
    small = "--rows=4", "--columns=64", "--frames=60"
    return ended(start((folder or built) / "control", f"--device={device}", *small, *options))


def states(out):
    return re.findall(r"^state: (.*)$", out, re.M)


def slices(out):
    return re.findall(r"^slice (\d+): mean", out, re.M)


built = build_with_pkg_config()


def test_scans():
    status, out, error = control("--scans=2", f"--pictures={place}")
    same((status, error), (0, ""))
    same(states(out), 2 * STATES)
    same(slices(out), 2 * list("0123"))
    check("progress: 100 %, 4 of 4 slices" in out, out)
    check(re.search("^warning: 'reconstruct/.*axis=32", out, re.M), out)


def test_slices_are_the_sample():
    """A picture shows the balls: the large one, and the one in it that is denser."""
    same(control("--frames=120", f"--pictures={place}")[0], 0)
    head, pixels = (place / "slice-00002.pgm").read_bytes().split(b"255\n", 1)
    same(head.split()[:3], [b"P5", b"64", b"64"])
    picture = numpy.frombuffer(pixels, numpy.uint8).reshape(64, 64) / 255
    y, x = (numpy.indices((64, 64)) + 0.5) / 32 - 1
    ball = numpy.hypot(x - 0.4, y - 0.1) < 0.12, numpy.hypot(x, y) > 0.9, numpy.hypot(x, y + 0.65) < 0.1
    dense, outside, plain = (picture[mask].mean() for mask in ball)
    check(outside < plain < dense, (outside, plain, dense))
    check(abs((plain - outside) / (dense - outside) - 1 / 2.5) < 0.1, (outside, plain, dense))


def test_a_scan_that_is_cancelled_is_followed_by_one_that_is_not():
    status, out, error = control("--cancel-after=20", "--scans=2", "--rate=200", "--watch=50")
    same((status, error), (0, ""))
    same(states(out), CANCELLED + STATES)
    check("scan 1: the run was cancelled\n" in out and "scan 2: reconstructed\n" in out, out)
    check(re.search(r"^watch: \d+ frames pushed, \d+ bytes wait, \d+ MB in use, busiest '[\w/-]+'$", out, re.M), out)
    same(slices(out.split("scan 1:")[1]), list("0123"))


def test_interrupt():
    process = start(built / "control", "--device=native", "--rows=2", "--rate=5", "--watch=20")
    seen = ""
    while "watch:" not in seen:
        line = process.stdout.readline()
        check(line, f"it ended: {seen}")
        seen += line
    process.send_signal(signal.SIGINT)
    status, out, error = ended(process)
    same((status, error), (130, ""))
    same(states(seen + out), CANCELLED)


def test_however_little_may_wait():
    """A frame is more than may wait at all: each push finds that there is no room as long as another one waits."""
    status, out, error = control("--wait-bytes=1", "--rows=1", "--columns=32", "--frames=2000")
    same((status, error, states(out)), (0, "", STATES))
    check("the camera is held: " in out, out)


def test_failures():
    """Each ends with a message and a code."""
    arming = ["idle -> arming", "arming -> failed"]
    for options, want, message in (
            (["--extras=0"], arming, "scan 1 failed: 'flat-field', fed by 'camera': no flats"),
            (["--memory=1K"], arming, "scan 1 failed: the smallest work item needs"),
            (["--rows=0"], arming, "scan 1 failed: set rows and columns to the size of a frame"),
            (["--lose=30"], None, "frame 30 is lost: set missing=skip"),
            (["--lose=59"], None, "the scan ended after 59 of 60 frames")):
        status, out, error = control(*options)
        same(status, 1)
        check(message in error and error.startswith("control: "), error)
        check(states(out)[-1].endswith(" -> failed") and want in (None, states(out)), out)
    status, out, error = control(device="cl:99")
    check(status == 1 and "no device 'cl:99'" in error, error)
    for option, message in {"--frames=0": "out of range", "--scans=x": "Cannot parse", "--no": "Unknown option",
                            "word": "there are only options", "--rows=-1": "'rows'"}.items():
        status, out, error = control(option)
        same((status, out), (2, ""))
        check(message in error, error)


def test_cpp():
    status, out, error = ended(start(built / "one-scan", "native"))
    same((status, error), (0, ""))
    same(sum(map(int, re.findall(r": (\d+) bytes", out))), 8 * 128 * 128 * 4)
    status, out, error = ended(start(built / "one-scan", "cl:99"))
    same((status, out), (1, ""))
    check(error.startswith("one-scan: sino-error-quark 9: no device 'cl:99'"), error)


def test_cmake():
    """Also after what was installed was moved."""
    installed, moved, folder = place / "installed", place / "moved", place / "cmake"
    before = dict(environment)
    shutil.move(installed, moved)
    try:
        environment["LD_LIBRARY_PATH"] = environment["LD_LIBRARY_PATH"].replace(str(installed), str(moved))
        environment.pop("PKG_CONFIG_PATH")  # GLib's is the system's
        compilers = [f"-DCMAKE_{name}_COMPILER={';'.join(shlex.split(os.environ[which]))}"
                     for name, which in (("C", "SINO_CC"), ("CXX", "SINO_CXX"))]
        cmake(next(moved.rglob("examples/control")), folder, f"-DCMAKE_PREFIX_PATH={prefix_of(moved)}", *compilers,
              f"-DCMAKE_C_FLAGS={FLAGS}", f"-DCMAKE_CXX_FLAGS={FLAGS}")
        shell(f"cmake --build {folder}")
        found = re.search("Sinograph_DIR:PATH=(.*)", (folder / "CMakeCache.txt").read_text())[1]
        check(Path(found).is_relative_to(moved), found)
        same(states(control(folder=folder)[1]), STATES)
        same(ended(start(folder / "one-scan", "native"))[0], 0)
    finally:
        shutil.move(moved, installed)
        environment.update(before)


def test_cmake_versions():
    """A version that is later, or has another first number, is not found; a library that is missing is told."""
    prefix = f"-DCMAKE_PREFIX_PATH={prefix_of(place / 'installed')}"
    good = ["", "0.1", "0.1.0", "0.0.9", "0.1.0 EXACT", "0.0...0.1.0", "0.0...2"]
    bad = ["0.2", "1.0", "0.0.9 EXACT", "0.0...<0.1.0", "0.2...3"]
    ask = "".join(f"find_package (Sinograph {wanted} CONFIG)\nmessage (\"'{wanted}': ${{Sinograph_FOUND}}\")\n"
                  "unset (Sinograph_DIR CACHE)\n" for wanted in good + bad)
    folder = place / "versions"
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(f"cmake_minimum_required (VERSION 3.19)\nproject (x C)\n{ask}")
    said = cmake(folder, folder / "build", prefix)
    same(re.findall(r"'([^']*)': 1", said), good)
    same(re.findall(r"'([^']*)': 0", said), bad)
    library = next(place.rglob("libsinograph.so"))
    library.rename(f"{library}.away")
    try:
        said = cmake(examples, place / "without", prefix, status=1)
        check("libsinograph.so is missing" in said, said)
    finally:
        Path(f"{library}.away").rename(library)


if __name__ == "__main__":
    tap.main(globals())
