#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Frames pushed into a run and blocks pulled out of it, against runs of files and arrays."""
import os
import tempfile
import threading
import time

import h5py
from pushed import *

import tap
from tap import check, raises, same

Code = Sino.Error


# --- what arrives ---

def test_frames_arrive_as_they_were_pushed():
    for dtype, element in ((numpy.uint8, "u8"), (numpy.uint16, "u16"), (numpy.float16, "f16"), (numpy.float32, "f32")):
        frames = counts(23, numpy.uint16).astype(dtype)
        scan = Scan(frames=23)
        scan.graph.set("app-source", "element", element)
        scan.begin()
        push_each(scan.source, frames[:5])
        scan.source.push(frames[5:19].tobytes())
        owner = push_owned(scan.source, frames[19:])
        same((scan.pull_all() == frames).all(), True)
        same(scan.source.get_frames_pushed(), 23)
        check(owner is not None, "")


def test_a_watchdog_lets_a_program_take_its_time():
    frames = counts(6)
    scan = Scan(frames=6)
    scan.runner.props.watchdog = 1
    scan.begin()
    push_each(scan.source, frames[:3])
    time.sleep(3)
    push_each(scan.source, frames[3:])
    check((scan.pull_all() == frames).all(), "values differ")


def test_frames_pushed_before_the_run_wait_for_it():
    frames = counts(7)
    scan = Scan(frames=7)
    push_each(scan.source, frames)
    same((scan.source.get_current_level_buffers(), scan.source.get_current_level_bytes()), (7, frames.nbytes))
    check((scan.begin().pull_all() == frames).all(), "values differ")
    same(scan.source.get_current_level_bytes(), 0)


def test_as_many_frames_as_come():
    frames = counts(31)
    scan = Scan().begin()
    push_each(scan.source, frames)
    scan.source.end_of_stream()
    check((scan.pull_all() == frames).all(), "values differ")


def test_frames_beyond_max_bytes_are_gathered_in_a_scratch_file():
    frames = counts(31)
    scan = Scan(max_bytes=10 * N * N * 2).begin()
    scan.source.push(frames[:4].tobytes())
    push_each(scan.source, frames[4:])
    scan.source.end_of_stream()
    check((scan.pull_all() == frames).all(), "values differ")


def file_run(frames, angles, darks, flats, axis):
    """The slices that a run of a file makes."""
    with tempfile.TemporaryDirectory() as folder:
        with h5py.File(f"{folder}/scan.h5", "w") as file:
            file["exchange/data"], file["exchange/theta"] = frames, angles
            file["exchange/data_dark"], file["exchange/data_white"] = darks, flats
        sink = ArraySink()
        graph = graph_of("read", "flat-field", "reconstruct", sink)
        graph.set("read", "path", f"{folder}/scan.h5")
        graph.set("reconstruct", "axis", axis)
        Sino.Runner(device="native").run(graph, None)
        return sink.array


def reconstruct(projections, angles, come, lose=(), axis="auto", **properties):
    darks, flats = counts(2, seed=2) // 200, numpy.full((3, N, N), 21000, numpy.uint16)
    scan = Scan("flat-field", "reconstruct", **properties)
    scan.graph.set("reconstruct", "axis", axis)
    scan.source.set_geometry(Sino.Geometry.new(angles))
    scan.source.push_darks(darks.tobytes())
    scan.source.push_flats(flats.tobytes())
    scan.begin()
    for number in come:
        if number not in lose:
            scan.source.push_frame(projections[number].tobytes(), number, angles[number])
    scan.source.end_of_stream()
    left = [number for number in come if number not in lose]
    got, want = scan.pull_all(), file_run(projections[left], angles[left], darks, flats, axis)
    same(got.shape, want.shape)
    check((got == want).all(), f"slices differ from those of a file by {abs(got - want).max()}")


def test_slices_are_those_of_a_file():
    frames, angles = counts(60), numpy.linspace(0, 180, 60, endpoint=False)
    # Nothing looks for the axis in a stream that is seen once.
    reconstruct(frames, angles, range(60), frames=60, axis="23.8")
    reconstruct(frames, angles, range(60), axis="23.8")
    reconstruct(frames, angles, range(60), own_angles=True)


def test_darks_and_flats_from_files():
    frames, darks = counts(9), counts(3, seed=3) // 200
    flats, volumes = numpy.full((2, N, N), 21000, numpy.uint16), []
    with tempfile.TemporaryDirectory() as folder:
        with h5py.File(f"{folder}/more.h5", "w") as file:
            file["darks"], file["flats"] = darks, flats
        for from_files in (False, True):
            scan = Scan("flat-field", frames=9)
            if from_files:
                for port, name in enumerate(("darks", "flats"), 1):
                    scan.graph.add_node("read", name)
                    scan.graph.set(name, "path", f"{folder}/more.h5")
                    scan.graph.set(name, "dataset", name)
                    scan.graph.connect(name, "flat-field", port)
            else:
                scan.source.push_darks(darks.tobytes())
                scan.source.push_flats(flats.tobytes())
            push_each(scan.source, frames)
            volumes.append(scan.begin().pull_all())
    check((volumes[0] == volumes[1]).all(), "values differ")


def test_a_scan_that_ends_early_is_one_with_fewer_projections():
    frames, angles = counts(60), numpy.linspace(0, 200, 60, endpoint=False)
    reconstruct(frames, angles, range(53), frames=60, short_scan=1)
    reconstruct(frames, angles, range(60), lose={7, 8, 31}, frames=60, missing=2)
    reconstruct(frames, angles, range(57), lose={0, 31}, frames=60, missing=2, short_scan=1)


def test_a_scan_that_ends_early_fails_unless_it_may():
    for properties in ({}, {"max_bytes": 4 * N * N * 2}):
        scan = Scan(frames=30, **properties).begin()
        push_each(scan.source, counts(20))
        scan.source.end_of_stream()
        raises(Code.FAILED, "no more blocks come: the run failed: 'app-source': the scan ended after 20 of 30 frames: "
                            "set short-scan=finish", pull_until_error, scan)


def test_a_frame_that_is_lost_ends_the_run():
    scan = Scan(frames=30).begin()
    for number in (0, 1, 4):
        scan.source.push_frame(counts(1).tobytes(), number, 0)
    raises(Code.FAILED, "frames 2 to 3 are lost: set missing=skip", pull_until_error, scan)
    raises(Code.LOST_FRAME, "frames 2 to 3 are lost", scan.end)


# --- memory ---

def test_pushed_memory_is_not_copied_and_is_released():
    frames = numpy.zeros((40, 512, 512), numpy.uint16)
    scan = Scan(frames=40, rows=512, columns=512, sink_bytes=2 * LARGE.nbytes)  # the run waits for what is pulled
    released = []
    owner = Owner(frames)
    owner.weak_ref(lambda: released.append(True))
    scan.source.push_owned(frames.ctypes.data, frames.nbytes, owner)
    del owner
    scan.begin()
    first = scan.sink.pull()
    start, end = frames.ctypes.data, frames.ctypes.data + frames.nbytes
    check(not start <= first.get_address() < end, "the sink gives memory that is not the run's")
    check(not released, "released while blocks are in use")
    del first
    scan.pull_all()
    same(released, [True])

    seen = []  # by a task between them
    taker = Calls(Sino.Flow.SINK, process=lambda inputs, output: seen.append(inputs[0].get_address()) or True)
    source = Sino.AppSource(rows=512, columns=512, frames=40)
    push_owned(source, frames)
    run(source, taker)
    same(seen, [start + i * 512 * 512 * 2 for i in range(40)])


def test_the_whole_stream_in_one_block():
    frames = counts(20, numpy.float32)
    for chain, want in ([], frames), ([Affine(factor=2)], frames * 2), (["transpose"], numpy.swapaxes(frames, 1, 2)):
        scan = Scan(*chain, frames=20, whole=True)
        scan.graph.set("app-source", "element", "f32")
        scan.begin()
        push_each(scan.source, frames)
        block = scan.sink.pull()
        check(scan.sink.pull() is None, "there is another block")
        scan.end()
        same(values_of(block).dtype, want.dtype)
        check((values_of(block) == want).all(), "values differ")


def test_a_program_that_holds_all_that_it_may_holds_up_the_run():
    scan, frame = Scan(frames=60, rows=512, columns=512, sink_bytes=8 * LARGE.nbytes), LARGE.nbytes
    scan.begin()
    pusher = threading.Thread(target=push_each, args=(scan.source, [LARGE] * 60))
    pusher.start()
    held = [scan.sink.pull() for _ in range(8)]
    same((scan.sink.get_held_bytes(), scan.sink.get_current_level_bytes()), (8 * frame, 0))
    same(scan.sink.try_pull(200000), None)
    raises(Code.MEMORY, "the program holds 4.0 MiB of blocks, the limit of max-bytes", scan.sink.pull)
    held.pop()
    held.append(scan.sink.pull())
    scan.sink.props.max_bytes = 10 * frame  # while it runs
    held.pop()
    held += [scan.sink.pull() for _ in range(3)]
    same(scan.sink.get_held_bytes(), 10 * frame)
    held.clear()
    scan.pull_all()
    pusher.join()


def test_bounds_of_what_waits():
    frame, bytes = N * N * 2, counts(1).tobytes()
    scan = Scan(max_bytes=3 * frame, block=False)
    for _ in range(3):
        scan.source.push(bytes)
    raises(Code.MEMORY, f"no room for {frame} bytes of frames: {3 * frame} bytes wait", scan.source.push, bytes)
    same(scan.source.try_push(bytes), False)
    scan.source.props.max_bytes = 4 * frame
    same(scan.source.try_push(bytes), True)
    scan.source.props.max_buffers = 4
    scan.source.props.max_bytes = 0
    same(scan.source.try_push(bytes), False)
    same(scan.source.get_frames_pushed(), 4)
    for leaky, left in ((1, [0, 1]), (2, [3, 4])):
        frames = counts(5)
        scan = Scan(max_buffers=2, leaky_type=leaky, missing=2)
        push_each(scan.source, frames)
        same((scan.source.get_frames_pushed(), scan.source.get_frames_dropped()), (5, 3))
        scan.source.end_of_stream()
        check((scan.begin().pull_all() == frames[left]).all(), "other frames were dropped")


def test_a_push_waits_for_room():
    scan = Scan(max_bytes=2 * N * N * 2, frames=9)
    frames, done = counts(9), []
    pusher = threading.Thread(target=lambda: (push_each(scan.source, frames), done.append(True)))
    pusher.start()
    time.sleep(0.1)
    same((done, scan.source.get_current_level_buffers()), ([], 2))
    check((scan.begin().pull_all() == frames).all(), "values differ")
    pusher.join()


tap.main(globals())
