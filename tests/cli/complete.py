#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What shells complete: 'sinograph complete', and bash and zsh that ask it. usage: complete.py SINOGRAPH"""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from unittest import SkipTest

import tap
from program import PROGRAM, call
from tap import check, same

SCRIPTS = Path(os.environ["SINO_COMPLETION"])


def complete(*words, **options):
    status, out, error = call("complete", "--", *words, **options)
    same((status, error), (0, ""))
    return out.splitlines()


def test_commands_and_options():
    listed = re.findall(r"^  ([a-z]+) ", call("--help")[1], flags=re.M)
    same(complete(""), ["--help", "--version", *listed])
    same((complete("re"), complete("x"), complete()), (["reconstruct"], [], []))
    same("complete" in listed, False)  # it is for shells
    for command in listed:
        options = re.findall(r"^  (?:-., )?(--[a-z-]+=?)", call(command, "--help")[1], flags=re.M)
        same(sorted(complete(command, "--")), sorted(options))
    same(complete("launch", "--pro"), ["--progress="])
    same((complete("launch", "--progress="), complete("launch", "--progress", "j")),
         (["--progress=text", "--progress=json"], ["json"]))
    same([word for word in complete("launch", "-d", "") if ":" not in word], ["all", "cl", "native"])
    same(complete("launch", "--memory", ""), [])  # a number cannot be guessed
    same(complete("bench", "ramp"), ["ramp-filter"])


def test_launch_lines():
    nodes = [node["name"] for node in json.loads(call("inspect", "--json")[1])]
    same([word for word in complete("launch", "") if word != "["], nodes)
    same(complete("launch", "test-source", "!", "test-fi"), ["test-filter"])
    properties = [f"{p['name']}=" for p in json.loads(call("inspect", "test-filter", "--json")[1])["properties"]]
    same(complete("launch", "test-source", "!", "test-filter", ""), [*properties, "!"])
    # What is set already is not set again.
    same(complete("launch", "test-filter", "count=3", "cou"), [])
    same(complete("launch", "test-filter", "window="), ["window=none", "window=hann", "window=hamming"])
    same(complete("launch", "test-filter", "window=han"), ["window=hann"])
    same(complete("launch", "test-filter", "on="), ["on=true", "on=false"])
    same(complete("launch", "test-filter", "count="), [])
    same(complete("check", "test-source ! test-filter win"), ["test-source ! test-filter window="])  # in quotes
    same(complete("launch", "[test-so"), ["[test-source"])
    same(complete("launch", "test-source", "name=here", "!", "null", "her"), ["here."])
    # The line that is wrong before the word gives nothing, and no message.
    same(complete("launch", "test-source note='x w"), [])
    same(complete("launch", "no-such-node", "x"), [])


def test_files_and_settings():
    with tempfile.TemporaryDirectory() as folder:
        for name in "a.json", "a.h5", ".hidden":
            Path(folder, name).touch()
        Path(folder, "all").mkdir()
        same(complete("run", f"{folder}/"), [f"{folder}/a.json", f"{folder}/all/"])
        same(complete("run", "a", cwd=folder), ["a.json", "all/"])
        same(complete("reconstruct", "a", cwd=folder), ["a.h5", "a.json", "all/"])
        same(complete("launch", "read", "path=a", cwd=folder), ["path=a.h5", "path=a.json", "path=all/"])
        same(complete("launch", "read", "--save", "a.j", cwd=folder), ["a.json"])
        same(complete("inspect", ".h", cwd=folder), [".hidden"])
        same(complete("run", "~/a", env={**os.environ, "HOME": folder}), ["~/a.json", "~/all/"])
        Path(folder, "g.json").write_text('{"nodes": [{"plugin": "test-filter", "name": "ours"}], "edges": []}')
        same(complete("run", "g.json", "--set", "", cwd=folder), ["ours."])
        same(complete("run", "g.json", "--set=ours.win", cwd=folder), ["--set=ours.window="])
    same(complete("launch", "test-source", "!", "test-sink", "--set", "test-sou"), ["test-source."])
    same(complete("launch", "test-filter", "--set", "test-filter.window=ha"), ["test-filter.window=hann", "test-filter.window=hamming"])


def test_is_soon_there():
    begin = time.monotonic()
    complete("launch", "test-filter", "w")
    check(time.monotonic() - begin < 5, "completion takes seconds")  # 0.02 s on a machine that is idle


class Shell:
    """An interactive bash that has the completion, in a terminal of its own."""

    def __init__(self, folder):
        os.symlink(PROGRAM, f"{folder}/sinograph")
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PS1": "", "TERM": "dumb", "HOME": folder,
                       "LC_ALL": "C.UTF-8", "INPUTRC": "/dev/null"}
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], environment)
        self.ask(f"source {SCRIPTS}/sinograph.bash; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'\n"
                 "echo rea''dy\n", "ready\r\n")

    def ask(self, keys, end):
        os.write(self.terminal, keys.encode())
        said, deadline = "", time.monotonic() + 60
        while end not in said:
            check(time.monotonic() < deadline and select.select([self.terminal], [], [], 60)[0], f"no '{end}' in {said!r}")
            said += os.read(self.terminal, 65536).decode()
        return said

    def completed(self, typed):
        """The line that Tab makes of what was typed, as the shell hands it to a program."""
        said = self.ask(f"{typed}\t\x01printf '<%s>' \x05; echo EN''D\n", ">END\r\n")
        return re.findall(r"<([^<>]*)>", re.search(r"((?:<[^<>]*>)+)END", said)[1])

    def leave(self):
        os.write(self.terminal, b"\x15exit\n")
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


def test_bash():
    if not shutil.which("bash"):
        raise SkipTest("there is no bash")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "my scan.h5").touch()
        Path(folder, "deep").mkdir()
        Path(folder, "deep", "only.json").touch()
        shell = Shell(folder)
        try:
            for typed, wanted in (
                    ("sinograph rec", ["reconstruct"]),
                    ("sinograph launch --prog", ["launch", "--progress="]),
                    ("sinograph launch --progress=j", ["launch", "--progress=json"]),
                    ("sinograph launch test-source \\! test-fi", ["launch", "test-source", "!", "test-filter"]),
                    ("sinograph launch test-filter win", ["launch", "test-filter", "window="]),
                    ("sinograph launch test-filter window=hann", ["launch", "test-filter", "window=hann"]),
                    ("sinograph launch test-filter window=ham", ["launch", "test-filter", "window=hamming"]),
                    ("sinograph launch read path=my", ["launch", "read", "path=my scan.h5"]),
                    ("sinograph launch read path=de", ["launch", "read", "path=deep/"]),
                    ("sinograph run deep/o", ["run", "deep/only.json"]),
                    ("sinograph launch test-filter --set test-filter.window=ham",
                     ["launch", "test-filter", "--set", "test-filter.window=hamming"]),
                    ("sinograph launch 'test-source ! test-filter window=ham", ["launch", "test-source ! test-filter window=hamming"])):
                same((typed, shell.completed(typed)), (typed, ["sinograph", *wanted]))
        finally:
            shell.leave()


def test_zsh():
    if not shutil.which("zsh"):
        raise SkipTest("there is no zsh")
    subprocess.run(["zsh", "-n", SCRIPTS / "_sinograph"], check=True)
    same((SCRIPTS / "_sinograph").read_text().splitlines()[0], "#compdef sinograph")


tap.main(globals())
