#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Which modules are loaded, which are refused, and that a bad one does no harm. G_DEBUG makes warnings of GLib fatal."""
import os
import re
import resource
import shutil
import signal
import sys
from pathlib import Path
from unittest import SkipTest

from building import HEAD, MARK, adding, build, registering
from folders import in_folder, with_path
from program import call, matches

import tap
from tap import check, same

OURS = os.environ["SINOGRAPH_PLUGIN_PATH"]
GOOD = "simulate width=8 height=2 projections=4 ! null"
VERSION = call("--version")[1].split()[1]
INTERFACE = int(re.search(r'SINO_MODULE_API "(\d+)"', (Path(os.environ["SINO_API"]) / "sino-module.h").read_text())[1])
BUILD = re.search(r'SINO_BUILD "(\w+)"', (Path(os.environ["SINO_BUILD"]) / "src/glue/build-mark.hpp").read_text())[1]
NO_MARK = "not a Sinograph module: it has no 'sino_module_mark'"
OLDER = "build it again with the headers of this one"
NEWER = "use it with that version, or build it again with the headers of this one"


def made_for(version, interface, mend):
    """The message for a module of another interface."""
    return (f"made for {version} with module interface {interface}, and this is Sinograph {VERSION} with module interface "
            f"{INTERFACE}: {mend}")


def inspect(*folders):
    """The names of the nodes, and what was refused."""
    status, out, error = call("inspect", env=with_path(*folders))
    same((status, error), (0, ""))
    names = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
    return names, [line.removeprefix("refused: ") for line in out.splitlines() if line.startswith("refused: ")]


@in_folder
def test_bad_files(folder):
    (folder / "folder.so").mkdir()
    os.mkfifo(folder / "pipe.so")
    (folder / "nothing.so").symlink_to(folder / "missing")
    (folder / "text.so").write_text("no module")
    build(folder / "mark.so", HEAD + MARK)
    build(folder / "undefined.so", registering("extern void not_there (void); not_there ();"))
    names, refused = inspect(folder, OURS)
    check("simulate" in names and "null" in names, names)
    same([r for r in refused if "mark.so" not in r and "undefined.so" not in r],
         [f"{folder}/folder.so: not a regular file", f"{folder}/nothing.so: not a regular file",
          f"{folder}/pipe.so: not a regular file", f"{folder}/text.so: {NO_MARK}"])
    # The system's words come after ours.
    same([r.split(":")[0] for r in refused if "undefined symbol: " in r], [f"{folder}/mark.so", f"{folder}/undefined.so"])
    same(call("launch", "-q", GOOD, env=with_path(folder, OURS)), (0, "", ""))


@in_folder
def test_marks(folder):
    """Of the C interface the number counts, of the C++ headers the build."""
    other = "0123456789ab"
    build_refusal = (f"and this is Sinograph {VERSION} (build {BUILD}): a C++ module works only with the headers that it was built with, "
                     "build it again with the headers of this one")
    cases = [  # its name, its mark, and why it is refused
        ("same", f"{INTERFACE} {VERSION}", None),
        ("older-version", f"{INTERFACE} 0.0.9", None),
        ("newer-version", f"{INTERFACE} 99.1.2", None),
        ("same-build", f"{INTERFACE} {VERSION} {BUILD}", None),
        ("older", f"{INTERFACE - 1} 0.0.9", made_for("Sinograph 0.0.9", INTERFACE - 1, OLDER)),
        ("old", f"{INTERFACE - 1}", made_for("another Sinograph", INTERFACE - 1, OLDER)),
        ("newer", f"{INTERFACE + 1} 99.1.2", made_for("Sinograph 99.1.2", INTERFACE + 1, NEWER)),
        ("newer-build", f"{INTERFACE + 1} 99.1.2 {BUILD}", made_for("Sinograph 99.1.2", INTERFACE + 1, NEWER)),
        ("other-build", f"{INTERFACE} {VERSION} {other}",
         f"made for the C++ headers of Sinograph {VERSION} (build {other}), {build_refusal}"),
        ("build-of-older", f"{INTERFACE} 0.0.9 {other}",
         f"made for the C++ headers of Sinograph 0.0.9 (build {other}), {build_refusal}"),
        ("empty", "", NO_MARK),
        ("word", "five", "not a Sinograph module: its mark is damaged"),
        ("damaged", f"{INTERFACE} \\x01\\xff", "not a Sinograph module: its mark is damaged"),
    ]
    for number, (name, mark, _) in enumerate(cases):
        own = f'const char sino_module_mark[] = SINO_MODULE_PREFIX "{mark}\\n";\n'
        build(folder / f"{name}.so", adding(f"node-{name}").replace(MARK, own).replace("MyTask", f"My{number}Task"))
    build(folder / "without.so", adding("node-without").replace(MARK, ""))
    names, refused = inspect(folder, OURS)
    same(refused, sorted(f"{folder}/{name}.so: {why}" for name, _, why in [*cases, ("without", "", NO_MARK)] if why))
    same(sorted(name for name in names if name.startswith("node-")), sorted(f"node-{name}" for name, _, why in cases if not why))
    same(call("launch", "-q", GOOD, env=with_path(folder, OURS)), (0, "", ""))


@in_folder
def test_truncated(folder):
    """A module cut anywhere is refused, or lacks nothing that is loaded; the loader would end the process."""
    module = max((path for place in OURS.split(":") for path in Path(place).glob("*.so")), key=lambda p: p.stat().st_size)
    whole = module.read_bytes()
    for i in range(1, 40):
        (folder / "cut.so").write_bytes(whole[:len(whole) * i // 40])
        status, out, error = call("inspect", env=with_path(folder))
        check(status in (0, 1), f"{i}/40: status {status}")
        if status == 1:  # where even the mark is cut off, it is none
            matches(r"cut\.so: (truncated: its parts end at byte|not a Sinograph module)", error)
    same(call("launch", "-q", GOOD, env=with_path(folder, OURS)), (0, "", ""))


@in_folder
def test_fft_module(folder):
    """The module of FFTW, in builds that have it, is looked at in the same way."""
    if "SINO_FFTW" not in os.environ:
        raise SkipTest("this build has its own transforms")
    (folder / "fft").mkdir()
    path = folder / "fft/sinograph-fft-fftw.so"
    line = "simulate width=32 height=1 projections=8 ! ramp-filter ! null"
    whole = next(Path(place, "fft/sinograph-fft-fftw.so") for place in OURS.split(":")
                 if Path(place, "fft/sinograph-fft-fftw.so").exists()).read_bytes()
    for make, why in ((lambda: os.mkfifo(path), "not a regular file"),
                      (lambda: path.write_bytes(whole[:len(whole) // 4]), "truncated: its parts end at byte")):
        make()
        # The modules of the nodes alone, and this one.
        folders = [p for p in OURS.split(":") if not Path(p, "fft").exists()]
        status, _, error = call("launch", "-q", line, "--device=native", env=with_path(folder, *folders))
        same(status, 2)
        matches(f"the FFT module is missing: {path}: {why}", error)
        path.unlink()


@in_folder
def test_bad_nodes(folder):
    build(folder / "nodes.so", registering('add ("zero", (GType (*) (void)) none); add ("object", g_object_get_type); '
                                           'add ("Bad Name!", my_task_get_type); add (NULL, my_task_get_type); '
                                           'add ("good", my_task_get_type); add ("null", my_task_get_type);')
          .replace("void sino", "static GType none (void) { return 0; }\nvoid sino"))
    names, refused = inspect(OURS, folder)
    check("good" in names, names)
    check(not {"zero", "object"} & set(names), names)
    wish = "cannot be the name of a node: it must be lower-case words joined by '-'"
    same(refused, [f"{folder}/nodes.so: {why}" for why in (
        "node 'zero': type 0 is not a SinoTask", "node 'object': type GObject is not a SinoTask",
        f"'Bad Name!' {wish}", f"'' {wish}", "node 'null' is in another module, which is used")])


@in_folder
def test_exceptions(folder):
    build(folder / "throws.so", "#include <stdexcept>\n" + registering(
        'add ("kept", my_task_get_type); throw std::runtime_error ("no camera");'), "c++")
    build(folder / "type.so", "#include <stdexcept>\n" + registering('add ("lost", lost);').replace(
        "void sino", 'static GType lost () { throw 7; }\nvoid sino'), "c++")
    names, refused = inspect(folder, OURS)
    check("kept" in names and "simulate" in names and "lost" not in names, names)
    same(refused, [f"{folder}/throws.so: threw an exception when it added its nodes: no camera",
                   f"{folder}/type.so: node 'lost': its type is not available: unknown failure"])


@in_folder
def test_exception_while_loading(folder):
    """It leaves the dynamic loader's lock taken: a process that went on would hang when a thread loads a driver."""
    build(folder / "static.so", "#include <stdexcept>\n" + adding("static") + "static struct X { X () { throw "
          'std::runtime_error ("no camera"); } } x;', "c++")
    status, out, error = call("launch", "-q", GOOD, env=with_path(folder, OURS),
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
    check(status in (-signal.SIGTRAP, -signal.SIGABRT), (status, error))
    matches(f"module {folder}/static.so threw an exception during loading \\(no camera\\): nothing can be loaded after that, remove it", error)


@in_folder
def test_first_folder_wins(folder):
    for name, node in ("a", "one"), ("b", "two"):
        (folder / name).mkdir()
        build(folder / name / "nodes.so", adding(node))
    a, b = folder / "a", folder / "b"
    for path, node, other in ((a, b), "one", "two"), ((b, a), "two", "one"):
        names, refused = inspect(*path, OURS)
        check(node in names and other not in names, (path, names))
        same(refused, [])
    # One that is refused hides nothing.
    (a / "nodes.so").write_bytes(b"sinograph-module-api:0\n")
    names, refused = inspect(a, b, OURS)
    check("two" in names, names)
    same(refused, [f"{a}/nodes.so: {made_for('another Sinograph', 0, OLDER)}"])


FORMATS = {"read": ("EDF", "Elekta", "FITS", "HDF5", "HIS", "JPEG", "MATLAB 5", "MRC", "MetaImage", "NRRD", "Nikon", "NumPy", "PNG", "SkyScan", "TIFF", "VGStudio", "Varian", "Varian image", "Zarr",
                    "Zeiss", "raw"),
           "write": ("HDF5", "HDF5 bitshuffle-LZ4", "HDF5 deflate", "MetaImage", "NRRD", "OME-TIFF", "OME-Zarr", "TIFF", "VGStudio")}


@in_folder
def test_copies(folder):
    """An installation beside the build folder, the same folder twice, other names of it, and copies under other names."""
    copies = folder / "copies"
    copies.mkdir()
    for module in OURS.split(":"):
        for file in Path(module).glob("*.so"):
            shutil.copy(file, copies)
    link = folder / "link"
    link.symlink_to(copies)
    names, refused = inspect(OURS)
    same(refused, [])
    for path in (OURS, copies), (copies, OURS), (copies, copies), (copies, f"{copies}/../copies", link):
        same(inspect(*path), (names, []))
        same(call("launch", "-q", GOOD, env=with_path(*path)), (0, "", ""))
    other = folder / "other"
    other.mkdir()
    for file in copies.glob("*.so"):
        shutil.copy(file, other / f"other-{file.name}")
    again, refused = inspect(copies, other)
    same(again, names)
    things = [f"format '{name}' to {use}" for use, formats in FORMATS.items() for name in formats]
    things += [f"node '{name}'" for name in names if name not in ("app-sink", "app-source", "graph")]  # the library's own
    same(sorted(r.split(": ", 1)[1] for r in refused), sorted(f"{thing} is in another module, which is used" for thing in things))


@in_folder
def test_missing_nodes_name_what_was_refused(folder):
    old = folder / "old.so"
    old.write_bytes(b"sinograph-module-api:1\n")
    why = f"refused: {old}: {made_for('another Sinograph', 1, OLDER)}"
    same(call("launch", "simulate ! my-node ! null", env=with_path(folder, OURS))[2].splitlines()[0],
         f"sinograph: column 12: no node 'my-node': 'sinograph inspect' lists all nodes; {why}")
    same(call("inspect", "simulat", env=with_path(folder, OURS)),
         (2, "", f"sinograph: no node 'simulat': did you mean 'simulate'?; {why}\n"))
    for i in range(4):
        (folder / f"text-{i}.so").write_text("no module")
    matches(f"; {why}; refused: {folder}/text-0.so: {NO_MARK}; refused: [^;]*; 'sinograph inspect' lists 2 more "
            "that were refused\n", call("inspect", "x", env=with_path(folder, OURS))[2])


@in_folder
def test_types_are_made_when_the_name_is_free(folder):
    """A copy of a module brings types of the same names, which GLib would refuse with a warning."""
    build(folder / "one.so", adding("one"))
    shutil.copy(folder / "one.so", folder / "two.so")
    names, refused = inspect(folder, OURS)
    same((names.count("one"), refused), (1, [f"{folder}/two.so: node 'one' is in another module, which is used"]))


if __name__ == "__main__":
    tap.main(globals())
