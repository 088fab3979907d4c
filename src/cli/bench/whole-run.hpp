// SPDX-License-Identifier: LGPL-3.0-or-later
// A chain of nodes as 'sinograph launch' runs it.
#pragma once
#include "cli/bench/scan.hpp"
#include "device/energy.hpp"
#include "run/run.hpp"

namespace sino::cli {

struct Node {
  std::string type;
  Properties properties;
};

using Nodes = std::vector<Node>;

// A run by the wall clock, on the processor, and as the runtime saw it.
struct WholeRun {
  double seconds, cpu;
  Energy energy;
  RunStatistics statistics;
};

WholeRun run_whole (const Nodes &nodes, const BenchOptions &options);

} // namespace sino::cli
