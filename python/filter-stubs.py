#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Writes the type stubs of sinograph.filters from what the program says of its nodes.

usage: filter-stubs.py PROGRAM STUBS
"""
import json
import keyword
import subprocess
import sys
import textwrap
from pathlib import Path

HEAD = '''# SPDX-License-Identifier: LGPL-3.0-or-later
"""Each node that turns streams into streams as a function of arrays."""
from typing import Any, Callable, Literal

import numpy

from ._geometry import Geometry

'''
TYPES = {"integer": "int", "number": "float", "boolean": "bool", "string": "str"}
SCAN = {"kind": 'Literal["projections", "sinograms", "slices"] | None', "angles": "Any", "geometry": "Geometry | None",
        "darks": "Any", "flats": "Any"}
RUN = {"device": "str | None", "memory": "str | None", "threads": "int | None",
       "progress": "Callable[[float, int, int, float], Any] | None", "message": "Callable[[str, str, str], Any] | None"}


def identifier(name):
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def kind_of(facts):
    if facts["type"] == "choice":
        return f"Literal[{', '.join(json.dumps(word) for word in facts['choices'])}]"
    # Words are numbers, too, as in axis=31.5; numbers may be words that a property takes.
    return "str | float" if facts["type"] == "string" else TYPES[facts["type"]]


def function(node):
    ports = [port for port in node["inputs"][1:] if port["name"] not in ("darks", "flats")]
    kinds = {pair["takes"]["kind"] for pair in node["formats"] if "takes" in pair}
    has_angles = not kinds or kinds & {"projections", "sinograms"}
    properties = {identifier(facts["name"]): facts for facts in node["properties"]}
    options = {name: kind for name, kind in {**SCAN, **RUN}.items()
               if name not in properties and (has_angles or name not in SCAN or name == "kind")}
    words = ["data: Any"]
    words += [f"{identifier(port['name'])}: Any{' = ...' if port['optional'] else ''}" for port in ports]
    words += ["*"] + [f"{name}: {kind_of(facts)} = ..." for name, facts in properties.items()]
    words += [f"{name}: {kind} = ..." for name, kind in options.items()]
    head = f"def {identifier(node['name'])}(\n" + "".join(f"    {word},\n" for word in words) + ") -> numpy.ndarray:"
    doc = [f"{node['summary']}.", "", *(f"{name}: {facts['blurb']}" for name, facts in properties.items())]
    text = "\n".join(f"    {line}".rstrip() for part in doc for line in (textwrap.wrap(part, 110) or [""]))
    return f'{head}\n    r"""{text.strip()}"""\n    ...\n'


def main(program, path):
    said = subprocess.run([program, "inspect", "--json"], capture_output=True, text=True, check=True).stdout
    nodes = json.loads(said)
    functions = [function(node) for node in nodes if node.get("inputs") and node["output"]]
    Path(path).write_text(HEAD + "\n\n".join(functions) + "\n\ndef __getattr__(name: str) -> Any: ...\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
