// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "cli/options.hpp"

namespace sino::cli {

// Saves and runs a graph, with progress, summary and statistics, as asked for.
int execute (const Graph &graph, const Options &options);

} // namespace sino::cli
