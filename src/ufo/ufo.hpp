// SPDX-License-Identifier: LGPL-3.0-or-later
// Graphs of the UFO framework as graphs of ours. table.json says what its nodes and properties are called here and
// which have no like; what takes more than a name is in rewrite.cpp.
#pragma once
#include "graph/graph.hpp"

namespace sino::ufo {

// The text of table.json.
extern const char *const table_text;

struct Node {
  std::string type, name;
  std::map<std::string, std::string> given;    // properties of UFO, as words
  std::map<std::string, std::string> set = {}; // properties of ours that rewriting has found
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

// Whether the graph is UFO's: it has a node, or a property of a node, that is known there alone.
bool is_ufo (const Graph &graph);

// Throws with the node or property that has no like here, the reason and what to use.
sino::Graph translate (Graph graph);

// The graph of a launch line, of JSON or of a graph file: one of ours, or one of UFO, known by its shape and names, as
// one of ours.
SINO_VISIBLE sino::Graph parse_line (const std::string &line);
SINO_VISIBLE sino::Graph parse_text (const std::string &json);
SINO_VISIBLE sino::Graph load_file (const std::string &path);
// The same of what read_json () gave of a file, which messages name.
SINO_VISIBLE sino::Graph parse_file (const std::string &path, const std::string &json);

// Turns what UFO spreads over several nodes into one of ours.
void rewrite (Graph &graph);

[[noreturn]] void refuse (const Node &node, const std::string &property, const std::string &why);

} // namespace sino::ufo
