#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The binary interface is the one in abi.txt: what programs that were built before rely on is still there, as it was.

usage: abi.py [--update]

It looks at declarations and exported symbols, values of enumerations, public structures, and names and types of
properties and signals. --update writes the list, for what was added.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
from pathlib import Path
from unittest import SkipTest

import tap

LIST = Path(__file__).with_name("abi.txt")
HEAD = ["# SPDX-License-Identifier: LGPL-3.0-or-later",
        "# What libsinograph.so.1 promises; sizes and offsets are those of pointers of 8 bytes. See abi.py."]
headers = [Path(path) for path in os.environ["SINO_HEADERS"].split()]
text = "\n".join(re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S) for path in headers)
OBJECT = re.compile(r"^G_DECLARE_(FINAL|DERIVABLE)_TYPE \((\w+), (\w+),", re.M)


def functions():
    declared = re.findall(r"^SINO_PUBLIC\s+([^;()]*?)\b(sino_\w+) \(([^;]*?)\)[^;()]*;", text, re.M)
    declared += [("GType ", f"{name}_get_type", "void") for _, _, name in OBJECT.findall(text)]
    return {re.sub(r"\s+", " ", f"function {result}{name} ({arguments})") for result, name, arguments in declared}


def name_of(line):
    return re.search(r"\b(sino_\w+) \(", line)[1]


def compiled():
    """What a compiler says of enumerations and structures."""
    words = [f'printf ("value {name} %d\\n", (int) {name});'
             for body in re.findall(r"typedef enum \{(.*?)\}", text, re.S) for name in re.findall(r"\bSINO_\w+", body)]
    for name, body in re.findall(r"^struct _(\w+) \{(.*?)^\};", text, re.S | re.M):
        words.append(f'printf ("size {name} %zu\\n", sizeof ({name}));')
        for member in re.findall(r"\(\*(\w+)\)|\b(\w+)(?:\[\d+\])?;", re.sub(r"\)\s*\([^;]*;", ");", body)):
            member = "".join(member)
            words.append(f'printf ("offset {name}.{member} %zu\\n", offsetof ({name}, {member}));')
    derivable = [name for kind, name, _ in OBJECT.findall(text) if kind == "DERIVABLE"]
    words += [f'printf ("size {name} %zu\\n", sizeof ({name}));' for name in derivable]
    includes = "".join(f"#include <{name}>\n" for name in ("sinograph.h", "stddef.h", "stdio.h"))
    program = includes + "int main (void) {" + "\n".join(words) + "}\n"
    flags = subprocess.run(["pkg-config", "--cflags", "gio-2.0"], capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        command = [*shlex.split(os.environ["SINO_CC"]), "-x", "c", "-", "-o", f"{folder}/abi",
                   *sorted({f"-I{path.parent}" for path in headers}), *shlex.split(flags)]
        done = subprocess.run(command, input=program, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        lines = subprocess.run([f"{folder}/abi"], capture_output=True, text=True, check=True).stdout.splitlines()
    return set(lines) if sys.maxsize > 2**32 else {line for line in lines if line.startswith("value ")}


def introspected():
    """Properties and signals, which programs name in text."""
    core, glib = "{http://www.gtk.org/introspection/core/1.0}", "{http://www.gtk.org/introspection/glib/1.0}"
    lines = set()
    for of in tree.parse(os.environ["SINO_GIR"]).getroot().find(core + "namespace").iterfind(core + "class"):
        name = of.get(glib + "type-name")
        for found in of.iterfind(core + "property"):
            kind = found.find(core + "type").get("name") or "choice"
            lines.add(f"property {name}:{found.get('name')} {kind}")
        for found in of.iterfind(glib + "signal"):
            arguments = found.iterfind(f"{core}parameters/{core}parameter/{core}type")
            kinds = ", ".join(kind.get("name") for kind in arguments)
            lines.add(f"signal {name}::{found.get('name')} ({kinds})")
    return lines


def listed(*kinds):
    lines = [line for line in LIST.read_text().splitlines() if line and not line.startswith("#")]
    return {line for line in lines if line.split()[0] in kinds}


def compare(now, before):
    """What went is told first: it is worse."""
    went, came = sorted(before - now), sorted(now - before)
    instead = "\nand these are new:\n  " + "\n  ".join(came) if came else ""
    tap.check(not went, "the ABI is broken: programs that were built before rely on these lines of tests/api/abi.txt, "
              "which hold no more:\n  " + "\n  ".join(went) + instead)
    tap.check(not came, "these are new, list them in tests/api/abi.txt (abi.py --update):\n  " + "\n  ".join(came))


def test_declarations():
    tap.check(len(functions()) > 100, "the headers were not understood")
    compare(functions(), listed("function"))


def test_exported_symbols():
    """The C functions that the library has are those listed."""
    lines = subprocess.run(["nm", "-D", "--defined-only", os.environ["SINO_LIBRARY"]], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    symbols = [line.split()[-1] for line in lines if line.split()[-2] != "A"]  # the versions themselves are absolute
    compare({f"symbol {name}" for name in symbols if not name.startswith("_Z")},
            {f"symbol {name_of(line)}@@SINOGRAPH_1.0" for line in listed("function")})


def test_symbols_of_debian():
    """dpkg-gensymbols lists what the package promises; a function that it lacks has no version there."""
    lines = LIST.parents[2].joinpath("debian/libsinograph1.symbols").read_text().splitlines()
    tap.same(sorted(line.split("@")[0].strip() for line in lines if line.startswith(" sino_")),
             sorted(name_of(line) for line in listed("function")))


def test_enumerations_and_structures():
    if sys.maxsize <= 2**32:
        raise SkipTest("the sizes that are listed are those of machines with pointers of 8 bytes")
    compare(compiled(), listed("value", "size", "offset"))


def test_properties_and_signals():
    if "SINO_GIR" not in os.environ:
        raise SkipTest("this build has no introspection")
    compare(introspected(), listed("property", "signal"))


if __name__ == "__main__":
    if "--update" in sys.argv:
        by_name = sorted(functions(), key=name_of) + sorted(compiled() | introspected())
        LIST.write_text("\n".join(HEAD + by_name) + "\n")
    else:
        tap.main(globals())
