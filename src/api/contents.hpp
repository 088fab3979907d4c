// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "api/sino-graph.h"
#include "graph/graph.hpp"

namespace sino {

// The graph that the public object holds.
Graph &contents (SinoGraph *graph);

} // namespace sino
