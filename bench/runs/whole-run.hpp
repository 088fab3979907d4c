// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs a chain of nodes as 'sinograph launch' does.
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

// Wall-clock time, processor time, and statistics of a run.
struct WholeRun {
  double seconds, cpu;
  Energy energy;
  RunStatistics statistics;
};

WholeRun run_whole (const Nodes &nodes, const BenchOptions &options);

// Repeats a run after a warm-up, as often as the options say: timing, and statistics of the median run. `before` is
// called before each run and not timed.
struct WholeRuns {
  Timing timing;
  RunStatistics statistics;
};

WholeRuns repeat_whole (const Nodes &nodes, const BenchOptions &options, const std::function<void ()> &before = {});

} // namespace sino::bench
