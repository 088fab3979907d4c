// SPDX-License-Identifier: LGPL-3.0-or-later
// Graphs as JSON, in UFO's schema with a "sinograph" key that holds the version, 1:
//   {"sinograph": 1,
//    "nodes": [{"plugin": "read", "name": "scan", "properties": {"path": "scan.h5"}}, ...],
//    "edges": [{"from": {"name": "scan"}, "to": {"name": "ffc", "input": 0}}, ...]}
// UFO's "prop-sets" and "prop-refs" are understood. All else is an error with its JSON path.
#pragma once
#include "graph/graph.hpp"

namespace sino {

SINO_VISIBLE Graph parse_json (const std::string &json);
// Reads the file of a node 'graph'; commands and the C interface read graphs through ufo/ufo.hpp. Throws
// SINO_ERROR_BAD_FILE when it cannot be read; messages begin with its path.
SINO_VISIBLE Graph load_json (const std::string &path);

} // namespace sino
