#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What 'sinograph new' writes is built against the installed files alone, tested as it is, seen, and computes what NumPy does.

usage: new-filter.py SINOGRAPH
"""
import os
import re
import resource
import shutil
import signal
from pathlib import Path

import h5py
import numpy
from installing import environment, install, place, shell
from program import call, fails, matches

import tap
from tap import check, same

environment.update({"CC": os.environ["SINO_CC"], "CXX": os.environ["SINO_CXX"]})
MESON = os.environ["SINO_MESON"]
SETUP = f"{MESON} setup -Dwerror=true -Db_sanitize={os.environ['SINO_SANITIZE']} -Db_lundef=false build"
install()


def files_of(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def new(name, language):
    out = shell(f"sinograph new filter {name} --language={language}")
    commands = re.findall(r"^  (.*)$", out, re.M)
    same(commands, [f"cd {name}", "meson setup build && meson test -C build",
                    f"SINOGRAPH_PLUGIN_PATH=$PWD/build sinograph inspect {name}"])
    return place / name


def build_and_test(project, tests):
    """As the README says, with warnings as errors; the names of the tests that ran."""
    shell(f"{SETUP} && {MESON} test -C build", project)
    log = (project / "build/meson-logs/testlog.txt").read_text()
    same(re.findall(r"^ok \d+ (\S+)$", log, re.M), tests)
    check("not ok" not in log, log)


def with_modules(project):
    environment["SINOGRAPH_PLUGIN_PATH"] = f"{project}/build"


def check_page(project, name):
    """The page tells the properties as 'inspect' does."""
    table = shell(f"sinograph inspect --markdown {name}").strip()
    page = (project / f"docs/{name}.md").read_text()
    check(table in page and "`factor`" in table, f"{table}\nis not in the page:\n{page}")


def values_of(line, *options):
    """What comes out of a launch line."""
    path = place / "values.h5"
    shell(f"sinograph launch -q {' '.join(options)} 'simulate width=37 height=5 projections=7 photons=0 ! {line}"
          f"write path={path} overwrite=true'")
    with h5py.File(path) as file:
        return file["exchange/data"][()]


def pocl():
    found = re.search(r"^[* ] (cl:\d+) +.*Portable Computing", shell("sinograph devices"), re.M)
    return found and found[1]


def test_in_cpp_with_kernels():
    """Also where OpenCL C has a function of the name."""
    project = new("exp", "c++")
    same(files_of(project), ["README.md", "docs/exp.md", "exp-kernels.hpp.in", "exp.cl", "exp.cpp", "meson.build", "tests/exp.c"])
    check(not [path for path in project.rglob("*") if path.is_file() and re.search("my.?gain", path.read_text(), re.I)], "other names")
    device = pocl()
    kernels = ["/exp/kernels/plain", "/exp/kernels/four"]
    build_and_test(project, ["/exp/native", *(kernels if device else [])])
    with_modules(project)
    check("Multiply values by a factor" in shell("sinograph inspect exp"), "not seen")
    check_page(project, "exp")
    given = values_of("")
    check(given.max() > 0.1, "nothing is given")
    same(given.dtype, numpy.float32)
    places = [("native", "auto")] + ([(device, "plain"), (device, "four")] if device else [])
    for where, variant in places:
        got = values_of(f"exp factor=-1.7 variant={variant} ! ", f"--device={where}")
        numpy.testing.assert_array_equal(got, numpy.float32(-1.7) * given, f"{variant} on {where}")
        if where != "native":
            plan = shell(f"sinograph plan --device={where} 'simulate width=64 height=8 projections=6 ! exp variant={variant} ! null'")
            matches(rf"'exp'.*; {variant} kernel, OpenCL \(", plan)


def test_module_of_another_build_is_refused():
    """The same file with the mark of other headers."""
    built = place / "exp/build/filter-exp.so"
    mark = re.search(rb"sinograph-module-api:(\d+) (\S+) ([0-9a-f]{12})\n", built.read_bytes())
    other = place / "other/filter-exp.so"
    other.parent.mkdir()
    other.write_bytes(built.read_bytes().replace(mark[0], mark[0].replace(mark[3], b"0123456789ab")))
    version, build = mark[2].decode(), mark[3].decode()
    environment["SINOGRAPH_PLUGIN_PATH"] = f"{other.parent}"
    listed = shell("sinograph inspect")
    same([line for line in listed.splitlines() if line.startswith("refused")], [
        f"refused: {other}: made for the C++ headers of Sinograph {version} (build 0123456789ab), and this is Sinograph {version} (build "
        f"{build}): a C++ module works only with the headers that it was built with, build it again with the headers of this one"])
    check("\n  exp " not in listed, listed)


def test_neighbours():
    """A filter of neighbours has what its kernel includes."""
    source = Path(os.environ["SINO_SOURCE"]) / "tests/modules"
    (place / "peak").mkdir()
    shell(f"{os.environ['SINO_CXX']} -std=c++20 -O1 -Wall -Wextra -Werror -Wno-missing-field-initializers -shared -fPIC "
          f"-fvisibility=hidden -DFOLDER='\"{source}\"' -DKERNELS=\"\\\"$(pkg-config --variable=kernels sinograph-modules-1.0)\\\"\" "
          f"$(pkg-config --cflags sinograph-modules-1.0) {source}/peak.cpp -o peak/peak.so "
          "$(pkg-config --libs sinograph-modules-1.0)")
    environment["SINOGRAPH_PLUGIN_PATH"] = f"{place}/peak"
    given, near = values_of(""), range(-1, 2)
    wide = numpy.pad(given, 1, "edge")
    expected = numpy.max([numpy.roll(wide, (i, j, k), (0, 1, 2)) for i in near for j in near for k in near], axis=0)[1:-1, 1:-1, 1:-1]
    numpy.testing.assert_array_equal(values_of("peak ! ", "--device=native"), expected)
    if device := pocl():
        numpy.testing.assert_array_equal(values_of("peak variant=plain ! ", f"--device={device}"), expected)


def test_in_c():
    """Also where C has a type of the name. The module holds to the C interface, and names no build."""
    project = new("double", "c")
    same(files_of(project), ["README.md", "docs/double.md", "double.c", "meson.build", "tests/double.c"])
    build_and_test(project, ["/double/native"])
    with_modules(project)
    check_page(project, "double")
    numpy.testing.assert_array_equal(values_of("double factor=0.3 ! "), numpy.float32(0.3) * values_of(""))
    matches(rb"sinograph-module-api:\d+ [0-9.]+\n", (project / "build/filter-double.so").read_bytes())


def test_against_the_build_folder():
    """As in 'meson devenv', where nothing is installed."""
    kept = dict(environment)
    variants = ["plain", "four"] if pocl() else []
    try:
        environment.update({"PKG_CONFIG_PATH": f"{os.environ['SINO_BUILD']}/meson-uninstalled", "LD_LIBRARY_PATH": ""})
        for name in "exp", "double":
            shutil.rmtree(place / name / "build")
            kernels = [f"/exp/kernels/{variant}" for variant in variants if name == "exp"]
            build_and_test(place / name, [f"/{name}/native", *kernels])
    finally:
        environment.clear()
        environment.update(kept)


def test_headers_are_complete():
    """All that is installed compiles together, and what filters of the project include of the layers is there."""
    headers = place.rglob("include/sinograph-1.0/sinograph")
    root = next(headers)
    names = sorted(str(path.relative_to(root)) for path in root.rglob("*.hpp"))
    (place / "all.cpp").write_text("".join(f'#include "{name}"\n' for name in names))
    shell(f"{os.environ['SINO_CXX']} -std=c++20 -Wall -Wextra -Werror -Wno-missing-field-initializers -fsyntax-only "
          "$(pkg-config --cflags sinograph-modules-1.0) all.cpp")
    used = set()
    for source in (Path(os.environ["SINO_SOURCE"]) / "filters").rglob("*.[ch]pp"):
        used |= set(re.findall(r'^#include "((?:base|stream|device|families|formats|geometry|glue)/.*)"', source.read_text(), re.M))
    same(sorted(used - set(names)), [])


def test_bad_calls():
    cases = [
        ("new wants two words, as 'sinograph new filter my-gain', got 0",),
        ("new wants two words, as 'sinograph new filter my-gain', got 1", "filter"),
        ("new wants two words, as 'sinograph new filter my-gain', got 3", "filter", "a", "b"),
        ("new can create a 'filter', not 'source'", "source", "a"),
        ("--language wants c or c++, got 'rust'", "filter", "a", "--language=rust"),
        ("--folder wants the name of a folder, got ''", "filter", "a", "--folder="),
        ("a node 'median' exists already: add a prefix of your own", "filter", "median"),
    ]
    for name in "Gain", "my_gain", "my--gain", "-gain", "gain-", "2gain", "", "../gain", "my gain", "gaïn":
        cases.append((f"'{name}' cannot be the name of a node: it must be lower-case words joined by '-', such as my-gain", "--", "filter", name))
    bare = place / "bare"
    bare.mkdir()
    for message, *words in cases:
        fails(2, message, "new", *words, cwd=bare)
    same(list(bare.iterdir()), [])


def test_folders():
    bare = place / "folders"
    bare.mkdir()
    for there in "file", "folder", "link":
        {"file": Path.touch, "folder": Path.mkdir, "link": lambda path: path.symlink_to("nowhere")}[there](bare / there)
        fails(1, f"'{there}' exists already: name another folder with --folder", "new", "filter", "my-own", f"--folder={there}", cwd=bare)
        fails(1, f"'{there}' exists already: name another folder with --folder", "new", "filter", there, cwd=bare)
    for folder, why in ("file/x", "Not a directory"), ("missing/x", "No such file or directory"), ("x" * 300, "File name too long"):
        status, out, error = call("new", "filter", "my-own", f"--folder={folder}", cwd=bare)
        same((status, out), (1, ""))
        matches(f"'{folder}': {why}", error)
    if os.getuid() != 0:
        (bare / "folder").chmod(0o555)
        status, out, error = call("new", "filter", "my-own", "--folder=folder/x", cwd=bare)
        same((status, out), (1, ""))
        matches("'folder/x': Permission denied", error)
    same(sorted(path.name for path in bare.rglob("*")), ["file", "folder", "link"])
    status, out, error = call("new", "filter", "my-own", "--folder=a place/", cwd=bare)
    same((status, error), (0, ""))
    check("\n  cd 'a place'\n" in out and out.startswith("'a place' contains the node 'my-own'"), out)
    same(sorted(path.name for path in bare.iterdir()), ["a place", "file", "folder", "link"])
    check((bare / "a place/my-own.cl").is_file(), "no kernels")


def test_full_disk():
    """Nothing is left of a project that could not be written."""
    bare = place / "full"
    bare.mkdir()
    status, out, error = call("new", "filter", "my-own", cwd=bare, preexec_fn=no_files)
    same((status, out), (1, ""))
    matches("cannot write 'my-own/.*': File too large", error)
    same(list(bare.iterdir()), [])


def no_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


if __name__ == "__main__":
    tap.main(globals())
