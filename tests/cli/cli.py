#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The program: exit statuses, messages, what is written where. usage: cli.py SINOGRAPH"""
import json
import os
import re
import tempfile
from pathlib import Path

import h5py
import tap
from program import GOOD, call, fails, matches
from tap import check, same


def test_help_and_version():
    status, out, error = call("--help")
    assert status == 0 and error == ""
    for command in ("run", "launch", "check", "plan", "inspect", "devices", "bench"):
        matches(rf"\n  {command} ", out)
        status, text, error = call(command, "--help")
        assert (status, error) == (0, "")
        matches(rf"^Usage:\n  sinograph {command} \[OPTION\.\.\.\]", text)
    same(call("help"), call("--help"))
    matches(r"^sinograph \d+\.\d+\.\d+\n$", call("--version")[1])
    status, out, error = call()
    assert (status, out) == (2, "") and error.startswith("Usage: sinograph COMMAND")


def test_wrong_command_line():
    fails(2, "no command 'lauch': did you mean 'launch'?", "lauch")
    fails(2, "no command 'zebra': 'sinograph --help' lists them", "zebra")
    fails(2, "no option '--qiet': did you mean '--quiet'?", "launch", GOOD, "--qiet")
    fails(2, "no option '--treads=3': did you mean '--threads'?", "run", "graph.json", "--treads=3")
    fails(2, "no option '--zebra': 'sinograph plan --help' lists them", "plan", GOOD, "--zebra")
    fails(2, "no option '-x': 'sinograph inspect --help' lists them", "inspect", "-x")
    fails(2, "Missing argument for --memory", "launch", GOOD, "--memory")
    fails(2, "launch wants a launch line", "launch")
    fails(2, "run wants one graph file, got 0 arguments", "run")
    fails(2, "run wants one graph file, got 2 arguments", "run", "a", "b")
    fails(2, "check wants a graph file or a launch line", "check")
    fails(2, "plan wants a graph file or a launch line", "plan")
    fails(2, "devices takes no arguments", "devices", "x")
    fails(2, "inspect wants one node or scan, got 2 arguments", "inspect", "a", "b")
    fails(2, "--markdown wants a node, and cannot be used with --json", "inspect", "--markdown")
    fails(2, "no node 'test-sorce': did you mean 'test-source'?", "inspect", "test-sorce")
    for size in ("", "5x", "-3", "0", "101%", "%", "1e3M"):
        fails(2, f"--memory wants a size such as 512M, 2G or 80%, got '{size}'", "launch", GOOD, "--memory", size)
    for number in ("-1", "0", "1025", "two", ""):
        fails(2, f"--threads wants a number from 1 to 1024, got '{number}'", "launch", GOOD, "--threads", number)
    status, out, error = call("launch", GOOD, "--device", "cl:99")
    assert (status, out) == (2, "")
    matches(r"^sinograph: no device 'cl:99'; the devices are native \(", error)


def test_wrong_graph():
    fails(2, "column 15: no node 'test-snik': did you mean 'test-sink'?\n  test-source ! test-snik\n                ^~~~~~~~~",
          "launch", "test-source ! test-snik")
    fails(2, "the output of 'test-source' is not connected: connect it, to 'null' if it is not needed",
          "launch", "test-source")
    fails(2, "input 1 (right) of 'test-join' is not connected", "launch", "test-source ! test-join ! test-sink")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.json"
        fails(2, f"cannot open graph '{path}': No such file or directory", "run", str(path))
        path.write_text('{"nodes": [], "egdes": []}')
        fails(2, f"'{path}': $.egdes: unknown key, did you mean 'edges'?", "run", str(path))
        path.write_text('{"nodes": []}')
        fails(2, "the graph has no nodes", "run", str(path))
        path.write_bytes(b"[" * 3_000_000)
        for command in ("run", "check", "plan"):
            fails(2, f"'{path}': line 1, column 65: nested deeper than 64 levels", command, str(path))


def test_wrong_settings():
    for setting in ("x", "x=1", "=1", ".x=1", "x.=1"):
        fails(2, f"--set wants NODE.PROPERTY=VALUE, got '{setting}'", "launch", GOOD, "--set", setting)
    fails(2, "no node is named 'test-fliter': did you mean 'test-filter'?", "launch", GOOD, "--set", "test-fliter.on=1")
    fails(2, "'test-filter': property 'count' wants an integer from 1 to 32, got '0'",
          "launch", GOOD, "--set", "test-filter.count=0")


def test_failing_runs():
    status, out, error = call("launch", GOOD, "--set", "test-filter.trouble=throw")
    same((status, out, error), (1, "", "sinograph: 'test-filter': failed on purpose\n"))
    # A file that is missing is no mistake of the graph.
    for command in ("launch", "check", "plan"):
        fails(1, "'test-source': path '/none': no such file", command, GOOD, "--set", "test-source.path=/none")
    status, out, error = call("launch", GOOD, "--memory", "1M")
    same((status, out), (1, ""))
    size = r"\d+(\.\d)? [KM]iB"
    matches(rf"^sinograph: the smallest work item needs {size}, which is {size} more than the memory limit of 1\.0 MiB \(of it "
            rf"{size} are taken before the run: {size} in use, and 24\.0 MiB set aside for thread stacks and libraries\): "
            r"raise --memory or reconstruct a smaller region\n$", error)
    # What a node says while a run is planned has its name too.
    status, out, error = call("plan", "simulate width=16 height=2 projections=4 ! interleave ! back-project name=fbp "
                              "variant=reference ! null", "--device", "native")
    same((status, out), (1, ""))
    matches(r"^sinograph: 'fbp' \(back-project\): variant=reference does not run on native \(.*\): it runs 'native'\n$", error)


def test_run():
    status, out, error = call("launch", GOOD)
    assert (status, error) == (0, "")
    matches(r"^6 slices in \d+\.\d\d s, peak memory \d+(\.\d)? [KMG]iB\n$", out)
    same(call("launch", GOOD, "--quiet"), (0, "", ""))
    for threads in ("1", "1024"):  # more than there are processors goes without a word
        same(call("launch", *GOOD.split(), "-q", "--device", "native", "--threads", threads, "--memory", "80%"), (0, "", ""))
    status, out, error = call("launch", GOOD, "--stats", "-q")
    assert (status, error) == (0, "")
    matches(r"^node +blocks in +out +busy s +waiting s\n", out)
    matches(r"\ntest-filter +\d+ +\d+ +\d+\.\d{3} +\d+\.\d{3}\n", out)
    matches(r"\nplanned memory .*\nenergy (of CPU: not measured: .+|\S+ J \(CPU \S+ J\), energy-delay product \S+ J s)\n$", out)
    if not os.path.isdir("/sys/class/powercap"):
        matches(r"\nenergy of CPU: not measured: no counter of a processor package \(intel-rapl\) in /sys/class/powercap: ", out)


def test_trace():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "trace.json")
        line = "simulate width=64 height=40 projections=50 ! ramp-filter ! interleave ! back-project ! null"
        same(call("launch", "--quiet", "--stats", "--trace", path, line, "--device", "native")[0], 0)
        events = json.loads(path.read_text())["traceEvents"]
        names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
        same(sorted(names.values()), ["back-project", "interleave", "null", "ramp-filter", "simulate"])
        same([e["args"] for e in events if e["name"] == "process_name"], [{"name": "native"}])
        end = [e["ts"] for e in events if e["name"] == "end"][0]
        for tid, name in names.items():
            spans = [(e["ts"], e["ts"] + e["dur"]) for e in events if e["ph"] == "X" and e["tid"] == tid]
            assert spans and all(e["name"] == name for e in events if e["ph"] == "X" and e["tid"] == tid), name
            edges = [t for span in spans for t in span]
            assert edges == sorted(edges) and 0 <= edges[0] and edges[-1] <= end, edges
        rows = [e["args"]["rows"] for e in events if e["ph"] == "X" and e["name"] == "back-project"]
        same((rows[0].split(":")[0], rows[-1].split(":")[1]), ("0", "40"))
        same(os.listdir(folder), ["trace.json"])
        # The rules are those of outputs: folders are made, and nothing is replaced.
        same(call("launch", "--quiet", "--trace", f"{folder}/new/t.json", line)[::2], (0, ""))
        same(os.listdir(f"{folder}/new"), ["t.json"])
        fails(1, f"'{path}' exists: choose another name or remove it", "launch", "--trace", path, line)
        Path(folder, "mine").write_text("mine")
        fails(1, f"'{folder}/mine' exists: choose another name or remove it", "launch", "--trace", f"{folder}/mine", line)
        same(Path(folder, "mine").read_text(), "mine")
        fails(1, f"cannot write into '{path}': Not a directory", "launch", "--trace", f"{path}/t.json", line)
        fails(2, f"'preview' and the trace would both write '{folder}/x.png': give each a path of its own", "launch",
              "--trace", f"{folder}/x.png", line.replace("null", f"preview path={folder}/x.png"))
        # The graph that --save has just written is not replaced either.
        fails(1, f"'{folder}/g.json' exists: choose another name or remove it", "launch", "-q", "--trace",
              f"{folder}/g.json", "--save", f"{folder}/g.json", line)  # fmt: skip


def test_save():
    with tempfile.TemporaryDirectory() as folder:
        path, again = str(Path(folder) / "graph.json"), str(Path(folder) / "again.json")
        line = "[test-source name=a level=0.1, test-source] ! test-join ! test-filter note='x y' ! test-sink name=end"
        status, out, error = call("launch", line, "--save", path, "--set", "a.slices=3", "--set", "test-source.slices=3")
        assert (status, error) == (0, ""), error
        matches("^3 slices in ", out)
        graph = json.loads(Path(path).read_text())
        same(graph["sinograph"], 1)
        same(graph["nodes"][0], {"plugin": "test-source", "name": "a", "properties": {"slices": 3, "level": 0.1}})
        same(graph["nodes"][4], {"plugin": "test-sink", "name": "test-sink", "properties": {"name": "end"}})
        same(graph["edges"][1], {"from": {"name": "test-source"}, "to": {"name": "test-join", "input": 1}})
        matches("^3 slices in ", call("run", path)[1])
        # What was saved means the same; what is there is never replaced.
        same(call("check", path, "--quiet", "--save", again), (0, "", ""))
        same(Path(again).read_bytes(), Path(path).read_bytes())
        fails(1, f"'{again}' exists: choose another name or remove it", "check", path, "--save", again)
        same(sorted(os.listdir(folder)), ["again.json", "graph.json"])
        # A graph that cannot run leaves nothing that would be in the way.
        late = f"{folder}/late.json"
        fails(1, "'test-source': path '/none': no such file", "launch", GOOD, "--save", late, "--set", "test-source.path=/none")
        same(call("launch", GOOD, "-q", "--save", late), (0, "", ""))
        same(call("check", late, "-q"), (0, "", ""))


def test_names_that_are_not_utf8():
    with tempfile.TemporaryDirectory() as folder:
        simulated(folder, "scan.h5")
        os.rename(f"{folder}/scan.h5", os.fsencode(folder) + b"/sc\xffan.h5")
        line = b"read path=sc\xffan.h5 ! "
        same(call("launch", "-q", line + b"null", cwd=folder), (0, "", ""))
        same(call("launch", "-q", line + b"write path=copy.h5", cwd=folder), (0, "", ""))
        with h5py.File(f"{folder}/copy.h5") as file:
            made = json.loads(file["exchange/data"].attrs["provenance"])
        same(made["graph"]["nodes"][0]["properties"]["path"], "sc\\xffan.h5")
        # What is to be read back is refused.
        fails(1, "'read': property 'path': 'sc\\377an.h5' is not UTF-8, which JSON needs",
              "launch", line + b"null", "--save", "graph.json", cwd=folder)
        assert not os.path.exists(f"{folder}/graph.json")


def test_check_and_plan():
    status, out, error = call("check", GOOD)
    same((status, error), (0, ""))
    same(out, "'test-source': f32 slices (z 6, y 8, x 8)\n'test-filter': f32 slices (z 6, y 8, x 8)\n"
              "'test-sink': f32 slices (z 6, y 8, x 8)\n")
    # There is no driver, and then one that cannot be loaded.
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "broken.icd").write_text("/none/libnone.so\n")
        for vendors in ("/none", folder):
            environment = {**os.environ, "OCL_ICD_VENDORS": vendors}
            same(call("check", GOOD, env=environment), (0, out, ""))
            same(call("launch", GOOD, "--quiet", env=environment), (0, "", ""))
    status, out, error = call("plan", GOOD)
    assert (status, error) == (0, "") and "pass 1:" in out and "'test-filter'" in out, out
    status, out, error = call("plan", GOOD, "--dot")
    assert (status, error) == (0, "") and out.startswith("digraph ") and out.endswith("}\n"), out


def test_inspect():
    status, out, error = call("inspect")
    assert (status, error) == (0, "")
    matches(r"\n  test-join +Adds two streams, and a third if there is one\n", out)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "text.so").write_text("no module")
        old = Path(folder) / "old.so"
        old.write_bytes(b"\x7fELF sinograph-module-api:0\n")
        environment = {**os.environ, "SINOGRAPH_PLUGIN_PATH": f"{folder}:{os.environ['SINOGRAPH_PLUGIN_PATH']}"}
        status, refused, error = call("inspect", env=environment)
        same((status, error), (0, ""))
        check(refused.startswith(f"{out}refused: {old}: made for another Sinograph with module interface 0, and this is "), refused)
        check(refused.endswith(f"\nrefused: {folder}/text.so: not a Sinograph module: it has no 'sino_module_mark'\n"), refused)
        same(call("launch", GOOD, "-q", env=environment), (0, "", ""))
    table = call("inspect", "test-filter", "--markdown")[1]
    same(table.splitlines()[:4], ["| property | type | values | default | meaning |", "|---|---|---|---|---|",
                                  "| `on` | boolean | `true`, `false` | `true` | A switch |",
                                  "| `count` | integer | 1 to 32 | `3` | A bounded integer |"])
    assert "| `a \"note\"` | A string with a default \\| and a bar |" in table, table


def test_no_nodes():
    missing = r"no modules were found in '.+' or in SINOGRAPH_PLUGIN_PATH"
    environment = {**os.environ, "SINOGRAPH_PLUGIN_PATH": "/none"}
    if call("inspect", env=environment)[1]:
        return  # this version is installed: its modules are found there
    for arguments, wanted, start in (["inspect"], 1, ""), (["launch", "null"], 2, "column 1: no node 'null': "):
        status, out, error = call(*arguments, env=environment)
        same((arguments, status, out), (arguments, wanted, ""))
        matches(rf"^sinograph: {start}{missing}\n", error)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "text.so").write_text("no module")
        fails(1, f"no module could be loaded\nrefused: {folder}/text.so: not a Sinograph module: it has no 'sino_module_mark'", "inspect",
              env={**os.environ, "SINOGRAPH_PLUGIN_PATH": folder})


def test_devices():
    status, out_text, error = call("devices", env={**os.environ, "OCL_ICD_VENDORS": "/none"})
    same((status, error), (0, ""))
    matches(r"^\* native   \S.*\n    kernels are built for \w+(, \w+)*\n    back-project\n      native kernel, \S+, \d+ lanes for many "
            r"slices\n    cone-back-project\n      native kernel, \S+, if the columns of the detector are parallel to z\n    "
            r"forward-project\n      native kernel, a column of pixels at a time if these are parallel to z, with rows in the direction of \+z, "
            r"otherwise ray by ray\n    "
            r"fourier-reconstruct\n      native kernel, \S+, \d+ slices at once\n    "
            r"iterative-reconstruct\n      native kernel, \S+, \d+ slices at once\n(  no OpenCL devices: .+\n)?$", out_text)
    status, out, error = call("devices", "--json", env={**os.environ, "OCL_ICD_VENDORS": "/none"})
    same((status, error), (0, ""))
    native, = json.loads(out)
    same((native["id"], native["chosen"]), ("native", True))
    same(list(native["nodes"]), ["back-project", "cone-back-project", "forward-project", "fourier-reconstruct", "iterative-reconstruct"])
    same(f"    kernels are built for {', '.join(native['instruction-sets'])}", out_text.splitlines()[1])
    same(native["nodes"].pop("forward-project"),
         ["native kernel, a column of pixels at a time if these are parallel to z, with rows in the direction of +z, otherwise ray by ray"])
    for lines in native["nodes"].values():  # each of the others runs with one of these
        check(re.search(r"native kernel, (\w+)", lines[0])[1] in native["instruction-sets"], native)


def simulated(folder, *names):
    """Small scans as files."""
    for name in names:
        same(call("launch", "-q", "simulate width=16 height=2 projections=4 type=u16 flats=2 darks=2 "
                  f"exposure={0.1 if name.startswith('dark') else 0.8} ! write path={name}", cwd=folder), (0, "", ""))


def test_scan_without_angles():
    with tempfile.TemporaryDirectory() as folder:
        simulated(folder, "scan.tif", "darks.tif", "flats.tif")
        line = "[read path=scan.tif name=scan, read path=darks.tif, read path=flats.tif] ! flat-field name=ffc "
        for angles, wanted in ("", None), (" --set scan.angles=0:180", [0, 45, 90, 135]):
            same(call("launch", "-q", f"{line} ! write path=clean.h5 overwrite=true", *angles.split(), cwd=folder),
                 (0, "", ""))
            with h5py.File(f"{folder}/clean.h5") as file:  # those of the data, if there are any
                same(list(file["exchange/theta"]) if "theta" in file["exchange"] else None, wanted)
        fails(2, "'back-project', fed by 'interleave': the projections have no angles: give 'scan' angles=start:stop "
              "(degrees, stop excluded, for example angles=0:180) or angles=FILE with one angle per projection",
              "check", f"{line} ! interleave ! back-project ! null", cwd=folder)


def test_examples_of_the_help():
    help = call("launch", "--help")[1]
    examples = re.findall(r"^ +sinograph launch '(.+)'$", help, re.MULTILINE)
    same(len(examples), help.count("sinograph launch '"))
    assert examples, help
    with tempfile.TemporaryDirectory() as folder:
        simulated(folder, "scan.h5", "scan.tif", "darks.tif", "flats.tif")
        for line in examples:
            same(call("check", "-q", line, cwd=folder), (0, "", ""))


def test_lines_that_end_as_files_do():
    with tempfile.TemporaryDirectory() as folder:
        line = f"test-source ! test-sink file={folder}/out.json"
        matches("'test-sink'", call("check", line)[1])
        fails(2, "cannot open graph 'a! b.json': No such file or directory", "check", "a! b.json")
        graph = Path(folder) / "a ! b.json"  # the name of a file is one, whatever it is
        same(call("check", "-q", line, "--save", str(graph)), (0, "", ""))
        same(call("check", "-q", str(graph)), (0, "", ""))


def test_formats_that_do_not_fit():
    fails(2, "'back-project', fed by 'scan': wants sinograms, got f32 projections (angle 4, row 2, column 16): "
          "put 'interleave' before it",
          "check", "simulate name=scan width=16 height=2 projections=4 ! back-project ! null")


tap.main(globals())
