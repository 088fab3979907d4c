#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Each public header compiles by itself, as C11 and as C++20, without a warning."""
import os
import re
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


def preprocess(lines):
    folders = {"-I" + os.path.dirname(h) for h in headers}
    command = [*shlex.split(os.environ["SINO_CC"]), "-E", "-P", "-x", "c", *folders, *shlex.split(flags), "-"]
    text = "\n".join(["#include <sino-version.h>", *lines, ""])
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    tap.check(done.returncode == 0, done.stderr)
    return done.stdout


def test_versions_are_compared_when_a_program_is_compiled():
    """`#if` knows versions before, the same and after."""
    version = re.search('"([0-9.]+)" the_end', preprocess(["SINO_VERSION the_end"]))[1]
    numbers = [int(n) for n in version.split(".")]
    cases = {}
    for place in range(3):
        for step, good in (-1, True), (0, True), (1, False):
            other = numbers[:place] + [numbers[place] + step] + ([99, 0] if step < 0 else [0, 0])
            cases[tuple((other if step else numbers)[:3])] = good
    said = preprocess(f"#if SINO_CHECK_VERSION ({a}, {b}, {c})\nyes {n};\n#else\nno {n};\n#endif"
                      for n, (a, b, c) in enumerate(cases))
    tap.same(re.findall(r"^(yes|no) \d+;", said, re.M), ["yes" if good else "no" for good in cases.values()])
    three = preprocess(["SINO_MAJOR_VERSION SINO_MINOR_VERSION SINO_MICRO_VERSION the_end"])
    tap.same([int(n) for n in re.search(r"\((\d+)\) \((\d+)\) \((\d+)\) the_end", three).groups()], numbers)


def test_header_for_cpp_alone():
    for standard in "-std=c++17", "-std=c++20":
        compile_alone(os.environ["SINO_CXX"], standard, "c++", os.environ["SINO_CPP_HEADER"])


def test_umbrella_includes_all():
    umbrella = next(h for h in headers if h.endswith("sinograph.h"))
    text = open(umbrella).read()
    for header in headers:
        if header != umbrella:
            tap.check(f'#include "{os.path.basename(header)}"' in text, f"{header} is not in {umbrella}")


if __name__ == "__main__":
    tap.main(globals())
