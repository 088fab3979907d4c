# SPDX-License-Identifier: LGPL-3.0-or-later
"""Each node that turns streams into streams as a function of arrays: sinograph.filters.median (array, size=5).

The functions are made of what the registry says of the nodes, those of your own modules included.
"""
from __future__ import annotations

import functools
import inspect
import keyword
from typing import Any

import numpy

from . import _arrays
from ._errors import Code, Error
from ._graph import describe, nodes
from ._sources import AXES, Job, check_shape, extent, geometry_of, new_graph, of_one_type

FRAMES = ("darks", "flats")
SCAN = {
    "kind": 'what a 3-D array holds: "projections" (angle, row, column), "sinograms" (row, angle, column) or "slices" '
            "(z, y, x)",
    "angles": "degrees, one for each projection; None: half a turn",
    "geometry": "a sinograph.Geometry in place of angles",
    "darks": "frames without beam (frame, row, column), or a tuple of those before and after the projections",
    "flats": "frames without sample, as darks",
}
RUN = {
    "device": '"native", "cl:0", ...; None: the first OpenCL GPU, else "native"',
    "memory": 'what the process may use, as "8G"',
    "threads": "number of CPU threads",
    "progress": "called as progress (fraction, slices, of_slices, seconds)",
    "message": "called as message (node, level, text); None: messages that matter are warnings",
}


class Facts:
    """What a node's function is made of."""

    def __init__(self, node):
        said = describe(node)
        self.node, self.said = node, said
        if not said.get("inputs") or not said["output"]:
            raise AttributeError(f"'{node}' takes no array, or gives none: use it in a sinograph.Graph")
        self.ports = [port["name"] for port in said["inputs"]]
        self.required = sum(not port["optional"] for port in said["inputs"])
        self.properties = {identifier(facts["name"]): facts for facts in said["properties"]}
        pairs = [pair["takes"] for pair in said["formats"] if "takes" in pair]
        self.kinds = [kind for kind in AXES if not pairs or any(pair["kind"] == kind for pair in pairs)]
        self.elements = {kind: {pair["element"] for pair in pairs if pair["kind"] == kind} or None for kind in AXES}
        self.has_angles = any(kind != "slices" for kind in self.kinds)
        scan = [name for name in SCAN if name == "kind" or self.has_angles]
        self.options = {name: text for name, text in {**{n: SCAN[n] for n in scan}, **RUN}.items()
                        if name not in self.properties}

    def others(self):
        """Further inputs that are arrays; darks and flats are frames of the scan."""
        return [port for port in self.ports[1:] if port not in FRAMES]

    def kind_of(self, array, kind):
        if kind is not None:
            if kind not in self.kinds:
                raise Error(f"'{self.node}' takes {' or '.join(self.kinds)}, not kind='{kind}'", Code.BAD_FORMAT,
                            self.node, "kind")
            return kind
        # An image may be any of them: most nodes work on it by itself.
        order = ("slices", "sinograms", "projections") if array.ndim == 2 else tuple(AXES)
        return next(one for one in order if one in self.kinds)


def identifier(name):
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def prepared(facts, values, kind):
    """An array for a node. Integers become float32 only for a node that takes counts as well."""
    array, wanted = _arrays.host(values), facts.elements[kind]
    if array.dtype.kind == "i" or (array.dtype.kind == "u" and array.dtype.itemsize > 2):
        if wanted is not None and not wanted & {"u8", "u16"}:
            raise Error(f"'{facts.node}' wants {' or '.join(sorted(wanted))} values, got {array.dtype.name}: counts "
                        "become attenuation by flat_field; what is none has to be given as float32", Code.BAD_FORMAT,
                        facts.node)
    return _arrays.prepared(array, wanted)


def job(facts, data, others, given):
    options = {name: given.pop(name) for name in RUN if name in facts.options and name in given}
    scan = {name: given.pop(name, None) for name in SCAN if name in facts.options}
    array = _arrays.host(data)
    kind = facts.kind_of(array, scan.get("kind"))
    flat = array.ndim == 2
    array = prepared(facts, array[None] if flat else array, kind)
    check_shape(array, kind, facts.node)
    array, darks, flats = of_one_type(array, scan.get("darks"), scan.get("flats"))
    geometry = None
    if kind != "slices":
        geometry = geometry_of(scan.get("geometry"), scan.get("angles"), extent(array, kind, "angle"))
    graph = new_graph(array, kind, geometry=geometry, darks=darks, flats=flats)
    node = graph.add(facts.node)
    graph.connect("array", node)
    for port, other in others.items():
        values = prepared(facts, other, kind)
        values = values[None] if values.ndim == 2 else values
        graph.add_array(values, kind, port, geometry=same_scan(geometry, values, kind))
        graph.connect(port, node, facts.ports.index(port))
    graph.set(node, **{facts.properties[name]["name"]: value for name, value in given.items()})
    return Job(graph, node, flat, **options)


def same_scan(geometry, array, kind):
    """The geometry of another input: that of the first one where it has as many angles."""
    if geometry is None:
        return None
    count = extent(array, kind, "angle")
    return geometry if len(geometry.angles) == count else geometry_of(None, None, count)


# --- the functions ---

def signature_of(facts):
    kinds = inspect.Parameter
    empty = kinds.empty
    parameters = [kinds("data", kinds.POSITIONAL_OR_KEYWORD, annotation=Any)]
    for port in facts.others():
        optional = facts.ports.index(port) >= facts.required
        parameters.append(kinds(identifier(port), kinds.POSITIONAL_OR_KEYWORD, default=None if optional else empty,
                                annotation=Any))
    for name, said in facts.properties.items():
        parameters.append(kinds(name, kinds.KEYWORD_ONLY, default=said.get("default"),
                                annotation=type(said["default"]) if "default" in said else Any))
    for name in facts.options:
        parameters.append(kinds(name, kinds.KEYWORD_ONLY, default=None, annotation=Any))
    return inspect.Signature(parameters, return_annotation=numpy.ndarray)


def documentation(facts):
    lines = [f"{facts.said['summary']}.", "", "data: an array, 2-D for one image, else as `kind` says."]
    for kind in facts.kinds:
        taken = ", ".join(sorted(facts.elements[kind] or ["any"]))
        lines.append(f"    {kind} ({', '.join(AXES[kind])}) of {taken}")
    lines += [f"{identifier(port)}: the input `{port}`, an array." for port in facts.others()]
    for name, said in facts.properties.items():
        values = ", ".join(f'"{choice}"' for choice in said["choices"]) if "choices" in said else said["type"]
        if "minimum" in said:
            values += f" from {said['minimum']:g}"
        if "maximum" in said:
            values += f" to {said['maximum']:g}"
        lines.append(f"{name}: {said['blurb']} ({values})")
    lines += [f"{name}: {text}" for name, text in facts.options.items()]
    return "\n".join(lines)


def bound(facts, signature, arguments, properties):
    """The job of a call."""
    known = signature.bind(*arguments, **properties)
    given = dict(known.arguments)
    data = given.pop("data")
    others = {port: given.pop(identifier(port)) for port in facts.others() if given.get(identifier(port)) is not None}
    for port in facts.others():
        given.pop(identifier(port), None)
    return job(facts, data, others, given)


@functools.lru_cache(maxsize=None)
def made(node):
    facts = Facts(node)
    signature = signature_of(facts)

    def function(*arguments, **properties):
        return bound(facts, signature, arguments, properties)()

    function.__name__ = function.__qualname__ = identifier(node)
    function.__module__, function.__doc__, function.__signature__ = __name__, documentation(facts), signature
    function.job = lambda *arguments, **properties: bound(facts, signature, arguments, properties)
    return function


def __getattr__(name: str) -> Any:
    node = next((one for one in nodes() if identifier(one) == name), None) if not name.startswith("_") else None
    if node is None:
        raise AttributeError(f"there is no node '{name.replace('_', '-')}'")
    return made(node)


def __dir__() -> list:
    found = []
    for node in nodes():
        try:
            made(node)
        except AttributeError:
            continue
        found.append(identifier(node))
    return sorted(found)
