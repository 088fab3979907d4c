# SPDX-License-Identifier: LGPL-3.0-or-later
"""What introspection cannot know of Sinograph: arrays, iteration, asyncio, and exceptions of tasks in Python.

PyGObject loads this with the namespace. Nothing here needs NumPy before an array is asked for.
"""
from __future__ import annotations

import ctypes
import functools
import gc
import math
import threading
import traceback
import types
import weakref
from typing import overload

from gi.module import get_introspection_module
from gi.overrides import override
from gi.overrides._sino_frames import NAMES, TYPES, Frames, contiguous, error, keep
from gi.overrides._sino_runs import Run, connected
from gi.repository import GLib

Sino = get_introspection_module("Sino")
__all__ = ["Run"]

_ELEMENTS = {Sino.Element.U8: "u8", Sino.Element.U16: "u16", Sino.Element.F16: "f16", Sino.Element.F32: "f32"}
_BYTES = (bytes, bytearray, memoryview)
_COPIED_AT_ONCE = 16 << 20  # bytes: the copy of an array may be more than may wait


class _Memory:
    """What NumPy makes a view of, and what keeps the block as long as the view."""

    def __init__(self, block, address, writable):
        self.block = block
        self.__array_interface__ = {"version": 3, "shape": tuple(block.get_shape()), "data": (address, not writable),
                                    "typestr": TYPES[_ELEMENTS[block.get_element()]]}


class Buffer(Sino.Buffer):
    def numpy(self) -> Array:
        """The values as an array that shares the block's memory and keeps it; writable where a task is to fill it."""
        import numpy

        memory = self.__dict__.get("_memory", lambda: None)()
        if memory is None:
            writable = self.is_writable()
            address = self.get_pointer() if writable else self.get_address()
            if not address:
                raise error(Sino.Error.MEMORY, "no memory for the block")
            memory = _Memory(self, address, writable)
            if writable:
                self._memory = weakref.ref(memory)  # so that it is known whether one is kept
        return numpy.asarray(memory)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        import numpy

        values = numpy.asarray(self.numpy(), dtype)
        return values.copy() if copy else values

    def _is_kept_as_array(self):
        kept = self.__dict__.get("_memory", lambda: None)
        if kept() is not None:
            gc.collect()  # it may only hang in a circle
        return kept() is not None


Buffer = override(Buffer)


class Graph(Sino.Graph):
    @classmethod
    def launch(cls, line: str) -> Graph:
        """The graph of a launch line, as in "read path=scan.h5 ! flat-field ! reconstruct"."""
        return cls.new_from_launch(line)

    def __getitem__(self, node: str) -> Any:
        return self.get_task(node)

    def __contains__(self, node: object) -> bool:
        return node in self.list_nodes()

    def __iter__(self) -> Iterator[str]:
        return iter(self.list_nodes())

    def set(self, node: str, property: str | None = None, value: Any = None, **properties: Any) -> bool:
        """Sets properties of a node and raises where a value is not valid: set("reconstruct", axis=521, mask=True)."""
        if property is not None:
            properties = {property: value, **properties}
        for name, one in properties.items():
            name = name.replace("_", "-")
            if isinstance(one, str):
                super().set(node, name, one)
            else:
                super().set_value(node, name, one)
        return True


Graph = override(Graph)


# --- frames and blocks of the program ---

class AppSource(Sino.AppSource):
    def _frames(self, array, without_copy=False):
        """The frames of an array, once it is known that they fit; the first array says what a frame is."""
        frames = Frames(array)
        rows, columns, element = self.props.rows, self.props.columns, self.props.element.value_nick
        first = rows == 0 and columns == 0
        if first:
            rows, columns = frames.shape[-2:]
            if element == "u16":  # else the program has said what it is
                element = next((name for name, kind in TYPES.items() if kind == frames.type), element)
        if frames.type != TYPES[element]:
            raise error(Sino.Error.BAD_FORMAT, f"the array's values are '{frames.type}', and element={element} wants "
                        f"'{TYPES[element]}': push array.astype (numpy.{NAMES[element]})")
        if frames.shape[-2:] != (rows, columns):
            raise error(Sino.Error.BAD_FORMAT, f"an array of shape {frames.shape} holds no frames of {rows} x "
                        f"{columns}: its last axes have to be rows and columns")
        if not (frames.dense if without_copy else frames.ordered):
            why = "their rows and columns are not in C's order"
            if without_copy:
                why = "the values of a frame do not lie one after the other"
            instead = ", or copy with push" if without_copy and frames.ordered else ""
            raise error(Sino.Error.BAD_FORMAT, f"{why}: push numpy.ascontiguousarray (array){instead}")
        if first:
            self.props.element, self.props.rows, self.props.columns = element, rows, columns
        return frames

    def push(self, frames: FramesLike, *, number: int | None = None, angle: float | None = None) -> bool:
        """Pushes a copy of a frame or frames: an array (row, column) or (frame, row, column), or bytes."""
        if number is not None or angle is not None:
            return super().push_frame(self._bytes(frames), -1 if number is None else number,
                                      math.nan if angle is None else angle)
        if isinstance(frames, _BYTES):
            return super().push(bytes(frames))
        found = self._frames(frames)
        if not found.dense:
            found = Frames(contiguous(frames))
        for address, size in found.pieces(_COPIED_AT_ONCE if self.props.block else found.bytes * found.count):
            copy = (ctypes.c_char * size)()
            ctypes.memmove(copy, address, size)
            super().push_owned(ctypes.addressof(copy), size, keep(copy))
        return True

    def push_owned(self, frames: FramesLike | int, length: int | None = None,
                   owner: GObject.Object | None = None) -> bool:
        """Pushes a frame or frames without a copy: the array is kept, and must not change, until the run used it."""
        if length is not None:
            return super().push_owned(frames, length, owner)
        found, keeper = self._frames(frames, without_copy=True), keep(frames)
        for address, size in found.pieces(found.bytes * found.count):
            super().push_owned(address, size, keeper)
        return True

    def try_push(self, frames: FramesLike) -> bool:
        return super().try_push(self._bytes(frames))

    def push_frame(self, frame: FramesLike, number: int = -1, angle: float = math.nan) -> bool:
        return super().push_frame(self._bytes(frame), number, angle)

    def push_darks(self, frames: FramesLike) -> bool:
        return super().push_darks(self._bytes(frames))

    def push_flats(self, frames: FramesLike) -> bool:
        return super().push_flats(self._bytes(frames))

    def _bytes(self, frames):
        if isinstance(frames, _BYTES):
            return bytes(frames)
        found = self._frames(frames)
        if not found.dense or found.step != found.bytes:
            found = Frames(contiguous(frames))
        return ctypes.string_at(found.address, found.bytes * found.count)


AppSource = override(AppSource)


class AppSink(Sino.AppSink):
    def __iter__(self) -> Iterator[Buffer]:
        """The blocks until the end of the stream, none of which the iterator keeps."""
        return iter(self.pull, None)


AppSink = override(AppSink)


# --- tasks ---

_calls = threading.local()  # the tasks whose functions are under way in a thread


def _described(exception):
    """An exception with its traceback, which begins in the task."""
    own = exception.__traceback__.tb_next
    summary = "".join(traceback.format_exception_only(type(exception), exception)).strip()
    return f"{summary}\n{''.join(traceback.format_exception(type(exception), exception, own)).rstrip()}"


def _guarded(function, gives_format):
    """A function of a task whose exceptions become the run's error, and which need not say that all went well.

    Nor need that of a sink give a format, which nobody reads.
    """

    @functools.wraps(function)
    def guarded(self, *arguments):
        under_way = _calls.__dict__.setdefault("tasks", [])
        if any(task is self for task in under_way):
            return function(self, *arguments)  # called by that of a subclass, which may catch what is raised
        under_way.append(self)
        try:
            result = function(self, *arguments)
        except GLib.Error:
            raise
        except BaseException as exception:  # sys.exit would wait for the run, which waits for this
            raise error(Sino.Error.FAILED, _described(exception)) from None
        finally:
            under_way.pop()
        if function.__name__ == "do_process" and arguments[1] is not None and arguments[1]._is_kept_as_array():
            raise error(Sino.Error.FAILED, "do_process keeps an array of the block that it filled, which other nodes "
                        "read now: keep a copy, as output.numpy ().copy ()")
        if result is None and gives_format and self.get_flow() == Sino.Flow.SINK:
            return arguments[0][0]
        return True if result is None and not gives_format else result

    return guarded


class Task(Sino.Task):
    """A node written in Python may say in its class what it is, in place of calls when an object is made:

    flow (a Sino.Flow), inputs and optional_inputs (tuples of names), replicable (calls may overlap), live_properties
    (names of those that may be set during a run), and live: a source that gives whole projections once and in order, as
    a detector delivers them, and that do_unlock wakes; open_ended: it may give fewer of them.
    """
    flow: Flow
    inputs: tuple[str, ...]
    optional_inputs: tuple[str, ...]
    replicable: bool
    live: bool
    open_ended: bool
    live_properties: tuple[str, ...]

    def __init_subclass__(cls, **keywords):
        super().__init_subclass__(**keywords)
        for name in ("do_negotiate", "do_start", "do_process", "do_finish"):
            function = cls.__dict__.get(name)
            if isinstance(function, types.FunctionType):
                setattr(cls, name, _guarded(function, name == "do_negotiate"))
        if getattr(cls, "live", None) is True and getattr(cls, "flow", None) not in (
                Sino.Flow.SOURCE, Sino.Flow.SOURCE_ONCE):
            raise TypeError(f"{cls.__name__} is live, but not a source: live = True wants flow = Sino.Flow.SOURCE")

    def __init__(self, **properties):
        super().__init__(**properties)
        said = type(self)
        flow = getattr(said, "flow", None)
        if isinstance(flow, Sino.Flow):
            self.set_flow(Sino.Flow.SOURCE_ONCE if getattr(said, "live", None) is True else flow)
        if isinstance(getattr(said, "inputs", None), tuple):
            self.set_inputs(list(said.inputs), list(getattr(said, "optional_inputs", ())))
        if getattr(said, "replicable", None) is True:
            self.set_replicable(True)
        self.set_open_ended(getattr(said, "open_ended", None) is True)
        self.set_live(list(getattr(said, "live_properties", ())))


Task = override(Task)


# --- runs ---

class Runner(Sino.Runner):
    def run(self, graph: Graph, cancellable: Gio.Cancellable | None = None, *, progress: Progress | None = None,
            message: Message | None = None) -> bool:
        """Runs a graph and tells progress (fraction, slices, of slices, seconds) and message (node, level, text)."""
        handlers = connected(self, progress, message)
        try:
            return super().run(graph, cancellable)
        finally:
            for handler in handlers:
                self.disconnect(handler)

    @overload
    def run_async(self, graph: Graph, cancellable: Gio.Cancellable | None = None, callback: None = None, *,
                  progress: Progress | None = None, message: Message | None = None) -> Run: ...

    @overload
    def run_async(self, graph: Graph, cancellable: Gio.Cancellable | None, callback: Callable[..., Any],
                  *data: Any) -> None: ...

    def run_async(self, graph, cancellable=None, callback=None, *data, progress=None, message=None):
        """Begins a run and returns it, to be awaited, waited for or used as a context.

        With asyncio progress and message are called in the loop's thread, else in one of the run's. With a callback,
        this is the function of C, which gives the result to it in the thread's main context.
        """
        if callback is not None:
            return super().run_async(graph, cancellable, callback, *data)
        return Run(self, graph, cancellable, progress, message)


Runner = override(Runner)
