#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What the library exports: the functions of the public headers, and C++ in namespace sino for its own modules."""
import os
import re
import subprocess

import tap

headers = os.environ["SINO_HEADERS"].split()
library = os.environ["SINO_LIBRARY"]


def declared():
    names = set()
    for header in headers:
        text = re.sub(r"/\*.*?\*/", "", open(header).read(), flags=re.S)
        names.update(re.findall(r"\b(sino_[a-z0-9_]+) \(", re.sub(r"#define.*", "", text)))
        names.update(name + "_get_type" for name in re.findall(r"G_DECLARE_\w+ \(\w+, (\w+),", text))
        # Each one is marked as exported.
        marked = len(re.findall(r"^SINO_PUBLIC$", text, flags=re.M))
        tap.same(len(re.findall(r"\bsino_[a-z0-9_]+ \(|^G_DECLARE_", re.sub(r"#define.*", "", text), flags=re.M)), marked)
    return names


def exported():
    """Kind, name and version of each; of the versions themselves, which are absolute, none."""
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    symbols = [line.split()[-2:] for line in lines.splitlines()]
    return [(kind, *name.partition("@@")[::2]) for kind, name in symbols if kind != "A"]


def test_versions():
    """The C interface keeps its version; that of C++ names the headers of this build."""
    mark = re.search(r'SINO_BUILD "(\w+)"', open(os.environ["SINO_BUILD_MARK"]).read())[1]
    tap.same({(name.startswith("_Z"), version) for _, name, version in exported()},
             {(False, "SINOGRAPH_1.0"), (True, f"SINOGRAPH_BUILD_{mark}")})


def test_c_functions_are_those_declared():
    c = {name for _, name, _ in exported() if not name.startswith("_Z")}
    want = declared()
    tap.check(len(want) > 40, "the headers were not understood")
    tap.same(sorted(c - want), [])
    tap.same(sorted(want - c), [])


def test_other_symbols_are_in_namespace_sino():
    names = [(kind, name) for kind, name, _ in exported() if name.startswith("_Z")]
    plain = subprocess.run(["c++filt"], input="\n".join(n for _, n in names), capture_output=True, text=True, check=True)
    tap.check(any("sino::" in name for name in plain.stdout.splitlines()), "nothing is exported to modules")
    for (kind, _), name in zip(names, plain.stdout.splitlines()):
        # The compiler shares instances of the standard library's templates between libraries: weak symbols.
        if kind in "WVu":
            tap.check("std::" in name or "__gnu_cxx::" in name or "sino::" in name, name)
        else:
            tap.check(re.match(r"(vtable for |typeinfo (name )?for |non-virtual thunk to )?sino::", name), f"{kind} {name}")


if __name__ == "__main__":
    tap.main(globals())
