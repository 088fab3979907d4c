# SPDX-License-Identifier: LGPL-3.0-or-later
"""Sources that give arrays, and runs of a few nodes on them."""
from __future__ import annotations

from . import _arrays, _library as lib
from ._errors import Code, Error
from ._geometry import Geometry, turn
from ._graph import Graph
from ._runs import Object

AXES = {"projections": ("angle", "row", "column"), "sinograms": ("row", "angle", "column"), "slices": ("z", "y", "x")}


def extent(array, kind, axis):
    """The length of a named axis of a 3-D array."""
    return array.shape[AXES[kind].index(axis)]


def check_shape(array, kind, node=None):
    if array.ndim != 3 or 0 in array.shape:
        raise Error(f"an array of shape {array.shape} does not hold {kind} ({', '.join(AXES[kind])})", Code.BAD_FORMAT,
                    node)


def array_source(array, kind, geometry=None, darks=None, flats=None):
    """A source that gives an array of a type that the library takes."""
    if kind not in AXES:
        raise Error(f"kind='{kind}' is none of {', '.join(AXES)}", Code.BAD_FORMAT, None, "kind")
    check_shape(array, kind)
    check_geometry(geometry)
    source = Object(lib.array_new())
    format = lib.formats[kind](_arrays.element_of(array), *array.shape,
                               geometry._pointer if geometry is not None else None)
    try:
        with _arrays.lent_bytes(array) as given:
            lib.array_set(source._pointer, format, given)
    finally:
        lib.unref(format)
    angles = extent(array, kind, "angle") if kind != "slices" else 0
    for name, frames in (("darks", darks), ("flats", flats)):
        for part, before in zip(parts_of(frames), (0, angles)):
            add_frames(source, name, part, before, array, kind)
    return source


def parts_of(frames):
    """The frames before the projections, and those after them if there are any."""
    if frames is None:
        return ()
    if isinstance(frames, list):  # of arrays, else the frames themselves
        arrays = [_arrays.host(part) for part in frames]
        frames = tuple(arrays) if any(part.ndim > 2 for part in arrays) else frames
    if isinstance(frames, tuple):
        if len(frames) != 2:
            raise Error("darks and flats are an array, or a tuple of those before and after the projections",
                        Code.BAD_FORMAT)
        return frames
    return (frames,)


def add_frames(source, name, frames, before, array, kind):
    frames = _arrays.prepared(frames)
    if kind != "slices":  # which have none, as the library says
        rows, columns = (extent(array, kind, axis) for axis in ("row", "column"))
        if frames.ndim not in (2, 3) or frames.shape[-2:] != (rows, columns) or frames.size == 0:
            raise Error(f"{name} of shape {frames.shape} are no frames (frame, row, column) of {kind} of shape "
                        f"{array.shape}: their last axes have to be {rows} rows and {columns} columns",
                        Code.BAD_FORMAT, None, name)
    if frames.dtype != array.dtype:
        raise Error(f"{name} are {frames.dtype}, but the array is {array.dtype}: they have to be of one type",
                    Code.BAD_FORMAT, None, name)
    with _arrays.lent_bytes(frames) as given:
        lib.array_add[name](source._pointer, given, before)


def of_one_type(array, darks, flats):
    """Projections, darks and flats of one type: their own if it is the same, else all as float32."""
    groups = [tuple(_arrays.prepared(part) for part in parts_of(frames)) for frames in (darks, flats)]
    if any(part.dtype != array.dtype for group in groups for part in group):
        array = array.astype("float32", copy=False)
        groups = [tuple(part.astype("float32", copy=False) for part in group) for group in groups]
    shaped = [tuple(part[None] if part.ndim == 2 else part for part in group) for group in groups]
    return (array, *[None if not group else group[0] if len(group) == 1 else group for group in shaped])


def check_geometry(geometry):
    if geometry is not None and not isinstance(geometry, Geometry):
        raise Error(f"the geometry is a {type(geometry).__name__}: give a sinograph.Geometry, or the angles as angles",
                    Code.BAD_PROPERTY, None, "geometry")


def geometry_of(geometry, angles, count, axis=None):
    """The geometry of a scan of so many projections: the one given, or that of the angles, or half a turn.

    axis: None, or one that takes the place of the geometry's own.
    """
    check_geometry(geometry)
    if geometry is not None:
        if angles is not None:
            raise Error("the geometry has the angles: give angles or geometry", Code.BAD_PROPERTY, None, "angles")
        return geometry if axis is None else geometry._with_axis(axis)
    return Geometry(turn(count) if angles is None else angles, axis)


class Job:
    """A graph that ends with the sink 'result', whose whole stream is the result. Call it, or await it."""

    def __init__(self, graph, last, flat=False, **options):
        graph.add("app-sink", "result", whole=True)
        graph.connect(last, "result")
        self._graph, self._flat, self._options = graph, flat, options

    def _result(self):
        array = self._graph["result"].pull()
        return array[0] if self._flat and array.shape[0] == 1 else array

    def __call__(self):
        try:
            self._graph.run(**self._options)
            return self._result()
        finally:
            self._release()

    def __await__(self):
        try:
            yield from self._graph.start(**self._options).__await__()
            return self._result()
        finally:
            self._release()

    def _release(self):
        self._graph = None
        _arrays.sweep()


def new_graph(array, kind, **given):
    graph = Graph()
    graph.add_array(array, kind, **given)
    return graph
