// SPDX-License-Identifier: LGPL-3.0-or-later
// Nodes for tests of the runtime: simple arithmetic whose right result a test can compute by itself.
#pragma once
#include "graph/graph.hpp"
#include "tests/support/run-task.hpp"
#include <map>

namespace sino::test {

// What the sinks named 'test-keep' got, by their property `key`. Thread-safe to fill; read it after the run.
std::map<std::string, Array> &kept ();

// A graph built from "name plugin property=value ..." lines and edges "from -> to" or "from -> to.1".
Graph build (const std::vector<std::string> &lines);

// Value of 'test-scan' at a place of the scan.
inline float source_value (int64_t angle, int64_t row, int64_t column)
{
  return static_cast<float> ((angle * 7 + row * 13 + column * 3 + (angle * row) % 11) % 101);
}

} // namespace sino::test
