#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The introspection data: everything public can be used from other languages and is documented."""
import os
import xml.etree.ElementTree as tree

import tap

core = "{http://www.gtk.org/introspection/core/1.0}"
glib = "{http://www.gtk.org/introspection/glib/1.0}"
c = "{http://www.gtk.org/introspection/c/1.0}"
namespace = tree.parse(os.environ["SINO_GIR"]).getroot().find(core + "namespace")

callables = [core + kind for kind in ("function", "method", "constructor", "virtual-method")] + [glib + "signal"]
documented = callables + [core + kind for kind in ("class", "record", "enumeration", "member", "property")]


def name_of(node):
    return node.get(c + "identifier") or node.get("name")


def public(kinds):
    for node in namespace.iter():
        hidden = node.tag == core + "record" and (node.get("disguised") or node.get(glib + "is-gtype-struct-for"))
        if node.tag in kinds and not hidden:
            yield node


def test_everything_is_documented():
    count = 0
    for node in public(documented):
        count += 1
        tap.check(node.find(core + "doc") is not None, f"{node.tag} {name_of(node)} has no documentation")
    tap.check(count > 80, f"only {count} symbols were found")


def test_parameters_and_results_are_documented():
    for node in public(callables):
        for parameter in node.iterfind(f"{core}parameters/{core}parameter"):
            tap.check(parameter.find(core + "doc") is not None, f"{name_of(node)}: {parameter.get('name')}")
        result = node.find(core + "return-value")
        if result.find(core + "type") is None or result.find(core + "type").get("name") != "none":
            tap.check(result.find(core + "doc") is not None, f"{name_of(node)}: result")


def test_everything_can_be_introspected():
    for node in public(callables):
        # The functions of asynchronous calls and the like are never left out.
        tap.check(node.get("introspectable") != "0", f"{name_of(node)} is not introspectable")


if __name__ == "__main__":
    tap.main(globals())
