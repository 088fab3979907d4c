// SPDX-License-Identifier: LGPL-3.0-or-later
// Converts graphs of the UFO framework to Sinograph's. table.json has the corresponding names of nodes and properties;
// rewrite.cpp has the changes that need more than other names.
#pragma once
#include "graph/graph.hpp"

namespace sino::ufo {

// The text of table.json.
extern const char *const table_text;

struct Node {
  std::string type, name;
  std::map<std::string, std::string> given;    // properties of UFO's node, as words
  std::map<std::string, std::string> set = {}; // properties of Sinograph's node, set by rewrite ()
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

// Whether the graph is one of UFO: a node, or a property of a node, exists only there.
bool is_ufo (const Graph &graph);

// Throws with the node or property that has no equivalent here, the reason and what to use.
sino::Graph translate (Graph graph);

// Parse a launch line, JSON, or a graph file of Sinograph or UFO. A graph of UFO is recognised by its names and form,
// and translated.
SINO_VISIBLE sino::Graph parse_line (const std::string &line);
SINO_VISIBLE sino::Graph parse_text (const std::string &json);
SINO_VISIBLE sino::Graph load_file (const std::string &path);
// Like parse_text (), for the text that read_json () has read from a file. `path` is for messages.
SINO_VISIBLE sino::Graph parse_file (const std::string &path, const std::string &json);

// Replaces groups of UFO's nodes by single nodes of Sinograph.
void rewrite (Graph &graph);

[[noreturn]] void refuse (const Node &node, const std::string &property, const std::string &why);

} // namespace sino::ufo
