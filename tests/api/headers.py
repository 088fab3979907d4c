#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Each public header compiles by itself, as C11 and as C++20, without a warning."""
import os
import shlex
import subprocess

import tap

headers = os.environ["SINO_HEADERS"].split()
alone = headers + [os.environ["SINO_MODULE_HEADER"]]  # which programs that only use the library have no need of
flags = subprocess.run(["pkg-config", "--cflags", "gio-2.0"], capture_output=True, text=True, check=True).stdout


def compile_alone(compiler, standard, language, header):
    command = shlex.split(compiler) + [standard, "-x", language, "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic",
                                       "-Werror", *{"-I" + os.path.dirname(h) for h in headers}] + shlex.split(flags) + ["-"]
    text = f'#include "{os.path.basename(header)}"\n'
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    tap.check(result.returncode == 0, f"{header}: {result.stderr}")


def test_c11():
    for header in alone:
        compile_alone(os.environ["SINO_CC"], "-std=c11", "c", header)


def test_cpp20():
    for header in alone:
        compile_alone(os.environ["SINO_CXX"], "-std=c++20", "c++", header)


def test_umbrella_includes_all():
    umbrella = next(h for h in headers if h.endswith("sinograph.h"))
    text = open(umbrella).read()
    for header in headers:
        if header != umbrella:
            tap.check(f'#include "{os.path.basename(header)}"' in text, f"{header} is not in {umbrella}")


if __name__ == "__main__":
    tap.main(globals())
