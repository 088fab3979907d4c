// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "graph/graph.hpp"

namespace sino {

// The graph as a launch line, which gives the same graph again. Properties with default values are left out.
SINO_VISIBLE std::string launch_line (const Graph &graph);

} // namespace sino
