#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Ranks on two hosts, which are two network namespaces of this machine with names of their own: nothing but a network is
between them. Skipped where namespaces cannot be made.
usage: hosts.py SINOGRAPH"""
import os
import re
import subprocess
import tempfile
from pathlib import Path

import tap
from program import PROGRAM, call
from tap import check, same

NET = f"10.77.{os.getpid() % 250}"
NAME = f"sino{os.getpid() % 100000}"
LINE = "read path=scan.h5 ! flat-field ! reconstruct method=direct axis=95.5 ! write path="

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True, text=True)


def make_hosts():
    """Why there are none, or None."""
    try:
        for words in (f"link add {NAME} type bridge", f"addr add {NET}.1/24 dev {NAME}", f"link set {NAME} up"):
            if (done := ip(*words.split())).returncode != 0:
                return done.stderr.strip()
        for n in 2, 3:
            for words in (f"netns add {NAME}n{n}", f"link add {NAME}v{n} type veth peer name e0 netns {NAME}n{n}",
                          f"link set {NAME}v{n} master {NAME} up", f"-n {NAME}n{n} addr add {NET}.{n}/24 dev e0",
                          f"-n {NAME}n{n} link set e0 up", f"-n {NAME}n{n} link set lo up"):
                if (done := ip(*words.split())).returncode != 0:
                    return done.stderr.strip()
    except FileNotFoundError as error:
        return str(error)
    return None


def drop_hosts():
    try:
        for n in 2, 3:
            ip("netns", "del", f"{NAME}n{n}")
        ip("link", "del", NAME)
    except FileNotFoundError:
        pass


# What stands for ssh: a shell in the namespace, with a host name of its own.
Path("agent").write_text(f'''#!/bin/sh
host=$1; shift
exec ip netns exec {NAME}n${{host##*.}} unshare --uts sh -c "hostname node${{host##*.}}; cd {folder.name}; $*"
''')
Path("agent").chmod(0o755)


def run(*words, elsewhere=None, **environment):
    """`elsewhere`: a rank that is in another folder, where there is no scan."""
    mpi = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_plm_rsh_agent": f"{folder.name}/agent",
           "OMPI_MCA_oob_tcp_if_include": f"{NET}.0/24", "OMPI_MCA_btl_tcp_if_include": f"{NET}.0/24",
           "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
           "OMPI_MCA_btl": "self,vader,tcp", "OMPI_MCA_pml": "ob1"}
    carried = [word for name in ("SINOGRAPH_PLUGIN_PATH", "XDG_CACHE_HOME", *environment)
               if name in {**os.environ, **environment} for word in ("-x", name)]
    return subprocess.run(["mpirun", *carried, "--host", f"{NET}.2:2,{NET}.3:2", "-n", "4", "sh", "-c",
                           f'[ "$OMPI_COMM_WORLD_RANK" != "{elsewhere}" ] || cd /; exec "$0" "$@"', PROGRAM, *words],
                          env={**os.environ, **mpi, **environment}, capture_output=True, text=True, timeout=120)


def test_two_hosts():
    """By one-sided operations, and by messages where the network has none: the bytes of one process."""
    if NONE:
        print(f"# no namespaces here: {NONE}")
        return
    same(call("launch", "-q", "simulate object=shepp-logan-3d z=-0.25 width=192 height=160 projections=100 type=u16 darks=3 "
              "flats=5 ! write path=scan.h5")[0], 0)
    same(call("launch", "-q", "--device=native", "--threads=1", f"{LINE}whole.h5")[0], 0)
    whole = Path("whole.h5").read_bytes()
    for way in {"OMPI_MCA_osc": "pt2pt"}, {"SINOGRAPH_MPI": "messages"}:
        for output in "volume.h5", "slices/%05i.tif":
            done = run("launch", "--device=native", "--threads=1", "--stats", f"{LINE}{output}", **way)
            # Under load, Open MPI says that its child was faster than it.
            said = [line for line in done.stderr.splitlines() if "plm:rsh: Warning: setpgid" not in line]
            same((done.returncode, said), (0, []))
            items = [int(number) for number in re.findall(r"rank \d+ did (\d+) work item", done.stdout)]
            check(len(items) == 4 and sum(items) > 1, done.stdout)
        check(Path("volume.h5").read_bytes() == whole, f"{way}: other bytes")
        same(len(list(Path("slices").glob("*.tif"))), 160)
        for path in [*Path("slices").glob("*.tif"), Path("volume.h5")]:
            path.unlink()


def test_a_rank_that_fails():
    """One message, which names its host."""
    if NONE:
        return
    Path("volume.h5").unlink(missing_ok=True)
    done = run("launch", "--device=native", "--threads=1", f"{LINE}volume.h5", elsewhere=3, SINOGRAPH_MPI="messages")
    same(done.returncode, 1)
    told = [line for line in done.stderr.splitlines() if line.startswith("sinograph: ")]
    check(len(told) == 1 and "rank 3 (node3): 'read'" in told[0] and "scan.h5" in told[0], done.stderr)
    same(list(Path().glob("volume*")), [])


NONE = make_hosts()
try:
    tap.main(globals())
finally:
    drop_hosts()
