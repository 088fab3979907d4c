#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Writes type stubs of the namespace: what introspection says, with what the override adds or does otherwise.

usage: stubs.py GIR OUTPUT OVERRIDE...
"""
import ast
import keyword
import re
import sys
import textwrap
import xml.etree.ElementTree as ElementTree
from pathlib import Path

CORE, C, GLIB = ("{http://www.gtk.org/introspection/%s/1.0}" % name for name in ("core", "c", "glib"))
HEAD = '''# SPDX-License-Identifier: LGPL-3.0-or-later
# Written by stubs.py from the namespace's introspection and its override.
import builtins
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, Protocol, overload

import numpy
from gi.repository import Gio, GLib, GObject

Array = numpy.ndarray[Any, Any]
Progress = Callable[[float, int, int, float], object]
Message = Callable[[str, MessageLevel, str], object]

class HasArrayInterface(Protocol):
    @property
    def __array_interface__(self) -> dict[str, Any]: ...

FramesLike = HasArrayInterface | bytes | bytearray | memoryview
'''
SIMPLE = {"gboolean": "bool", "gdouble": "float", "gfloat": "float", "utf8": "str", "filename": "str", "none": "None",
          "gpointer": "int", "gconstpointer": "int", "GLib.Variant": "GLib.Variant", "GObject.Value": "Any",
          "GType": "Any", "GLib.Quark": "int", "Gio.AsyncReadyCallback": "Callable[..., Any]"}


def children(node, kind):
    return node.iterfind(f"{CORE}{kind}")


def type_of(node, taken):
    """The type in Python of a value, `taken`: by a function."""
    array = node.find(CORE + "array")
    if array is not None:
        item = array.find(CORE + "type").get("name")
        if item == "guint8":
            return "bytes"
        return f"{'Sequence' if taken else 'builtins.list'}[{name_of_type(item)}]"
    return name_of_type(node.find(CORE + "type").get("name") or "Any")


def name_of_type(name):
    if name in SIMPLE:
        return SIMPLE[name]
    if name.startswith(("gint", "guint", "glong", "gulong", "gsize", "gssize")):
        return "int"
    return name


def is_nullable(node):
    return node.get("nullable") == "1" or node.get("allow-none") == "1"


def summary(node, indent):
    """The first paragraph of the documentation, without the marks of C."""
    doc = node.find(CORE + "doc")
    if doc is None:
        return []
    text = " ".join(doc.text.split("\n\n")[0].split()).replace("\\", "\\\\").replace('"""', "'''")
    text = text.replace("%TRUE", "True").replace("%FALSE", "False").replace("%NULL", "None")
    text = re.sub(r"[%@](\w+)", r"\1", re.sub(r"\[\w+@([^]]+)\]", r"`\1`", text))
    lines = textwrap.wrap(text, 110 - len(indent))
    if len(lines) == 1:
        return [f'{indent}"""{text}"""']
    return [f'{indent}"""{lines[0]}', *(indent + line for line in lines[1:]), f'{indent}"""']


def parameters(node, virtual):
    """What a function takes in Python: neither the lengths of arrays nor what it gives back."""
    found = list(node.iterfind(f"{CORE}parameters/{CORE}parameter"))
    arrays = [part.find(CORE + "array") for part in [*found, node.find(CORE + "return-value")]]
    lengths = {int(array.get("length")) for array in arrays if array is not None and array.get("length")}
    data = {int(part.get("closure")) for part in found if part.get("closure")}
    words, after = [], True  # whether only what may be left out comes after
    for number, part in reversed(list(enumerate(found))):
        if number in lengths or part.get("direction") == "out":
            continue
        name = part.get("name") + ("_" if keyword.iskeyword(part.get("name")) else "")
        if number in data:
            words.append(f"*{name}: Any")
            continue
        nullable = is_nullable(part)
        after = after and nullable and not virtual
        kind = type_of(part, not virtual)
        if nullable:
            kind = "Any" if virtual else f"{kind} | None"  # a sink has no output, and others always have
        words.append(f"{name}: {kind}{' = ...' if after else ''}")
    return words[::-1]


def function(node, indent, owner=None):
    """A function, method, constructor or virtual method."""
    kind, name = node.tag.removeprefix(CORE), node.get("shadows") or node.get("name")
    virtual = kind == "virtual-method"
    result = node.find(CORE + "return-value")
    given = owner if kind == "constructor" else type_of(result, False)
    if is_nullable(result):
        given += " | None"
    parts = list(node.iterfind(f"{CORE}parameters/{CORE}parameter[@direction='out']"))
    if result.find(CORE + "array") is None and parts:  # else it is the array's length
        given = f"tuple[{', '.join(([] if given == 'None' else [given]) + [type_of(part, False) for part in parts])}]"
    if virtual and given == "bool":
        given = "bool | None"  # the override takes nothing as success
    words = parameters(node, virtual)
    lines = []
    if kind == "constructor":
        lines.append(f"{indent}@classmethod")
        words.insert(0, "cls")
    elif kind == "function" and owner:
        lines.append(f"{indent}@staticmethod")
    elif owner:
        words.insert(0, "self")
    lines.append(f"{indent}def {'do_' if virtual else ''}{name}({', '.join(words)}) -> {given}:")
    body = summary(node, indent + "    ")
    if not body:
        lines[-1] += " ..."
    return lines + body


def introspectable(nodes):
    return [node for node in nodes if node.get("introspectable") != "0" and not node.get("shadowed-by")]


def enumeration(node):
    lines = [f"class {node.get('name')}(GObject.GEnum):", *summary(node, "    ")]
    lines += [f"    {member.get('name').upper()}: {node.get('name')}" for member in children(node, "member")]
    return lines + [line for made in introspectable(children(node, "function")) for line in function(made, "    ", "x")]


def properties(node):
    """The properties, as an object of their own and as what makes an object."""
    found = [(part.get("name").replace("-", "_"), type_of(part, False), part.get("introspectable") == "0")
             for part in children(node, "property")]
    found = [(name, "Any" if hidden else kind) for name, kind, hidden in found]
    if not found:
        return []
    lines = ["    class Props(GObject.Object.Props):", *(f"        {name}: {kind}" for name, kind in found)]
    words = ", ".join(f"{name}: {kind} = ..." for name, kind in found)
    return lines + ["    props: Props", f"    def __init__(self, *, {words}) -> None: ..."]


def class_of(node, added):
    name = node.get("name")
    lines = [f"class {name}({node.get('parent', 'GObject.Object')}):", *summary(node, "    ")]
    if name == "Task":
        lines.append("    def __init__(self, **properties: Any) -> None: ...")
    lines += properties(node)
    own = {part.name for part in added if isinstance(part, ast.FunctionDef)}
    for kind in ("constructor", "function", "method", "virtual-method"):
        for made in introspectable(children(node, kind)):
            if (made.get("shadows") or made.get("name")) not in own or kind == "virtual-method":
                lines += function(made, "    ", name)
    return lines + declared(added)


def declared(parts):
    """What a class of the override says of itself, without what it does."""
    lines = []
    overloaded = {part.name for part in parts if isinstance(part, ast.FunctionDef) and is_overload(part)}
    for part in parts:
        if isinstance(part, ast.AnnAssign):
            lines.append(f"    {ast.unparse(part)}")
        elif part.name not in overloaded or is_overload(part):
            doc = ast.get_docstring(part, clean=False)
            part.args.defaults = [ast.Constant(...)] * len(part.args.defaults)
            part.args.kw_defaults = [default and ast.Constant(...) for default in part.args.kw_defaults]
            part.body = [ast.Expr(ast.Constant(doc) if doc else ast.Constant(...))]
            lines += textwrap.indent(ast.unparse(part), "    ").splitlines()
    return lines


def is_overload(part):
    return any(isinstance(mark, ast.Name) and mark.id == "overload" for mark in part.decorator_list)


def is_public(part):
    if isinstance(part, ast.AnnAssign):
        return True
    return isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)) and part.name not in (
        "__init__", "__init_subclass__") and (not part.name.startswith("_") or part.name.startswith("__"))


def classes_of(paths):
    """The public members of the classes that the files of the override declare; what has no types has to be private."""
    found = {}
    for path in paths:
        for node in ast.parse(Path(path).read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and node.name != "Frames":
                found[node.name] = [part for part in node.body if is_public(part)]
                for part in found[node.name]:
                    if isinstance(part, ast.FunctionDef) and part.returns is None and part.name != "run_async":
                        sys.exit(f"{path}: {node.name}.{part.name} does not say what it gives")
    return found


def stubs(gir, paths):
    namespace, added = ElementTree.parse(gir).getroot().find(CORE + "namespace"), classes_of(paths)
    lines = [HEAD]
    for node in children(namespace, "constant"):
        lines.append(f"{node.get('name')}: {type_of(node, False)}")
    for node in children(namespace, "enumeration"):
        lines += ["", *enumeration(node)]
    for node in children(namespace, "class"):
        lines += ["", *class_of(node, added.pop(node.get("name"), []))]
    for name, parts in added.items():
        lines += ["", f"class {name}:", *declared(parts)]
    for node in children(namespace, "record"):
        if not node.get(GLIB + "is-gtype-struct-for"):
            lines += ["", f"class {node.get('name')}:", *summary(node, "    ")]
            for made in introspectable(children(node, "function")):
                lines += function(made, "    ", "x")
    lines.append("")
    for node in introspectable(children(namespace, "function")):
        lines += function(node, "")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(stubs(sys.argv[1], sys.argv[3:]))
