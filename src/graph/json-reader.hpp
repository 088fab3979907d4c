// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads graphs as JSON. The schema is UFO's, with a key "sinograph" that holds its version, 1:
//   {"sinograph": 1,
//    "nodes": [{"plugin": "read", "name": "scan", "properties": {"path": "scan.h5"}}, ...],
//    "edges": [{"from": {"name": "scan"}, "to": {"name": "ffc", "input": 0}}, ...]}
// UFO's "prop-sets" and "prop-refs" are understood. Anything else is an error, with its place in the JSON.
#pragma once
#include "graph/graph.hpp"

namespace sino {

SINO_VISIBLE Graph parse_json (const std::string &json);
// Reads the file of a node 'graph'; commands and the C interface read graphs through ufo/ufo.hpp. Throws
// SINO_ERROR_BAD_FILE when it cannot be read; messages begin with its path.
SINO_VISIBLE Graph load_json (const std::string &path);

} // namespace sino
