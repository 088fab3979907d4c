#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What the versions of the library's symbols do to modules that were linked with another build of it."""
import os
import re
import tempfile
from pathlib import Path

from building import MARK, adding, build, registering
from program import call

import tap
from tap import check, same

BUILD = re.search(r'SINO_BUILD "(\w+)"', (Path(os.environ["SINO_BUILD"]) / "src/glue/build-mark.hpp").read_text())[1]
OTHER = "0123456789ab"
folder = tempfile.TemporaryDirectory()
place = Path(folder.name).resolve()
seen = '__attribute__ ((visibility ("default"))) '


def library(name, text, *more):
    """A libsinograph.so.1 of another build; how modules are linked with it."""
    (place / name).mkdir()
    build(place / name / "libsinograph.so", text, "c++", "-Wl,-soname,libsinograph.so.1", *more)
    return [f"-L{place / name}", "-Wl,--no-as-needed", "-lsinograph"]


def inspect():
    path = f"{place}:{os.environ['SINOGRAPH_PLUGIN_PATH']}"
    status, out, error = call("inspect", env={**os.environ, "SINOGRAPH_PLUGIN_PATH": path})
    same((status, error), (0, ""))
    return out


def test_other_build():
    """The mark is read first, so that its message is the one that is shown. A wrong mark does not help: nothing is called."""
    (place / "other.map").write_text(f"SINOGRAPH_BUILD_{OTHER} {{ global: _Z*; }};\n")
    other = library("other", f"namespace sino {{ {seen}void other () {{}} }}", f"-Wl,--version-script,{place}/other.map")
    module = "namespace sino { void other (); }\n" + registering("sino::other ();")
    for name, mark in ("true", OTHER), ("wrong", BUILD):
        build(place / f"{name}.so", module.replace(MARK, "const char sino_module_mark[] = SINO_MODULE_PREFIX "
              f'SINO_MODULE_API " " SINO_VERSION " {mark}\\n";\n'), "c++", *other)
    refused = inspect()
    check(re.search(rf"refused: {place}/true\.so: made for the C\+\+ headers of Sinograph \S+ \(build {OTHER}\), and this is "
                    rf"Sinograph \S+ \(build {BUILD}\): ", refused), refused)
    check(re.search(rf"refused: {place}/wrong\.so: .*version `SINOGRAPH_BUILD_{OTHER}' not found", refused), refused)


def test_linked_before_there_were_versions():
    before = library("before", f'extern "C" {seen}unsigned long sino_task_get_type () {{ return 0; }}\n')
    build(place / "before.so", adding("from-before"), "c", *before)
    said = inspect()
    check("  from-before" in said and "before.so" not in said, said)


if __name__ == "__main__":
    tap.main(globals())
