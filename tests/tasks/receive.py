#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Frames over ZeroMQ: every protocol, any order, and what is lost. Costs 10 s."""
import functools
import os
import random
import socket
import subprocess
import time

from network import *

PROTOCOLS = {"array-1.0": array, "concert": concert, "recastx": recastx, "sls": sls, "odin": odin, "eiger-2": eiger}
N = 40
FRAMES = counts(N)


def messages(numbers, protocol=array, frames=FRAMES):
    return [protocol(number, frames[number]) for number in numbers]


def is_same(got, want):
    check(got.dtype == want.dtype and got.shape == want.shape and (got == want).all(), "other frames came out")


def test_protocols():
    for name, protocol in (*PROTOCOLS.items(), ("eiger-2", untagged)):
        for word in name, "auto":
            got, said = received(messages(range(N), protocol), f"frames={N} protocol={word}")
            is_same(got, FRAMES)
            same(said, [])


def test_known_and_unknown_sizes_and_numbers():
    end = [cbor((55799, {"type": "end"}))]
    start = [cbor((55799, {"type": "start", "number_of_images": N, "goniometer": {"omega": {"start": -5.0, "increment": 0.5}}}))]
    for protocol, begin, ends in (array, [], [END]), (eiger, [start], []), (eiger, [], [end]):
        for words in "", f"rows={ROWS} columns={COLUMNS} element=u16":
            is_same(received([*begin, *messages(range(N), protocol), *ends], words)[0], FRAMES)
    with h5py.File(path("received.h5")) as file:
        check(numpy.allclose(file["/exchange/theta"], numpy.arange(N) * 180 / N), "without a start, angles span half a turn")
    received([start, *messages(range(N), eiger)], "")
    with h5py.File(path("received.h5")) as file:
        check(numpy.allclose(file["/exchange/theta"], -5 + 0.5 * numpy.arange(N)), "angles of the start message")


def test_types():
    for dtype, stream in (("uint8", "u1"), ("float16", "f2"), ("float32", "f4"), ("uint32", "f4"), ("int16", "f4"), ("float64", "f4")):
        frames = (counts(6) % 200).astype(dtype)
        is_same(received(messages(range(6), frames=frames), "frames=6")[0], frames.astype(stream))
    swapped = [array(i, frame.byteswap(), endianness="big") for i, frame in enumerate(FRAMES)]
    is_same(received(swapped, f"frames={N}")[0], FRAMES)


def test_any_order():
    for seed in range(3):
        mixed = random.Random(seed)
        numbers = sorted(range(N), key=lambda number: number + mixed.uniform(0, 15))
        for words in f"frames={N}", "frames=0":
            got, said = received([*messages(numbers), END], f"{words} order=any window=20")
            is_same(got, FRAMES)
            same(said, [])


def test_many_frames_in_any_order():
    mixed = random.Random(4)
    numbers = sorted(range(10000), key=lambda number: number + mixed.uniform(0, 100))
    frames = counts(10000)
    got, said = received(messages(numbers, frames=frames), "frames=10000 order=any window=100")
    is_same(got, frames)
    same(said, [])


def test_rising_numbers():
    refused(Code.LOST_FRAME, "frame 3 was pushed after frame 5: numbers must increase, unless order=any", messages([0, 1, 2, 4, 5, 3]), f"frames={N} missing=interpolate")
    for words in f"frames={N}", f"frames={N} missing=skip":
        got, said = received(messages([0, 0, 1, 2, 2, *range(3, N)]), words)
        is_same(got, FRAMES)
        same(said, ["2 frames came again"])
    # Numbers that begin elsewhere.
    shifted = [array(number + 700, FRAMES[number]) for number in range(N)]
    for first in "700", "-1":
        is_same(received(shifted, f"frames={N} first={first}")[0], FRAMES)


LOST = 3, 4, 11, 20, 21, 22, 39


def test_lost_frames():
    numbers = [number for number in range(N) if number not in LOST]
    for words in f"frames={N}", f"frames={N} order=any window=5":
        refused(Code.LOST_FRAME, "'receive': frames 3 to 4 are lost: set missing=skip", messages(numbers), words)
    got, said = received([*messages(numbers), END], "missing=skip")
    is_same(got, FRAMES[numbers])
    same(said, ["lost frames: 3 to 4, 11, 20 to 22"])  # nobody has told of 39
    got, said = received([*messages(numbers), END], f"frames={N} missing=interpolate short-scan=finish")
    same(said, ["lost frames: 3 to 4, 11, 20 to 22"])
    kept = [number for number in range(39) if number not in LOST]
    is_same(got[kept], FRAMES[kept])
    between = (FRAMES[10].astype(float) + FRAMES[12]) / 2
    check(abs(got[11] - between).max() <= 0.5, "frame 11 is not between its neighbours")


def test_repeated_and_late_frames():
    got, said = received([*messages([0, 1, 1, 2, 5, 9, 3, 6, 7, 8, 10, 11]), END], "order=any window=4 missing=skip")
    is_same(got, FRAMES[[0, 1, 2, 5, 6, 7, 8, 9, 10, 11]])
    same(said, ["lost frames: 3 to 4", "1 frame came again", "1 frame came too late: raise 'window'"])


def test_the_end_of_a_scan_with_lost_frames():
    """What decides about them is `missing`, whatever shows that the scan is over, and not time."""
    numbers = [number for number in range(N) if number != 35]
    damaged = [header(htype="array-1.0", shape=(ROWS, COLUMNS), type="uint16", frame=N - 1), b"xx"]
    for sent, words, kept, bad in (
            (messages(numbers), "order=any timeout=0.5", numbers, 35),  # the last number came before the time was over
            ([*messages(range(N - 1)), damaged], "timeout=0", range(N - 1), N - 1),
            ([*messages(range(N - 1)), damaged], "timeout=0 order=any", range(N - 1), N - 1),
            ([*messages(range(N - 1), sls), sls(N - 1, FRAMES[0], complete=0)], "timeout=0", range(N - 1), N - 1),
            ([*messages(range(N - 1), eiger), [eiger(N - 1, FRAMES[0])[0][:-9]]], "timeout=0", range(N - 1), N - 1),
            (messages(range(N - 1)) + [array(N, FRAMES[0])], "timeout=0", range(N - 1), N - 1),
            (messages(numbers) + [array(38 + N, FRAMES[0])], "timeout=0 order=any window=40", numbers, 35)):
        got, said = received(sent, f"frames={N} missing=skip {words}")
        is_same(got, FRAMES[list(kept)])
        same(said[0], f"lost frames: {bad}")
        got, _ = received(sent, f"frames={N} missing=interpolate {words}")
        same(len(got), N)
        is_same(got[list(kept)], FRAMES[list(kept)])
        refused(Code.LOST_FRAME, f"frame {bad} is lost", sent, f"frames={N} {words}")


def test_a_wait_for_lost_frames_is_told_of():
    for words, wanted in (("order=any timeout=0", "a frame that is lost among the last ones is waited for without end: set timeout"), ("order=any", ""), ("timeout=0", "")):
        _, said = received(messages(range(N)), f"frames={N} missing=interpolate {words}")
        check(len(said) == bool(wanted) and all(wanted in text for text in said), f"{words}: {said}")


def test_frames_of_another_size():
    """They are lost frames, also where the last one is of them, and messages that are no frames are none."""
    mixed = messages(range(N))
    for number in (5, 6, N - 1):
        mixed[number] = array(number, counts(1, shape=(ROWS, 8))[0])
    mixed[10] = array(10, FRAMES[10].astype(numpy.float32))
    mixed.insert(20, [b"{}"])
    mixed.insert(25, [b"not JSON", b"x"])
    mixed.insert(0, array(N + 3, FRAMES[0]))
    kept = [number for number in range(N) if number not in (5, 6, 10, N - 1)]
    for words in f"frames={N}", f"frames={N} order=any":
        got, said = received(mixed, f"{words} missing=skip")
        is_same(got, FRAMES[kept])
        same(said, ["lost frames: 5 to 6, 10, 39",
                    f"4 frames of another size or type were left out; the first: frame 5, {ROWS} x 8 u16",
                    f"1 frame with a number outside the scan was left out; the first: frame {N + 3}",
                    "2 messages could not be read; the first: the header has no 'frame'"])
        refused(Code.LOST_FRAME, "frames 5 to 6 are lost", mixed, words)


def test_frames_without_all_pixels():
    mixed = messages(range(N), sls)
    mixed[7] = sls(7, FRAMES[7], complete=0)
    got, said = received(mixed, f"frames={N} missing=skip")
    is_same(got, FRAMES[[number for number in range(N) if number != 7]])
    same(said, ["lost frames: 7", "1 frame came without all of its pixels; the first: frame 7, as its sender says"])


def test_scans_that_end_early():
    refused(Code.SHORT_SCAN, "'receive': the scan ended after 30 of 40 frames: set short-scan=finish", [*messages(range(30)), END], f"frames={N}")
    is_same(received([*messages(range(30)), END], f"frames={N} short-scan=finish")[0], FRAMES[:30])
    # Nothing tells the end but time.
    refused(Code.SHORT_SCAN, "for 0.3 s (timeout), after 30 projections", messages(range(30)), f"frames={N} timeout=0.3")
    is_same(received(messages(range(30)), f"frames={N} short-scan=finish timeout=0.3")[0], FRAMES[:30])
    refused(Code.SHORT_SCAN, "the scan ended before its first frame", [END], "")
    refused(Code.SHORT_SCAN, "for 0.2 s (timeout), after 0 projections", [], "timeout=0.2")


def test_darks_and_flats():
    darks, flats = counts(3, seed=2), counts(5, seed=3)
    everything = numpy.concatenate([darks, flats, FRAMES])
    by_number = [array(i, frame) for i, frame in enumerate(everything)]
    mixed = sorted(by_number, key=lambda message, r=random.Random(1): by_number.index(message) + r.uniform(0, 4))
    by_field = [recastx(i, frame, kind) for kind, frames in enumerate((darks, flats, FRAMES)) for i, frame in enumerate(frames)]
    for sent, words in ((by_number, "darks=3 flats=5"), (mixed, "darks=3 flats=5 order=any"), (by_field, "")):
        for more in f"frames={N}", f"frames={N} short-scan=finish":
            got, said = received(sent, f"{words} {more}")
            is_same(got, FRAMES)
            same(said, [])
            with h5py.File(path("received.h5")) as file:
                same(sorted(file["/exchange/data_dark"][:].sum((1, 2))), sorted(darks.sum((1, 2))))
                same(sorted(file["/exchange/data_white"][:].sum((1, 2))), sorted(flats.sum((1, 2))))
    _, said = received(by_number[1:3] + by_number[5:], f"darks=3 flats=5 frames={N}")
    same(said, ["3 of 8 darks and flats did not come"])
    behind = [*by_field[:-10], recastx(5, flats[0], 1), *by_field[-10:]]
    same(received(behind, f"frames={N}")[1], ["1 dark or flat came behind the first projection, and is not used; the first: a flat"])


def test_darks_without_end():
    """They wait in memory, so `max-bytes` bounds them; darks and flats that the node knows of have their room besides."""
    darks = [recastx(0, FRAMES[0], 0)] * 9
    limit = f"max-bytes={8 * FRAMES[0].nbytes}"
    refused(Code.MEMORY, "9 darks and flats have come, and no projection: more than max-bytes=3840 can hold; raise max-bytes", darks, limit)
    for words in limit, "max-bytes=1 darks=9":
        is_same(received([*darks[words == limit:], *messages(range(N), recastx)], f"frames={N} {words}")[0], FRAMES)


def test_angles():
    angles = [random.Random(i).uniform(0, 180) for i in range(N)]
    got, _ = received([array(i, frame, theta=angles[i]) for i, frame in enumerate(FRAMES)], f"frames={N} angle-field=theta")
    is_same(got, FRAMES)
    with h5py.File(path("received.h5")) as file:
        check(numpy.allclose(file["/exchange/theta"], angles), "angles are not those of the headers")


def test_messages_that_cannot_be_read():
    for message, words, wanted in (([b"hello"], "", "protocol=auto: line 1, column 1"), ([header(frame=1)], "", "a header of no protocol that is known"),
                                   (array(0, FRAMES[0]), "protocol=concert", "protocol=concert: the header has no 'frame-number'")):
        refused(Code.BAD_FORMAT, wanted, [message], f"frames={N} {words}")
    refused(Code.BAD_FORMAT, f"the first frame is {ROWS} x {COLUMNS} u16, but rows, columns and element say {ROWS} x 8 f32", messages(range(N)),
            f"frames={N} columns=8 element=f32")


def test_addresses():
    for words, wanted in (("", "'receive': set address to where frames come from"), ("address=nonsense", "address=nonsense: cannot be connected to: Invalid argument"),
                          ("address=xyz://a:1", "address=xyz://a:1: cannot be connected to: Protocol not supported"),
                          ("address=inproc://a", "address=inproc://a: nothing in this process is there"),
                          ("address=tcp://nowhere:1 bind=true", "address=tcp://nowhere:1: cannot be bound: No such device")):
        raises(Code.BAD_PROPERTY, wanted, lambda: Run(f"receive {words} ! null").end())
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        raises(Code.BAD_PROPERTY, f"address={address}: cannot be bound: Address already in use", lambda: Run(f"receive address={address} bind=true ! null").end())


def free_address():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{free.getsockname()[1]}"


def test_senders_that_publish_or_connect():
    with Sender(messages(range(N)), kind=zmq.XPUB, room=100) as sender:
        is_same(receive(sender, f"socket=sub frames={N}")[0], FRAMES)
    address = free_address()
    with Sender([*messages(range(N)), END], address) as sender:
        is_same(receive(sender, "bind=true")[0], FRAMES)


def test_the_file_of_an_ipc_address():
    """It goes with the node, unless another one has the address."""
    file = Path(path("frames.ipc"))
    first = Run(f"receive address=ipc://{file} bind=true ! null")
    while not file.exists():
        time.sleep(0.01)
    inode = file.stat().st_ino
    second = Run(f"receive address=ipc://{file} bind=true ! null")
    while not file.exists() or file.stat().st_ino == inode:
        time.sleep(0.01)
    first.cancel()
    check(file.exists(), "the file of another node is gone")
    second.cancel()
    check(not file.exists(), "a file is left behind")


def test_cancel_while_it_waits():
    """For a first frame, and for one more."""
    for i in range(200 if "SINO_TEST_THOROUGH" in os.environ else 20):
        with Sender(messages(range(i % 3 * 5))) as sender:
            run = Run(f"receive address={sender.address} {'frames=40' if i % 2 else ''} ! null")
            time.sleep(i % 5 * 0.01)
            run.cancel()


def test_a_graph_runs_again():
    with Sender([]) as sender:
        run = Run(f"receive address={sender.address} frames={N} ! write path={path('again.h5')} overwrite=true")
        run.cancel()
    for seed in range(2):
        frames = counts(N, seed=seed)
        with Sender(messages(range(N), frames=frames)) as sender:
            run.graph.set("receive", "address", sender.address)
            Sino.Runner(device="native").run(run.graph, None)
        with h5py.File(path("again.h5")) as file:
            is_same(file["/exchange/data"][:], frames)


def test_plans_before_the_first_frame():
    graph = Sino.Graph.new_from_launch("receive address=tcp://127.0.0.1:9 frames=20 darks=2 flats=2 ! flat-field ! reconstruct ! null")
    raises(Code.BAD_FORMAT, "set rows, columns and element for a plan before that", Sino.Runner(device="native").plan, graph)
    for name, value in (("rows", 16), ("columns", 32), ("element", "u16")):
        graph.set("receive", name, value)
    check(Sino.Runner(device="native").plan(graph)["passes"], "there is no plan")


# Pulls slowly, and tells what memory the plan and the process have taken, in bytes.
SLOW = """
import sys, time, gi
gi.require_version("Sino", "1.0")
from gi.repository import Sino
sink, runner = Sino.AppSink(max_bytes=1 << 22), Sino.Runner(device="native")
graph = Sino.Graph.new_from_launch(f"receive address={sys.argv[1]} frames={sys.argv[2]} max-bytes=33554432 {sys.argv[3]}")
graph.add_task(sink, "sink")
graph.connect("receive", "sink", 0)
runner.run_async(graph, None, None)
for number in range(int(sys.argv[2])):
    time.sleep(0.02 if number < 50 else 0)
    assert (sink.pull().get_data()[:2] == number.to_bytes(2, "little")), number
with open("/proc/self/status") as status:
    peak = next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))
print(int(runner.get_statistics()["planned-memory"]), peak)
"""


def test_memory_with_a_slow_consumer():
    """Frames wait at the sender, and none is lost."""
    spare = 64 << 20
    channels = functools.partial(eiger, channels=6)  # of which one is used
    for protocol, number, words in (array, 300, ""), (array, 300, "rows=1024 columns=1024 element=u16"), (channels, 200, ""):
        size = 512 if protocol is channels else 1024
        many = (protocol(i, numpy.full((size, size), i, numpy.uint16)) for i in range(number))
        with Sender(many) as sender:
            done = subprocess.run([sys.executable, "-c", SLOW, sender.address, str(number), words], capture_output=True, text=True)
        same((done.returncode, done.stderr), (0, ""))
        planned, peak = map(int, done.stdout.split())
        check(peak <= planned + spare, f"{peak >> 20} MiB were taken, {planned >> 20} were planned")


main(globals())
