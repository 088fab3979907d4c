// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "graph/graph.hpp"
#include "sino-graph.h"

namespace sino {

// What the public object holds.
Graph &contents (SinoGraph *graph);

} // namespace sino
