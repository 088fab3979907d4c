// SPDX-License-Identifier: LGPL-3.0-or-later
// Graphs as JSON, in UFO's schema with a "sinograph" key that holds the version, 1:
//   {"sinograph": 1,
//    "nodes": [{"plugin": "read", "name": "scan", "properties": {"path": "scan.h5"}}, ...],
//    "edges": [{"from": {"name": "scan"}, "to": {"name": "ffc", "input": 0}}, ...]}
// UFO's "prop-sets" and "prop-refs" are understood. All else is an error with its JSON path.
#pragma once
#include "graph/properties.hpp"

namespace sino {

SINO_INTERNAL Graph parse_json (const std::string &json);
// Reads a file. Throws SINO_ERROR_BAD_FILE when it cannot be read; messages begin with its path.
SINO_INTERNAL Graph load_json (const std::string &path);

// The same graph gives the same text; properties that have their default value are left out. With show_json () it is
// for reading, else it throws where it could not be read back.
SINO_INTERNAL std::string to_json (const Graph &graph, Quote quote = quote_json);
// Parts of a graph as JSON. The text of each node is made once, for there may be many parts that share them.
class SINO_INTERNAL JsonParts
{
public:
  JsonParts (const Graph &graph, Quote quote);

  // These nodes, and all edges that lead to them.
  std::string to_json (const std::vector<size_t> &nodes) const;

private:
  struct Part {
    std::string node, edges;
  };
  std::vector<Part> parts;
};

// Writes a new file; an existing one is never replaced.
SINO_INTERNAL void save_json (const Graph &graph, const std::string &path);

} // namespace sino
