// SPDX-License-Identifier: LGPL-3.0-or-later
// Graph files that are used as nodes.
#pragma once
#include "graph/graph.hpp"
#include <memory>

namespace sino {

// A graph with one open output; its open inputs are ports.
struct GraphFile {
  Graph graph;
  std::vector<std::pair<size_t, size_t>> inputs; // (node, port)
  std::vector<Port> ports;                       // names are interned
  size_t output;
};

// Throws if the file is not such a graph, and if files contain each other.
std::shared_ptr<const GraphFile> load_graph_file (const std::string &path);

} // namespace sino
