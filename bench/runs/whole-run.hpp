// SPDX-License-Identifier: LGPL-3.0-or-later
// A chain of nodes as 'sinograph launch' runs it.
#pragma once
#include "bench/scan.hpp"
#include "bench/timing.hpp"
#include "run/run.hpp"

namespace sino::bench {

struct Node {
  std::string type;
  Properties properties;
};

using Nodes = std::vector<Node>;

Graph graph_of (const Nodes &nodes);

// A run by the wall clock, on the processor, and as the runtime saw it.
struct WholeRun {
  double seconds, cpu;
  Energy energy;
  RunStatistics statistics;
};

WholeRun run_whole (const Nodes &nodes, const BenchOptions &options);

// As many runs as the options say after one that warms up: how long they took, and the one in the middle as the runtime
// saw it. `before` is called before each, and takes no part in the time.
struct WholeRuns {
  Timing timing;
  RunStatistics statistics;
};

WholeRuns repeat_whole (const Nodes &nodes, const BenchOptions &options, const std::function<void ()> &before = {});

} // namespace sino::bench
