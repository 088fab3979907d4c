# SPDX-License-Identifier: LGPL-3.0-or-later
"""Graphs, their nodes, and frames and blocks of the program."""
from __future__ import annotations

import ctypes
import itertools
import math
import os
import time
import warnings
from typing import Any, Iterator, NamedTuple

import numpy

from . import _arrays, _library as lib
from ._errors import Code, Doubt, Error
from ._geometry import Geometry
from ._runs import Object, Run, new_runner, setting, text
from ._waits import in_slices, run_of


class Node(Object):
    """A node of a graph. node["size"] gives the value of a property, node["size"] = 5 sets it."""

    def __init__(self, graph, name):
        super().__init__(lib.ref(lib.graph_task(graph._pointer, name.encode())))
        self._graph, self.name = graph, name
        self.plugin = lib.graph_plugin(graph._pointer, name.encode()).decode()

    def __getitem__(self, property: str) -> Any:
        property = property.replace("_", "-")
        klass = ctypes.cast(self._pointer, ctypes.POINTER(lib.P))[0]
        spec = lib.find_property(klass, property.encode())
        if not spec:
            raise Error(f"'{self.name}' has no property '{property}'", Code.BAD_PROPERTY, self.name, property)
        value = lib.GValue()
        lib.value_init(ctypes.byref(value), lib.GParamSpec.from_address(spec).value_type)
        lib.get_property(self._pointer, property.encode(), ctypes.byref(value))
        try:
            return from_value(value)
        finally:
            lib.value_unset(ctypes.byref(value))

    def __setitem__(self, property: str, value: Any) -> None:
        self._graph.set(self.name, **{property: value})


class Source(Node):
    """The node app-source: takes the frames of a scan, from any thread.

    Frames are an array (row, column), or several (frame, row, column), of uint8, uint16, float16 or float32. The first
    ones say what rows, columns and element are, where these are not set.
    """

    def _fit(self, frames):
        array = _arrays.prepared(frames)
        if array.ndim not in (2, 3):
            raise Error(f"an array of shape {array.shape} is no frame (row, column), nor frames (frame, row, column)",
                        Code.BAD_FORMAT, self.name)
        rows, columns, element = self["rows"], self["columns"], self["element"]
        if rows == 0 and columns == 0:
            rows, columns = array.shape[-2:]
            element = _arrays.NAMES[_arrays.element_of(array)]
            self._graph.set(self.name, rows=rows, columns=columns, element=element)
        if array.shape[-2:] != (rows, columns):
            raise Error(f"an array of shape {array.shape} holds no frames of {rows} x {columns}: its last axes have to "
                        "be rows and columns", Code.BAD_FORMAT, self.name)
        if element != _arrays.NAMES[_arrays.element_of(array)]:
            wanted = _arrays.TYPES[_arrays.NAMES.index(element)]
            raise Error(f"the values are {array.dtype}, and element={element} wants {wanted}: push array.astype "
                        f"(numpy.{wanted})", Code.BAD_FORMAT, self.name, "element")
        return array

    def push(self, frames, *, copy: bool = True, number: int | None = None, angle: float | None = None) -> None:
        """Pushes frames, and waits for room. Without a copy the array must not change before the run has used it.

        number: of the frame in the scan, from 0, where frames may be lost or come in any order; angle: in degrees, with
            own-angles=true.
        """
        array = self._fit(frames)
        if number is not None or angle is not None:
            self._wait_for_room(array.nbytes)
            about = -1 if number is None else number, math.nan if angle is None else angle
            if copy:
                lib.source_push_frame(self._pointer, array.ctypes.data, array.nbytes, *about)
            else:
                address, size, release, owner = _arrays.lend(array)
                lib.source_push_owned_frame(self._pointer, address, size, *about, release, owner)
            return
        if not copy:
            self._wait_for_room(array.nbytes)
            lib.source_push_owned(self._pointer, *_arrays.lend(array))
            return
        block = self["block"]
        for part in array if array.ndim == 3 else [array]:
            if block:
                self._wait(lambda seconds, part=part: self._try(part, seconds))
            else:
                lib.source_push(self._pointer, part.ctypes.data, part.nbytes)

    def _try(self, part, seconds):
        if lib.source_try_push(self._pointer, part.ctypes.data, part.nbytes):
            return True
        time.sleep(seconds / 10)
        return None

    def _has_room(self, size):
        """Whether a push does not wait; also where it says what is wrong, or drops frames."""
        most, buffers = self["max-bytes"], self["max-buffers"]
        level, count = lib.source_level(self._pointer), lib.source_buffers(self._pointer)
        full = level > 0 and ((most > 0 and level + size > most) or 0 < buffers <= count)
        return not full or not self["block"] or self["leaky-type"] != "none"

    def _wait_for_room(self, size):
        def room(seconds):
            if self._has_room(size):
                return True
            time.sleep(seconds / 10)
            return None
        self._wait(room)

    def _wait(self, attempt):
        in_slices(attempt, self._graph, self.name, f"'{self.name}' is full, and no run takes its frames: start () one "
                  "before, raise max-bytes and max-buffers, or push from a thread")

    def _add(self, frames, kind):
        array = self._fit(frames)
        lib.source_add[kind](self._pointer, array.ctypes.data, array.nbytes)

    def push_darks(self, frames) -> None:
        """Adds darks, before the run begins. They stay for later scans."""
        self._add(frames, "darks")

    def push_flats(self, frames) -> None:
        """Adds flats, taken at the projection that comes next, before the run begins. They stay for later scans."""
        self._add(frames, "flats")

    def set_geometry(self, geometry: Geometry | None) -> None:
        """Says where the rays run, with an angle for each projection."""
        if geometry is not None and not isinstance(geometry, Geometry):
            raise TypeError(f"geometry: a sinograph.Geometry is wanted, or None, not a {type(geometry).__name__}")
        lib.source_geometry(self._pointer, geometry._pointer if geometry is not None else None)

    def end(self) -> None:
        """Says that no more frames come."""
        lib.source_end(self._pointer)

    def begin(self) -> None:
        """Begins the next scan."""
        lib.source_begin(self._pointer)
        _arrays.sweep()

    @property
    def pushed(self) -> int:
        """Frames of this scan that were pushed, dropped ones included."""
        return lib.source_pushed(self._pointer)

    @property
    def dropped(self) -> int:
        """Frames of this scan that were dropped, as there was no room."""
        return lib.source_dropped(self._pointer)

    @property
    def repeated(self) -> int:
        """Frames of this scan that came again and were left out, with order=any."""
        return lib.source_repeated(self._pointer)

    @property
    def late(self) -> int:
        """Frames of this scan that came when they were lost already."""
        return lib.source_late(self._pointer)

    @property
    def missing(self) -> list[int]:
        """Numbers of the frames of this scan that are lost, at most the first 65536."""
        count = lib.SIZE()
        numbers = lib.source_missing(self._pointer, count)
        try:
            return list((lib.I64 * count.value).from_address(numbers)) if numbers else []
        finally:
            lib.free(numbers)


class Block(NamedTuple):
    """A part of a stream: its values, the numbers of its rows (of slices: z), and of its first angle."""
    array: numpy.ndarray
    rows: list
    first_angle: int


class Sink(Node):
    """The node app-sink: gives the blocks of a stream. Iterate over it for arrays, or over blocks ()."""

    def pull_block(self) -> Block | None:
        """The next block, or None after the last one. Waits for it."""
        got = in_slices(self._try, self._graph, self.name, f"no run fills '{self.name}': start () one before")
        return got[0]

    def _try(self, seconds):
        run = run_of(self._graph)
        if run is not None:
            run.note_taker(self.name)
        block = lib.sink_pull(self._pointer, int(seconds * 1e6))
        if not block:
            return (None,) if lib.sink_ended(self._pointer) else None
        count = lib.SIZE()
        rows = lib.numbers(lib.buffer_rows(block, ctypes.byref(count)), count)
        angle = lib.buffer_angle(block)
        return (Block(_arrays.from_block(block), rows, angle),)

    def pull(self) -> numpy.ndarray | None:
        """The values of the next block, or None after the last one. The array is the memory of the block, no copy."""
        block = self.pull_block()
        return None if block is None else block.array

    def blocks(self) -> Iterator[Block]:
        """The blocks until the end of the stream."""
        return iter(self.pull_block, None)

    def __iter__(self) -> Iterator[numpy.ndarray]:
        return (block.array for block in self.blocks())


class Graph(Object):
    """Nodes and edges between them: Graph ("read path=scan.h5 ! flat-field ! reconstruct ! write path=slices.h5")."""

    def __init__(self, line: str | None = None) -> None:
        super().__init__(lib.graph_new() if line is None else lib.graph_from_launch(text("line", line)))

    @classmethod
    def from_json(cls, json: str) -> Graph:
        """The graph of a text in JSON, one of Sinograph or of UFO."""
        return cls._of(lib.graph_from_json(text("json", json)))

    @classmethod
    def from_file(cls, path: str | os.PathLike) -> Graph:
        """The graph of a JSON file, one of Sinograph or of UFO."""
        return cls._of(lib.graph_from_file(os.fsencode(path)))

    @classmethod
    def _of(cls, pointer):
        made = cls.__new__(cls)
        Object.__init__(made, pointer)
        return made

    def to_json(self) -> str:
        """The graph as JSON. Properties that have their default value are left out."""
        return lib.text(lib.graph_to_json(self._pointer))

    def save(self, path: str | os.PathLike) -> None:
        """Writes the graph to a JSON file that does not exist yet."""
        lib.graph_save(self._pointer, os.fsencode(path))

    def add(self, plugin: str, name: str | None = None, **properties: Any) -> str:
        """Adds a node of the registry and gives its name. A property that is wrong leaves no node behind."""
        numbered = itertools.chain([plugin], (f"{plugin}-{i}" for i in itertools.count(2)))
        name = name or next(free for free in numbered if free not in self)
        apart = Graph()
        made = lib.graph_add_node(apart._pointer, text("plugin", plugin), text("name", name))
        apart.set(made.decode(), **properties)
        return lib.graph_add_task(self._pointer, lib.graph_task(apart._pointer, made), made).decode()

    def add_array(self, array, kind: str = "projections", name: str = "array", *, geometry: Geometry | None = None,
                  darks=None, flats=None) -> str:
        """Adds a source that gives an array, in place where its type and order are the library's, and gives its name.

        kind: "projections" (angle, row, column), "sinograms" (row, angle, column) or "slices" (z, y, x). darks, flats:
        arrays (frame, row, column), or a tuple of those before and after the projections, of the array's type.
        """
        from ._sources import array_source

        source = array_source(_arrays.prepared(array), kind, geometry, darks, flats)
        return lib.graph_add_task(self._pointer, source._pointer, text("name", name)).decode()

    def connect(self, source: str, target: str, input: int = 0) -> None:
        """Makes an edge from the output of a node to an input of another."""
        lib.graph_connect(self._pointer, source.encode(), target.encode(), input)

    def set(self, node: str, **properties: Any) -> None:
        """Sets properties of a node: set ("reconstruct", axis=521, mask=True). `_` stands for `-`.

        While a run of the graph goes on, it takes live properties at once. Of others, which count for the next run, a
        warning says so (sinograph.Doubt).
        """
        run = run_of(self)
        for name, value in properties.items():
            live = run is not None and name.replace("_", "-") in self._live_properties(node)
            if live:
                try:
                    run.set_live(node, **{name: value})
                except Error as error:
                    if error.code != Code.FAILED:  # that is: the run ended meanwhile
                        raise
            lib.graph_set(self._pointer, text("node", node), *setting(name, value))
            if run is not None and not live:
                warnings.warn(f"{node}: {name} is not a live property: this run keeps its value, the next one takes {value}",
                              Doubt, stacklevel=2)

    def _live_properties(self, node):
        facts = describe(lib.graph_plugin(self._pointer, node.encode()).decode())
        return {one["name"] for one in facts["properties"] if one["live"]}

    def __getitem__(self, node: str) -> Any:
        from ._live import Live

        kinds = {"app-source": Source, "app-sink": Sink, "live": Live}
        return kinds.get(lib.graph_plugin(self._pointer, node.encode()).decode(), Node)(self, node)

    def __iter__(self) -> Iterator[str]:
        return iter(lib.words(lib.graph_nodes(self._pointer)))

    def __contains__(self, node: object) -> bool:
        return node in list(self)

    @property
    def edges(self) -> list:
        """(source, target, input) of each edge."""
        return lib.unpack(lib.graph_edges(self._pointer))

    def _repr_html_(self) -> str:
        from ._html import graph_html

        return graph_html(self.to_json())

    def start(self, device: str | None = None, *, memory: str | None = None, threads: int | None = None, progress=None,
              message=None, monitor: bool | str = False) -> Run:
        """Begins a run in the background: wait () for it, await it, or use it as a context.

        device: "native", "cl:0", ...; None: the first OpenCL GPU, else "native". memory: as "8G"; None: 80 % of what is
        free. progress (fraction, slices, of_slices, seconds) and message (node, level, text) are called by the thread
        that waits; without a function, messages that matter are warnings (sinograph.Doubt). monitor: whether the run is
        shown on a page (Run.page), or where: "8080", "unix:PATH".
        """
        return Run(self, device, memory, threads, progress, message, monitor)

    def run(self, device: str | None = None, **options: Any) -> None:
        """Runs the graph and waits for its end. Takes what start () takes."""
        self.start(device, **options).wait()

    def check(self, device: str | None = None, memory: str | None = None, threads: int | None = None) -> str:
        """The plan of a run, as text. Touches no pixel, and raises what a run would raise before it does."""
        runner = new_runner(device, memory, threads)
        return lib.text(lib.runner_check(runner._pointer, self._pointer))

    def plan(self, device: str | None = None, memory: str | None = None, threads: int | None = None) -> dict:
        """The plan of a run, as data: see sino_runner_plan () in the reference of C."""
        runner = new_runner(device, memory, threads)
        return lib.unpack(lib.runner_plan(runner._pointer, self._pointer))


# --- facts ---

def nodes() -> list:
    """The names of all nodes."""
    return lib.words(lib.registry_list())


def describe(node: str) -> dict:
    """What a node is, as `sinograph inspect --json` says it."""
    return lib.unpack(lib.registry_describe(node.encode()))


def from_value(value):
    """The value of a GValue."""
    kind = lib.fundamental(value.type)
    name = {b"gboolean": "boolean", b"gint": "int", b"guint": "uint", b"gint64": "int64", b"gdouble": "double",
            b"gfloat": "float", b"gchararray": "string", b"GEnum": "enum"}[lib.type_name(kind)]
    got = lib.value_types[name](ctypes.byref(value))
    if name == "enum":
        # GEnumValue: value, name, nick
        found = lib.enum_value(lib.enum_class(value.type), got)
        return ctypes.cast(found + 2 * ctypes.sizeof(lib.P), ctypes.POINTER(lib.S))[0].decode()
    if name == "string":
        return got.decode(errors="surrogateescape") if got is not None else ""
    return bool(got) if name == "boolean" else got

