// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "graph/properties.hpp"

namespace sino {

// The same graph gives the same text; properties with default values are left out. With show_json () the text is for
// people; with quote_json () throws if the text could not be read back.
SINO_VISIBLE std::string to_json (const Graph &graph, Quote quote = quote_json);
// Parts of a graph as JSON. The text of each node is made once, because many parts may share it.
class SINO_VISIBLE JsonParts
{
public:
  JsonParts (const Graph &graph, Quote quote);

  // JSON of these nodes and of all edges to them.
  std::string to_json (const std::vector<size_t> &nodes) const;

private:
  struct Part {
    std::string node, edges;
  };
  std::vector<Part> parts;
};

// Writes a new file; replaces an existing one only with `overwrite`.
SINO_VISIBLE void save_json (const Graph &graph, const std::string &path, bool overwrite = false);

} // namespace sino
