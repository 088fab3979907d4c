# SPDX-License-Identifier: LGPL-3.0-or-later
"""Random launch lines: chains of nodes that may follow each other by what they take and give, with random properties."""
import json
import subprocess

from table import INPUTS

LEFT_OUT = {"app-source", "app-sink", "graph", "read", "simulate", "phantom", "bench"}  # set below, or not for a program
OUTPUTS = ("OUT/s-%05i.tif", "OUT/v.h5", "OUT/v.mhd", "OUT/v.tif", "OUT/v.h5 compression=deflate", "OUT/v.zarr",
           "OUT/s-%05i.ome.tif")


class Nodes:
    """What the program has, as `inspect --json` tells it."""

    def __init__(self, program):
        told = subprocess.run([program, "inspect", "--json"], capture_output=True, text=True, check=True).stdout
        self.nodes = {node["name"]: node for node in json.loads(told)}

    def after(self, kind, element):
        """Filters with one input that take such a stream, and what they give."""
        for name, node in self.nodes.items():
            if name in LEFT_OUT or not node["output"] or sum(not port["optional"] for port in node["inputs"]) != 1:
                continue
            for formats in node["formats"]:
                takes = formats.get("takes", {})
                if (takes.get("kind"), takes.get("element")) == (kind, element) and "gives" in formats:
                    yield name, formats["gives"]["kind"], formats["gives"]["element"]

    def words(self, name, dice, share=0.12):
        """Some of a node's properties, with any of their values; sizes that would take long stay small."""
        for prop in self.nodes[name]["properties"]:
            if dice.random() >= share:
                continue
            if prop["type"] == "boolean":
                yield f"{prop['name']}={dice.choice(('true', 'false'))}"
            elif prop["type"] == "choice":
                yield f"{prop['name']}={dice.choice(prop['choices'])}"
            elif prop["type"] == "integer":
                least, most = max(prop.get("minimum", -1000), -1000), min(prop.get("maximum", 1000), 1000)
                yield f"{prop['name']}={dice.choice((least, dice.randint(least, most), dice.randint(least, min(most, least + 9))))}"
            elif prop["type"] == "number":
                least, most = max(prop.get("minimum", -1e3), -1e3), min(prop.get("maximum", 1e3), 1e3)
                yield f"{prop['name']}={dice.choice((least, most, dice.uniform(least, most), prop['default']))!r}"


def source(dice):
    if dice.random() < 0.3:
        words = dice.choice(list(INPUTS.values()))[1].split(" ! ")
        return words[0], "u16" if "flat-field" in words else "f32"
    rows, columns, projections = dice.randint(1, 24), dice.randint(1, 96), dice.randint(1, 120)
    geometry = dice.choice(("", "", "", f"axis={columns / 2 + dice.uniform(-3, 3):.2f}", "angles=0:360",
                            "source-origin=500 origin-detector=500"))
    element = dice.choice(("u16", "u16", "f32"))
    counts = f"darks={dice.randint(0, 3)} flats={dice.choice((0, 1, 2, 4, 4))}" if element == "u16" else ""
    return (f"simulate object=shepp-logan-3d width={columns} height={rows} projections={projections} "
            f"{geometry} type={element} {counts}".strip(), element)


def chain(nodes, dice, first, element):
    """What follows a source, up to the sink."""
    parts, kind = [first], "projections"
    if element == "u16" and dice.random() < 0.9:
        parts.append("flat-field")
        element = "f32"
    for _ in range(dice.choice((0, 1, 1, 2, 3, 5))):
        following = sorted(set(nodes.after(kind, element)))
        if not following:
            break
        name, kind, element = dice.choice(following)
        parts.append(" ".join([name, *nodes.words(name, dice)]))
    if kind == "projections" and element == "f32" and dice.random() < 0.5:
        parts.append(" ".join(["reconstruct", *nodes.words("reconstruct", dice, 0.06)]))
    parts.append(dice.choice(("null", "preview path=OUT/p.png", *(f"write path={path}" for path in OUTPUTS))))
    return " ! ".join(parts)
