#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Graphs of thousands of nodes. usage: many-nodes.py SINOGRAPH"""
import json
import tempfile

import tap
from draw import drawn
from memory_of import least, small


class Graph:
    """A graph file in the making."""

    def __init__(self):
        self.nodes, self.edges = [], []

    def add(self, plugin, *producers, **properties):
        name = f"n{len(self.nodes)}"
        self.nodes.append({"plugin": plugin, "name": name, "properties": properties})
        for port, producer in enumerate(producers):
            self.edges.append({"from": {"name": producer}, "to": {"name": name, "input": port}})
        return name

    def save(self, path, backwards=False):
        if backwards:
            self.nodes.reverse()
            self.edges.reverse()
        with open(path, "w") as file:
            json.dump({"sinograph": 1, "nodes": self.nodes, "edges": self.edges}, file)
        return path


def chain(number):
    graph = Graph()
    last = graph.add("test-source")
    for _ in range(number - 2):
        last = graph.add("test-filter", last)
    graph.add("test-sink", last)
    return graph


def branches(number):
    """Many chains from one node."""
    graph = Graph()
    start = graph.add("test-filter", graph.add("test-source"))
    for _ in range(number // 2 - 1):
        graph.add("test-sink", graph.add("test-filter", start))
    return graph


def ladder(number):
    """Every second node joins two streams from the same source."""
    graph = Graph()
    one = two = graph.add("test-source")
    for _ in range(number // 2 - 1):
        one = graph.add("test-filter", one)
        two = graph.add("test-join", two, one)
    graph.add("test-sink", two)
    return graph


def comb(number):
    """A chain, and a sink at each of its nodes."""
    graph = Graph()
    last = graph.add("test-source")
    for _ in range(number // 2):
        last = graph.add("test-filter", last)
        graph.add("test-sink", last)
    return graph


def apart(number):
    graph = Graph()
    for _ in range(number // 4):
        graph.add("test-sink", graph.add("test-filter", graph.add("test-filter", graph.add("test-source"))))
    return graph


def checked(graph, more, **how):
    """It is planned within memory that grows with its nodes, and in no time that grows with their square: that would
    take minutes, and run into the timeout."""
    with tempfile.TemporaryDirectory() as folder:
        path = graph.save(f"{folder}/graph.json", **how)
        small("check", "-q", path, more=more, status=0)


def test_chains():
    # Meson's MALLOC_PERTURB_ writes to all memory that is taken, and so adds 7 MB to the 123 MB of 20000 nodes.
    least()
    for backwards in drawn((False, True), 2):
        checked(chain(5000), 45, backwards=backwards)
        checked(chain(20000), 133, backwards=backwards)


def test_shapes():
    least()
    for shape in drawn((branches, ladder, apart), 2):
        checked(shape(5000), 60)
    checked(comb(2000), 60)


tap.main(globals())
