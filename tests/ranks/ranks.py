#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Ranks of MPI that work on one run: the bytes of a run of one process, whatever becomes of them. Costs 12 s, whole 40 s.
usage: ranks.py SINOGRAPH [FAULTS]"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import tap
from draw import THOROUGH, drawn, in_turn
from program import PROGRAM, call, has_opencl, matches, need_opencl
from tap import check, same

FAULTS = sys.argv[2] if len(sys.argv) > 2 else None
KILLS = int(os.environ.get("SINO_TEST_KILLS", 6))
ROWS = 48
WIDTH, PROJECTIONS = (192, 300) if KILLS > 1 else (64, 80)  # where the program is slow, as under a sanitizer
SCAN = (f"simulate object=shepp-logan-3d z=-0.25 width={WIDTH} height={ROWS} projections={PROJECTIONS} type=u16 darks=3 "
        "flats=5")
GRAPH = f"read path=scan.h5 ! flat-field ! reconstruct method=direct axis={WIDTH / 2 - 0.5} ! write path="
OUTPUTS = "slices/%05i.tif", "volume.h5", "volume.mhd", "volume.h5 files=3"
# Ranks share few processors here, and the tests may be root's.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_mpi_yield_when_idle": "1",
       "OMPI_MCA_btl_base_warn_component_unused": "0"}

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
check(call("launch", "-q", f"{SCAN} ! write path=scan.h5")[0] == 0, "no scan")


def arguments(output, *more, graph=GRAPH, memory=None, device="native"):
    return ["launch", f"--device={device}", "--threads=1", f"--memory={memory or LEAST + 1}M", *more, graph + output]


def started(ranks, *words, struck=None, rules="", program=PROGRAM, **environment):
    """`rules`: of the calls that fail in the rank `struck` (tests/faults/rules.hpp)."""
    program = [program]
    if struck is not None:
        program = ["sh", "-c", f'[ "$OMPI_COMM_WORLD_RANK" != {struck} ] || export LD_PRELOAD="$0" OPENCL_LAYERS="$0" SINO_FAULTS="{rules}"; '
                   'exec "$@"', FAULTS, PROGRAM]
    return subprocess.Popen(["mpirun", "-n", str(ranks), *program, *words], env={**os.environ, **MPI, **environment}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def run(ranks, *words, **options):
    running = started(ranks, *words, **options)
    try:
        out, error = running.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)
        raise
    return running.returncode, out, error


def least(ranks, output, graph=GRAPH):
    """Memory of each, where work items are of a few rows; files of a file system in memory are mapped as they are written."""
    return float(re.search(r"needs ([\d.]+) MiB", run(ranks, *arguments(output, graph=graph, memory=1))[2])[1])


LEAST = least(4, "volume.h5")


def files(output):
    paths = Path("slices").iterdir() if "/" in output else Path().glob("v*")
    return {path.name: path.read_bytes() for path in sorted(paths)}


def clear():
    shutil.rmtree("slices", ignore_errors=True)
    for path in [*Path().glob("v*"), *Path().glob("sinograph-ranks*")]:
        path.unlink()


def alone(output, **options):
    clear()
    status, _, error = call(*arguments(output, "-q", **options))
    same((status, error), (0, ""))
    whole = files(output)
    clear()
    return whole


def good(done):
    check(done[0] == 0, done)
    return done[1]


def items(said):
    return [int(number) for number in re.findall(r"rank \d+ did (\d+) work item", said)]


def test_same_bytes():
    for output, graph in drawn([*((output, GRAPH) for output in OUTPUTS), ("volume.h5", GRAPH.replace("direct", "tv iterations=3"))], 4):
        whole, memory = alone(output, graph=graph, memory=least(1, output, graph) + 1), least(4, output, graph) + 1
        for ranks in 1, 2, 4:
            said = good(run(ranks, *arguments(output, "--stats", graph=graph, memory=memory)))
            check(files(output) == whole, f"{output}: {ranks} ranks make other bytes")
            if ranks > 1:
                same(len(items(said)), ranks)
                check(sum(items(said)) >= 3 and max(items(said)) < sum(items(said)), items(said))
            same(len(re.findall(f"{ROWS} slices in", said)), 1)
            clear()


def test_passes_that_keep_a_stream():
    """Every slab sees most rows, so that filtered projections are kept: in a file that all ranks write to and read."""
    in_turn(0, 3)
    graph = ("simulate width=64 height=64 projections=160 angles=0:360 axis-tilt=60 source-origin=1000 origin-detector=536 "
             "pixel-size=3.072 ! median ! cone-weight ! ramp-filter ! cone-back-project size=132 slices=84 ! write path=")
    needed = least(2, "volume.h5", graph)
    whole = alone("volume.h5", graph=graph, memory=needed + 40)
    kept = 0
    for spare in range(24):
        clear()  # what a process takes before its run differs by some KiB
        good(run(2, *arguments("volume.h5", "--trace=v.json", graph=graph, memory=needed + 0.5 + spare)))
        lanes = Path("v.json").read_text()
        kept += "materialise ramp-filter" in lanes
        same({name: made for name, made in files("volume.h5").items() if "json" not in name}, whole)
        same([path.name for path in Path().glob("*.part")], [])
        if kept:
            break
    check(kept, "no plan kept a stream")
    clear()


PYTHON = """
import os, sys, gi
gi.require_version("Sino", "1.0")
from gi.repository import Sino
for place in range(2):
    runner = Sino.Runner(mpi=True, device="native", threads=1)
    runner.run(Sino.Graph.new_from_launch(sys.argv[1] % place), None)
    read = runner.get_statistics().unpack()["tasks"]
    read = next(task for task in read if task["node"] == "flat-field")["counters"].get("bytes-read", 0)
    os.write(1, f"read {read}\\n".encode())
"""


def test_python():
    """Several runs of one program; and what its ranks read of darks and flats together is what one process reads."""
    whole = alone("v1.h5")
    frames = 8 * ROWS * WIDTH * 2
    for ranks in drawn((2, 3), 2):
        clear()
        said = good(run(ranks, "-c", PYTHON, GRAPH + "v%d.h5", program=sys.executable))
        numbers = [int(word) for word in re.findall(r"read (\d+)", said)]
        same((len(numbers), sum(numbers)), (2 * ranks, 2 * frames))
        same(sorted(files("v")), ["v0.h5", "v1.h5"])
        check(files("v")["v1.h5"] == whole["v1.h5"], "other bytes")


def test_one_line_of_progress():
    clear()
    status, out, error = run(3, *arguments("volume.h5", "--progress=json"))
    same((status, error), (0, ""))
    lines = [line for line in out.splitlines() if '"end"' in line or '"done"' in line]
    same(len(lines), 1)
    clear()


def test_errors_are_told_once():
    for words, status, message in drawn((
            (arguments("v.h5", graph="read path=none.h5 ! write path="), 1, "none.h5"),
            (arguments("v.h5", graph="read path=scan.h5 ! no-such-node ! write path="), 2, "no-such-node"),
            (arguments("v.h5", "--device=cl:77"), 2, "cl:77"),
            (arguments("v.png", graph="read path=scan.h5 ! preview path="), 2, "several ranks cannot write to this"),
            (arguments("stack.tif"), 2, "several ranks cannot write to this"),
            (arguments("v.h5", "--mpi=perhaps"), 2, "--mpi wants auto, on or off")), 3):
        clear()
        found, out, error = run(2, *words)
        told = [line for line in error.splitlines() if line.startswith("sinograph: ")]
        check(found == status, (found, error))
        check(len(set(told)) == 1 and message in told[0], error)
        same(files("v.h5"), {})


def test_the_reason_is_never_lost():
    """mpirun ends all ranks as soon as one has failed."""
    for attempt in range(4 * KILLS if THOROUGH else 3):
        status, out, error = run(3, "run", "none.json")
        told = [line for line in error.splitlines() if line.startswith("sinograph: ")]
        check(status == 2 and len(told) == 1 and "none.json" in told[0], error)


def test_unlike_ranks():
    """Runs that are not the same: each of them says so, and none makes half of another's."""
    in_turn(1, 3)
    for words, message in (("read path=scan.h5 ! flat-field ! reconstruct axis=3$r ! write path=v.h5", "another graph"),
                           ("read path=scan.h5 ! flat-field ! reconstruct axis=30 ! write path=v$r.h5", "another graph")):
        done = subprocess.run(["mpirun", "-n", "2", "sh", "-c", f'r=$OMPI_COMM_WORLD_RANK; exec "$0" launch -q "{words}"',
                               PROGRAM], env={**os.environ, **MPI}, capture_output=True, text=True, timeout=60)
        check(done.returncode == 1 and f"rank 1 has {message} than the first rank: give --mpi=off" in done.stderr, done)
        same(files("v"), {})
    done = has_opencl() and run(2, *arguments("v.h5", device="cl:0,native", memory=LEAST + 300))
    check(not done or done[0] == 1 and "rank 1 has other kernels than the first rank" in done[2], done)
    same(files("v"), {})
    for rank in "01":
        Path(f"at{rank}").mkdir(exist_ok=True)
        shutil.copy2("scan.h5", f"at{rank}")
    done = subprocess.run(["mpirun", "-n", "2", "sh", "-c", f'cd at$OMPI_COMM_WORLD_RANK; exec "$0" launch -q "{GRAPH}v.h5"',
                           PROGRAM], env={**os.environ, **MPI}, capture_output=True, text=True, timeout=60)
    check(done.returncode == 1 and "rank 1 has other outputs than the first rank" in done.stderr, done)
    for rank in "01":
        same([path.name for path in Path(f"at{rank}").iterdir()], ["scan.h5"])
        shutil.rmtree(f"at{rank}")


def test_dead_pixels_are_told():
    """No rank sees all of them, and people read the first one's words."""
    in_turn(2, 3)
    clear()
    graph = GRAPH.replace("scan.h5", "dead.h5")
    with h5py.File("scan.h5") as scan, h5py.File("dead.h5", "w") as dead:
        for name in scan:
            scan.copy(name, dead)
        dead.visititems(lambda name, each: each.__setitem__((..., slice(0, 10)), 0)
                        if name.endswith("data_white") else None)
    error = call(*arguments("v.h5", graph=graph))[2]
    clear()
    told = run(3, *arguments("v.h5", graph=graph))[2]
    check("detector pixels" in error and "are dead" in error, error)
    same([line for line in told.splitlines() if "dead" in line], [line for line in error.splitlines() if "dead" in line])
    clear()
    Path("dead.h5").unlink()


def test_devices_that_cannot_be_shared_evenly():
    need_opencl()
    whole = alone("volume.h5", device="cl", memory=LEAST + 300)
    for devices in drawn(("pthread pthread pthread", "pthread pthread", "pthread"), 3):
        clear()
        said = good(run(2, *arguments("volume.h5", "--stats", device="cl", memory=LEAST + 300), POCL_DEVICES=devices))
        same(len(items(said)), 2)
        check(files("volume.h5") == whole, f"{devices}: other bytes")
    clear()


def test_a_program_of_mpi():
    """It initialises MPI and ends it, which is not our end of it."""
    in_turn(0, 3)
    clear()
    head = """
import atexit, ctypes
mpi = ctypes.CDLL("libmpi.so.40", mode=ctypes.RTLD_GLOBAL)
level = ctypes.c_int()
mpi.MPI_Init_thread(None, None, 3, ctypes.byref(level))
atexit.register(mpi.MPI_Finalize)
"""
    said = good(run(2, "-c", head + PYTHON, GRAPH + "v%d.h5", program=sys.executable))
    same(len(re.findall("read ", said)), 4)
    same(sorted(files("v")), ["v0.h5", "v1.h5"])
    done = run(2, "-c", head.replace("None, 3", "None, 2") + PYTHON, GRAPH + "w%d.h5", program=sys.executable)
    check(done[0] != 0 and "MPI_THREAD_MULTIPLE" in done[2], done)
    clear()


def test_alone():
    clear()
    status, _, error = call(*arguments("volume.h5", "--mpi=on"))
    check(status == 2 and "mpirun or srun did not start this process" in error, error)


def test_off():
    """Each rank runs by itself: one of them writes, the other says so, or both had their turn."""
    clear()
    status, out, error = run(2, *arguments("slices/%05i.tif", "--mpi=off"))
    check("slices in" in out or "another run" in error or "exists" in error, (status, out, error))
    whole = files("slices/%05i.tif")
    check(status != 0 or len(whole) == ROWS, status)
    clear()


def children(running):
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(running.pid)], capture_output=True, text=True).stdout
    return [int(word) for word in listed.split()]


def finished(output):
    rows = 0
    for journal in [*Path().glob(f"{output.split()[0]}.journal*")]:
        try:
            lines = journal.read_text().splitlines()
        except FileNotFoundError:  # its rank is through
            continue
        for line in lines:
            numbers = list(map(int, line.split()[2:])) if " rows " in line else []
            rows += sum(end - begin for begin, end in zip(numbers[::2], numbers[1::2]))
    return rows


def test_kills():
    """A rank dies, or all do; another number of ranks goes on, and the bytes are the same."""
    dice = random.Random(11)
    all_of_them = 0
    for output in drawn(OUTPUTS, 3):
        whole = alone(output)
        kills = in_the_middle = 0
        while kills < KILLS or (all_of_them + in_the_middle == 0 and kills < 20):
            kills += 1
            clear()
            running = started(dice.choice((2, 3, 4)), *arguments(output, "--resume"))
            begin = time.monotonic()
            wanted = dice.randrange(ROWS // 2)
            while running.poll() is None and finished(output) < wanted and time.monotonic() < begin + 60:
                time.sleep(0.01)
            ranks = children(running)
            if ranks:
                for pid in ranks if dice.random() < 0.3 else [dice.choice(ranks)]:
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
            running.communicate(timeout=60)
            in_the_middle += 0 < finished(output) < ROWS
            if running.returncode != 0:
                ranks = dice.choice((1, 2, 4))
                words = arguments(output, "--resume")
                good(run(ranks, *words) if ranks > 1 else call(*words))
            made = files(output)
            for name in [name for name in made if name.endswith(".journal")]:
                del made[name]
            if "/" in output:
                Path("slices/%05i.tif.journal").unlink(missing_ok=True)
            check(made == whole, f"{output}: other bytes, {sorted(made)}")
        print(f"# {output}: {in_the_middle} of {kills} killed in the middle")
        all_of_them += in_the_middle
    check(all_of_them > 0, "none was killed in the middle")
    clear()


def test_a_rank_that_fails():
    """The disk of one rank is full: all end, one message, nothing half-written."""
    clear()
    if not FAULTS:
        return
    for rank in drawn(range(3), 3):
        status, out, error = run(3, *arguments("volume.h5"), struck=rank, rules="pwrite path=volume nth=3 error=28")
        check(status == 1, (status, out, error))
        told = [line for line in error.splitlines() if line.startswith("sinograph: ")]
        by = f"rank {rank} (" if rank > 0 else "sinograph: 'write'"
        check(len(told) == 1 and by in told[0] and "No space left on device" in told[0], error)
        same(files("volume.h5"), {})


def test_a_rank_that_cannot_be_trusted():
    """What one of them has found to be wrong stays nowhere, and no run goes on with it."""
    if not (FAULTS and has_opencl()):
        return
    for output in drawn(("slices/%05i.tif", "volume.h5"), 2):
        options = {"device": "cl", "memory": LEAST + 300}
        alone(output, **options)  # which finds out what kernels there are
        for more in [], ["--resume"]:
            if more:  # a run that has made all, and did not come to say so
                good(run(1, *arguments(output, *more, **options)))
                journal = Path(output + ".journal")
                journal.write_text("".join(line for line in journal.read_text().splitlines(True) if not line.endswith(" ended\n")))
            status, out, error = run(2, *arguments(output, f"--verify={ROWS}", *more, **options), struck=1,
                                     rules="clEnqueueNDRangeKernel spoil=1 path=back")
            check(status == 1, (status, out, error))
            told = [line for line in error.splitlines() if "is not reliable" in line]
            check(len(told) == 1 and told[0].startswith("sinograph: rank 1 ("), error)
            same(list(files(output)) if Path(output).parent.exists() else [], [])
    clear()


def test_interrupted():
    clear()
    running = started(2, *arguments("volume.h5"))
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=30)
    check(running.returncode != 0 or files("volume.h5"), running.returncode)
    left = [path for path in Path().glob("v*") if path.name != "volume.h5"]
    if running.returncode != 0:
        same(left, [])
    clear()


def test_all_is_there():
    clear()
    good(run(2, *arguments("volume.h5", "--resume")))
    said = good(run(3, *arguments("volume.h5", "--resume")))
    with h5py.File("volume.h5") as file:
        shapes = []
        file.visititems(lambda _, each: shapes.append(getattr(each, "shape", ())))
        check((ROWS, WIDTH, WIDTH) in shapes, shapes)
    same(sorted(files("volume.h5")), ["volume.h5", "volume.h5.journal"])
    clear()


tap.main(globals())
