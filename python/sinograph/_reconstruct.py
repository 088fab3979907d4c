# SPDX-License-Identifier: LGPL-3.0-or-later
"""Slices of projections."""
from __future__ import annotations

from typing import Any

import numpy

from . import _arrays
from ._errors import Code, Error
from ._geometry import is_list
from ._sources import Job, extent, geometry_of, new_graph, of_one_type


def job(projections, angles=None, axis="auto", flats=None, darks=None, geometry=None, device=None, progress=None, *,
        kind="projections", memory=None, threads=None, message=None, **properties):
    array = _arrays.host(projections)
    if flats is None and array.dtype.kind in "ui":
        raise Error(f"values of {array.dtype.name} are counts: give flats, or the attenuation -ln (I / I0) as float32",
                    Code.BAD_FORMAT, None, "flats")
    array = _arrays.prepared(array)
    flat = array.ndim == 2
    if flat:  # a sinogram
        array, kind = array[None], "sinograms"
    if kind not in ("projections", "sinograms") or array.ndim != 3 or 0 in array.shape:
        raise Error(f"an array of shape {array.shape} and kind='{kind}' cannot be reconstructed: it has to hold "
                    "projections (angle, row, column), sinograms (row, angle, column), or one sinogram "
                    "(angle, column)", Code.BAD_FORMAT)
    if flats is None and darks is not None:
        raise Error("darks without flats: give flats as well", Code.BAD_FORMAT, None, "flats")
    array = array if flats is not None else array.astype(numpy.float32, copy=False)
    array, darks, flats = of_one_type(array, darks, flats)
    several = is_list(axis, "axis")
    where = geometry_of(geometry, angles, extent(array, kind, "angle"), axis if several else None)
    graph = new_graph(array, kind, geometry=where, darks=darks, flats=flats)
    last = "array"
    if flats is not None:
        graph.connect(last, graph.add("flat-field"))
        last = "flat-field"
    graph.connect(last, graph.add("reconstruct"))
    if not several and not (isinstance(axis, str) and axis == "auto"):
        properties = {"axis": axis, **properties}
    graph.set("reconstruct", **properties)
    return Job(graph, "reconstruct", flat, device=device, memory=memory, threads=threads, progress=progress,
               message=message)


def reconstruct(projections, angles=None, axis: Any = "auto", flats=None, darks=None, geometry=None,
                device: str | None = None, progress=None, *, kind: str = "projections", memory: str | None = None,
                threads: int | None = None, message=None, **properties: Any) -> numpy.ndarray:
    """Reconstructs slices, as the nodes `flat-field ! reconstruct` do.

    projections: (angle, row, column); with kind="sinograms" (row, angle, column); or one sinogram (angle, column).
        With flats: counts. Without: attenuation, -ln (I / I0). Any array of NumPy, DLPack, the array interface or CUDA.
        uint8, uint16, float16 and float32 in C's order are read in place; others are copied, to float32.
    angles: degrees, one for each projection. None: half a turn, numpy.arange (n) * 180 / n.
    axis: the rotation axis in detector columns, where column u spans [u, u + 1), so that a centred detector has
        axis = columns / 2; one number, one for each projection, or "auto", which finds it where it can.
    flats, darks: frames (frame, row, column) without sample and without beam, or a tuple of those before and after the
        projections.
    geometry: a sinograph.Geometry in place of angles, for cone and fan beams, tilts, pixel sizes. An axis that is given
        takes the place of the geometry's.
    device: "native" (the CPU), "cl:0", ...; None: the first OpenCL GPU, else "native".
    progress: called as progress (fraction, slices, of_slices, seconds), about ten times a second, in this thread.
    memory: that the process may use, as "8G"; threads: of the CPU; message (node, level, text): takes messages, which
        are warnings (sinograph.Doubt) otherwise.
    properties: those of the node `reconstruct`, with `_` for `-`: window="hann", mask=True, roi_width=100.

    Gives slices (z, y, x), or one slice (y, x) of one sinogram, float32: attenuation per unit length of the geometry's
    pixel size, else per pixel. The array is the memory in which the library made it.

    Raises sinograph.Error. Ctrl-C ends it.
    """
    return job(projections, angles, axis, flats, darks, geometry, device, progress, kind=kind, memory=memory,
               threads=threads, message=message, **properties)()
