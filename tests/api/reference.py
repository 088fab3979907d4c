#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The introspection data: everything public can be used from other languages and is documented."""
import os
import re
import xml.etree.ElementTree as tree
from pathlib import Path

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


def test_errors_are_documented():
    """Whoever can fail says with what."""
    for node in public([core + kind for kind in ("function", "method", "constructor")]):
        if node.get("throws") == "1":
            text = node.find(core + "doc").text
            tap.check("Fails " in text or "Errors: " in text, f"{name_of(node)} does not say how it fails")


def test_what_is_handed_over_is_said():
    """Of every pointer that is returned, the header says whose it is; introspection would guess."""
    count = 0
    for header in os.environ["SINO_HEADERS"].split():
        found = re.findall(r"/\*\*((?:(?!\*/).)*)\*/\nSINO_PUBLIC\n[^;(]*\*+(\w+) \(", Path(header).read_text(), re.S)
        count += len(found)
        for text, name in found:
            said = re.search(r"Returns:[^:]*\(transfer (full|none|container)\)", text)
            tap.check(said, f"{name}: whose is the result?")
    tap.check(count > 40, f"only {count} functions were found")


def test_the_overview_names_all():
    """It is where readers begin: a class or an enumeration that it does not name is not found."""
    overview = (Path(__file__).parents[2] / "docs/reference/overview.md").read_text()
    for node in public([core + "class", core + "enumeration"]):
        name = node.get("name")
        tap.check(re.search(rf"\b(Sino\.|@Sino\.){name}\b", overview), f"the overview does not name {name}")


def test_everything_can_be_introspected():
    for node in public(callables):
        if node.get("shadowed-by"):  # another function has its name there
            continue
        # The functions of asynchronous calls and the like are never left out.
        tap.check(node.get("introspectable") != "0", f"{name_of(node)} is not introspectable")


if __name__ == "__main__":
    tap.main(globals())
