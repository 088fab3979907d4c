#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Pushed frames that come in any order, twice, late or not at all. Costs 2 s."""
import random

from pushed import *

import tap
from tap import check, raises, same

Code = Sino.Error
SKIP, INTERPOLATE = 2, 1


def push_numbers(source, frames, numbers):
    for number in numbers:
        source.push_frame(frames[number].tobytes(), number, 0)


def test_any_order_within_the_window():
    frames = counts(120)
    for seed in range(3):
        numbers = list(range(120))
        mixed = random.Random(seed)
        numbers.sort(key=lambda number: number + mixed.uniform(0, 30))
        for properties in ({"frames": 120}, {}):  # which are handed on at once, or gathered first
            scan = Scan(order=1, window=40, **properties).begin()
            push_numbers(scan.source, frames, numbers)
            scan.source.end_of_stream()
            check((scan.pull_all() == frames).all(), "frames are not in their place")
            same((scan.source.get_missing(), scan.source.get_frames_repeated(), scan.source.get_frames_late()), ([], 0, 0))


def test_repeated_and_late_frames_are_counted():
    frames = counts(12)
    scan = Scan(order=1, window=3, missing=SKIP)
    push_numbers(scan.source, frames, [0, 2, 2, 1, 1, 3, 6, 7, 8, 4, 9, 9, 10, 11])  # 4 and 5 are lost with 8
    same((scan.source.get_frames_repeated(), scan.source.get_frames_late(), scan.source.get_missing()), (3, 1, [4, 5]))
    same(scan.source.get_frames_pushed(), 10)
    scan.source.end_of_stream()
    check((scan.begin().pull_all() == frames[[0, 1, 2, 3, 6, 7, 8, 9, 10, 11]]).all(), "other frames were left out")


def test_lost_frames_are_named():
    frames = counts(12)
    for numbers, words in (([0, 1, 4, 5], "frames 2 to 3 are lost"), ([0, 1, 3], "frame 2 is lost"), ([3, 4], "frames 0 to 2 are lost")):
        for properties in ({"frames": 12}, {}, {"frames": 12, "short_scan": 1}):
            scan = Scan(order=1, **properties).begin()
            push_numbers(scan.source, frames, numbers)
            scan.source.end_of_stream()
            raises(Code.LOST_FRAME, f"'app-source': {words}: set missing=skip", finish_pulling, scan)
            same(scan.source.get_missing(), [number for number in range(max(numbers)) if number not in numbers])


def finish_pulling(scan):
    try:
        scan.pull_all()
    except GLib.Error:
        scan.end()  # its error is that of the run
        raise


def test_scans_that_end_early_have_an_error_of_their_own():
    for properties in ({"frames": 30}, {"frames": 30, "order": 1, "missing": INTERPOLATE}):
        scan = Scan(**properties).begin()
        push_numbers(scan.source, counts(20), range(20))
        scan.source.end_of_stream()
        raises(Code.SHORT_SCAN, "the scan ended after 20 of 30 frames", finish_pulling, scan)


def test_interpolation():
    frames = counts(12)
    for dtype, element in ((numpy.uint8, "u8"), (numpy.uint16, "u16"), (numpy.float16, "f16"), (numpy.float32, "f32")):
        some = (frames / 100).astype(dtype)
        want = some.copy()
        want[:2] = some[2]
        first, last = some[5].astype(float), some[8].astype(float)
        for number, share in ((6, 1 / 3), (7, 2 / 3)):
            between = first + share * (last - first)
            want[number] = numpy.round(between) if dtype in (numpy.uint8, numpy.uint16) else between
        come = [number for number in range(12) if number not in (0, 1, 6, 7)]
        for properties in ({"frames": 12}, {}, {"own_angles": True}):
            scan = Scan(missing=INTERPOLATE, **properties)
            scan.graph.set("app-source", "element", element)
            scan.begin()
            for number in come:
                scan.source.push_frame(some[number].tobytes(), number, 2.0 * number)
            scan.source.end_of_stream()
            got = scan.pull_all()
            same(got.shape, want.shape)
            near = numpy.abs(got.astype(float) - want.astype(float)).max()
            check(near <= (1 if dtype == numpy.uint8 or dtype == numpy.uint16 else .5 if dtype == numpy.float16 else 1e-3),
                  f"{element}: differ by {near}")
            check((got[come] == some[come]).all(), "frames that came are changed")


def test_early_frames_do_not_fill_all_room():
    """One thread pushes; the frame that all wait for is never there when there is no more room."""
    frames = counts(9)
    scan = Scan(order=1, max_buffers=3, missing=SKIP, frames=9).begin()
    push_numbers(scan.source, frames, range(1, 9))
    scan.source.end_of_stream()
    same((scan.pull_all() == frames[1:]).all(), True)
    same(scan.source.get_missing(), [0])


def test_frames_of_the_program_are_not_copied():
    frames = numpy.zeros((3, 512, 512), numpy.uint16)
    frames[:] = numpy.arange(1, 4)[:, None, None]
    scan = Scan(order=1, frames=3)
    scan.source.props.rows = scan.source.props.columns = 512
    owners = [Owner(frame) for frame in frames]
    gone = []
    for owner in owners:
        owner.weak_ref(lambda: gone.append(True))
    scan.begin()
    for number in (2, 0, 1):
        scan.source.push_owned_frame(frames[number].ctypes.data, frames[number].nbytes, number, 0, owners[number])
    owners.clear()
    del owner
    check((scan.pull_all() == frames).all(), "values differ")
    same(len(gone), 3)


def test_misuse():
    source, frame = Sino.AppSource(rows=N, columns=N, frames=4, order=1), counts(1).tobytes()
    raises(Code.FAILED, "frame 4 was pushed, but the scan has 4 frames", source.push_frame, frame, 4, 0)
    raises(Code.BAD_FORMAT, "more than one frame", source.push_frame, frame * 2, 0, 0)
    source.push(frame * 2)
    source.push_frame(frame, 0, 0)  # again
    same((source.get_frames_repeated(), source.get_frames_pushed(), source.get_missing()), (1, 2, []))
    source.begin()
    same((source.get_frames_repeated(), source.get_missing()), (0, []))
    rising = Sino.AppSource(rows=N, columns=N)
    rising.push_frame(frame, 3, 0)
    same(rising.get_missing(), [0, 1, 2])
    raises(Code.LOST_FRAME, "numbers must increase, unless order=any", rising.push_frame, frame, 2, 0)


tap.main(globals())
