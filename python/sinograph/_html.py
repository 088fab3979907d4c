# SPDX-License-Identifier: LGPL-3.0-or-later
"""Graphs and runs as HTML, for the cells of notebooks."""
from __future__ import annotations

import html
import json

BOX = "display:inline-block;border:1px solid #888;border-radius:4px;padding:2px 8px;margin:2px;vertical-align:top"


def escape(value):
    return html.escape(str(value))


def graph_html(text):
    """A graph from its JSON: a box for each node with its properties, and the nodes that it takes from."""
    graph = json.loads(text)
    inputs = {}
    for edge in graph.get("edges", ()):
        inputs.setdefault(edge["to"]["name"], []).append(edge["from"]["name"])
    boxes = []
    for node in graph["nodes"]:
        name = node["name"]
        kind = "" if name == node["plugin"] else f" <small>{escape(node['plugin'])}</small>"
        settings = "".join(f"<br><small>{escape(key)} = {escape(value)}</small>"
                           for key, value in node.get("properties", {}).items())
        before = "".join(f"{escape(source)} → " for source in inputs.get(name, ()))
        boxes.append(f'<div style="{BOX}"><small>{before}</small><b>{escape(name)}</b>{kind}{settings}</div>')
    return "<div>" + "".join(boxes) + "</div>"


def run_html(state, statistics):
    """A run: its state and what its nodes did."""
    rows = "".join(
        f"<tr><td>{escape(task['node'])}</td><td>{task['blocks-in']}</td><td>{task['blocks-out']}</td>"
        f"<td>{task['busy']:.2f}</td><td>{task['waiting']:.2f}</td></tr>" for task in (statistics or {}).get("tasks", ()))
    if not rows:
        return f"<p>{escape(state)}</p>"
    return (f"<p>{escape(state)}, {statistics['seconds']:.2f} s, peak memory {statistics['peak-memory'] / 2**20:.0f} MiB</p>"
            "<table><tr><th>node</th><th>blocks in</th><th>out</th><th>busy s</th><th>waiting s</th></tr>"
            f"{rows}</table>")
