#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Arrays that go into a run and come out of it, with and without a copy."""
import gc
import subprocess
import sys
import tempfile
import types
import weakref

import h5py
from pushed import *

import tap
from tap import check, raises, same

Code = Sino.Error
ELEMENT_OF = {"uint8": "u8", "uint16": "u16", "float16": "f16", "float32": "f32"}


def together(blocks, arrays=None):
    """The stream that blocks are of, each value of which is in one of them."""
    arrays = arrays or [block.numpy() for block in blocks]
    whole = numpy.zeros(blocks[0].get_format().get_shape(), arrays[0].dtype)
    taken = numpy.zeros(whole.shape, int)
    for block, array in zip(blocks, arrays):
        whole[region_of(block)] = array
        taken[region_of(block)] += 1
    check((taken == 1).all(), "values are in none of the blocks or in two")
    return whole


def passed_through(push, frames, element="u16", **properties):
    """What comes out of a graph that does nothing."""
    source, sink = Sino.AppSource(frames=len(frames), **properties), Sino.AppSink()
    graph = graph_of(source, sink)
    graph.set("app-source", element=element)
    push(source)
    with Sino.Runner(device="native").run_async(graph):
        return together(list(sink))


def test_arrays_of_every_type():
    for name, element in ELEMENT_OF.items():
        frames = counts(5).astype(name)
        for push in (lambda source: source.push(frames), lambda source: source.push_owned(frames),
                     lambda source: [source.push(frame) for frame in frames],
                     lambda source: source.push(frames.tobytes())):
            got = passed_through(push, frames, element, rows=N, columns=N)
            same(got.dtype, frames.dtype)
            check((got == frames).all(), "values differ")


def test_the_first_array_says_what_a_frame_is():
    frames = counts(4).astype(numpy.float32)
    source = Sino.AppSource()
    source.push_darks(frames[0, :20])
    same((source.props.rows, source.props.columns, source.props.element.value_nick), (20, N, "f32"))
    raises(Code.BAD_FORMAT, "an array of shape (48, 48) holds no frames of 20 x 48: its last axes have to be rows and "
                            "columns", source.push, frames[0])
    stated = Sino.AppSource(element=0)  # u8
    raises(Code.BAD_FORMAT, "the array's values are '<f4', and element=u8 wants '|u1': push array.astype (numpy.uint8)",
           stated.push, frames)
    same(stated.props.rows, 0)


def test_strides_between_frames():
    whole = counts(12)
    for view in (whole[::3], whole[:, 8:40], whole[::-2], numpy.broadcast_to(whole[0], (3, N, N)), whole[2:3, :, :]):
        for name in ("push", "push_owned", "push_darks"):
            source = Sino.AppSource()
            getattr(source, name)(view)
        got = passed_through(lambda source: source.push(view), view)
        check((got == view).all(), "values differ")
        got = passed_through(lambda source: source.push_owned(view), view)
        check((got == view).all(), "values differ")


def test_layouts_that_cannot_be_taken():
    frames = counts(3)
    source = Sino.AppSource(rows=N, columns=N // 2)
    cut = frames[:, :, : N // 2]  # rows do not follow each other
    raises(Code.BAD_FORMAT, "the values of a frame do not lie one after the other: push numpy.ascontiguousarray (array)"
                            ", or copy with push", source.push_owned, cut)
    check((passed_through(lambda source: source.push(cut), cut) == cut).all(), "values differ")
    for turned in (frames[:, : N // 2].swapaxes(1, 2), frames[:, :, : N // 2][:, ::-1]):
        for push in (source.push, source.push_owned):
            raises(Code.BAD_FORMAT, "push numpy.ascontiguousarray (array)", push, turned)
    raises(Code.BAD_FORMAT, "element=u16 wants '<u2': push array.astype (numpy.uint16)", source.push, cut.astype(int))
    raises(Code.BAD_FORMAT, "'>u2'", source.push, cut.astype(">u2"))
    raises(Code.BAD_FORMAT, "an array of shape (24,) is not a frame (row, column)", source.push, cut[0, 0])
    raises(Code.BAD_FORMAT, "an array of shape (0, 48, 24) is not a frame", source.push_owned, cut[:0])
    for thing in ([1, 2], "text", None):
        try:
            source.push(thing)
        except TypeError as error:
            check("frames are an array or bytes, not" in str(error), error)
        else:
            raise AssertionError(f"{thing} was taken")
    same(source.get_frames_pushed(), 0)


def test_numbers_and_angles():
    frames, angles = counts(6), [0, 30, 60, 90, 120, 150]
    source, sink = Sino.AppSource(frames=6, own_angles=True, missing=2), Sino.AppSink()
    for number in (0, 1, 3, 5):
        source.push(frames[number], number=number, angle=angles[number])
    source.end_of_stream()
    with Sino.Runner(device="native").run_async(graph_of(source, sink)):
        blocks = list(sink)
    check((together(blocks) == frames[[0, 1, 3, 5]]).all(), "values differ")
    same([round(angle) for angle in blocks[0].get_format().get_geometry().get_angles()], [0, 30, 90, 150])
    source = Sino.AppSource(own_angles=True)
    raises(Code.BAD_FORMAT, "the angle of a frame is nan", lambda: source.push(frames[0], number=0))
    raises(Code.BAD_FORMAT, "are more than one frame", lambda: source.push(frames, number=0))


def test_without_room():
    frames = counts(4)
    source = Sino.AppSource(max_buffers=1, block=False)
    source.push(frames)
    raises(Code.MEMORY, "no room for", source.push, frames)
    same(source.try_push(frames[0]), False)
    same(source.get_frames_pushed(), 4)


def place_of(block):
    """Where a block lies, without the block."""
    facts = {name: getattr(block, name)() for name in ("get_format", "get_shape", "get_rows", "get_first_angle")}
    return types.SimpleNamespace(**{name: lambda fact=fact: fact for name, fact in facts.items()})


class Addresses(Sino.Task):
    """A sink that keeps arrays of all that it takes, and no block."""
    flow = Sino.Flow.SINK

    def __init__(self):
        super().__init__()
        self.arrays, self.places = [], []

    def do_process(self, inputs, output):
        self.places.append(place_of(inputs[0]))
        self.arrays.append(inputs[0].numpy())


def address_of(array):
    return array.__array_interface__["data"][0]


def test_a_scan_goes_in_and_a_volume_comes_out_without_a_copy():
    n = 128
    angles = numpy.linspace(0, 180, n, endpoint=False)
    x = numpy.arange(n) - n / 2 + 0.5
    frames = (20000 * numpy.exp(-numpy.sqrt(numpy.maximum(2500 - x**2, 0)) / n)).astype(numpy.float32)
    frames = numpy.broadcast_to(frames, (n, n, n)) + angles[:, None, None].astype(numpy.float32)
    frames = numpy.repeat(frames, 4, axis=2)  # frames of 256 KiB come one by one

    def volume_of(head):
        sink, seen = Sino.AppSink(whole=True), Addresses()
        graph = graph_of(head, "minus-log", "reconstruct", sink)
        graph.add_task(seen, "seen")
        graph.connect(graph.list_nodes()[0], "seen", 0)
        graph.set("reconstruct", axis=255.5)
        if head == "read":
            graph.set("read", path=f"{folder}/scan.h5")
        else:
            head.set_geometry(Sino.Geometry.new(angles))
            head.push_owned(frames)
        with Sino.Runner(device="native").run_async(graph):
            block = sink.pull()
            check(sink.pull() is None, "there is another block")
        return block, seen.arrays

    block, seen = volume_of(Sino.AppSource(frames=n))
    same([address_of(array) for array in seen], [address_of(frame) for frame in frames])
    volume = block.numpy()
    same((volume.shape, volume.dtype, volume.flags.writeable), ((n, 4 * n, 4 * n), numpy.float32, False))
    same(address_of(volume), block.get_address())
    check(numpy.shares_memory(volume, block.numpy()), "there are two arrays")

    with tempfile.TemporaryDirectory() as folder:
        with h5py.File(f"{folder}/scan.h5", "w") as file:
            file["exchange/data"], file["exchange/theta"] = frames, angles
        want = volume_of("read")[0].numpy()
    check(volume.tobytes() == want.tobytes(), f"slices differ from those of a file by {abs(volume - want).max()}")


def test_views_keep_what_they_show():
    frames, want = numpy.ones((40, 512, 512), numpy.uint16), numpy.ones((512, 512), numpy.uint16)
    released = []
    source, seen = Sino.AppSource(frames=40), Addresses()
    weakref.finalize(frames, released.append, True)
    source.push_owned(frames)
    first = address_of(frames)
    del frames
    Sino.Runner(device="native").run(graph_of(source, seen))
    gc.collect()
    same((released, len(seen.arrays)), ([], 40))
    same(address_of(seen.arrays[0]), first)
    check(all((array == want).all() for array in seen.arrays), "memory was given to others")
    del seen.arrays[:-1]
    gc.collect()
    same(released, [])
    last = seen.arrays.pop()[0, 7]  # a view of the view
    gc.collect()
    check((last == 1).all() and not released, "it lost its memory")
    del last
    gc.collect()
    same(released, [True])


def test_views_of_blocks_of_a_pool_stay():
    data = scan(angles=2000, rows=40, columns=50)
    seen = Addresses()
    Sino.Runner(device="native", memory="600M").run(graph_of(ArraySource(data), seen))
    check(len(seen.arrays) > 2, "the stream was not cut into blocks, so nothing was tried")
    check((together(seen.places, seen.arrays) == data).all(), "memory was given to others")


def test_views_of_a_stream_that_lies_in_one_block():
    """What a task keeps of it stays, also where the memory is the sink's."""
    data, whole, seen = scan(angles=200, rows=40, columns=50), Sino.AppSink(whole=True), Addresses()
    graph = graph_of((ArraySource(data), "scan"), (whole, "whole"))
    graph.add_task(seen, "seen")
    graph.connect("scan", "seen", 0)
    with Sino.Runner(device="native").run_async(graph):
        block = whole.pull()
    check((block.numpy() == data).all(), "values differ")
    del block
    check((together(seen.places, seen.arrays) == data).all(), "memory was given to others")


def test_arrays_of_new_blocks():
    for name in ELEMENT_OF:
        kind = ELEMENTS[numpy.dtype(name)]
        block = Sino.Buffer.new(Sino.Format.new_slices(kind, 2, 3, 4, None))
        array = block.numpy()
        same((array.shape, array.dtype.name, array.flags.writeable), ((2, 3, 4), name, True))
        array[1, 2, 3] = 7
        same(numpy.frombuffer(block.get_data(), name)[-1], 7)
        same(numpy.asarray(block).sum(), 7)
        same(numpy.asarray(block, dtype=float).dtype, float)
        del block
        same(array[1, 2, 3], 7)


def test_iteration():
    source, sink = Sino.AppSource(frames=9), Sino.AppSink()
    frames = numpy.arange(9 * 512 * 512, dtype=numpy.uint32).astype(numpy.uint16).reshape(9, 512, 512)
    source.push_owned(frames)
    sink.props.max_bytes = 2 * frames[0].nbytes
    seen = []
    with Sino.Runner(device="native").run_async(graph_of(source, sink)):
        for block in sink:
            seen.append(block.get_first_angle())
            check((block.numpy() == frames[seen[-1]]).all(), "values differ")
            check(sink.get_held_bytes() <= frames[0].nbytes, "the iterator holds blocks")
            del block
    same(seen, list(range(9)))
    same(list(sink), [])


def test_numpy_is_asked_for_late():
    code = ("import sys, gi; gi.require_version('Sino', '1.0'); from gi.repository import Sino\n"
            "source = Sino.AppSource(rows=2, columns=2); source.push(bytes(8))\n"
            "graph = Sino.Graph.launch('simulate ! null'); Sino.Runner(device='native').run(graph)\n"
            "assert 'numpy' not in sys.modules, 'numpy was loaded'")
    subprocess.run([sys.executable, "-c", code], check=True)


tap.main(globals())
