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

// Timing of repeated runs after a warm-up, and statistics of the median run. repeat_whole () calls `before` before each
// run, and does not time it.
struct WholeRuns {
  Timing timing;
  RunStatistics statistics;
};

// Part of a whole run: seconds that it takes alone, and its statistics in the run.
struct PartTime {
  std::string name;
  double seconds;
  TaskStatistics in_run;
};
// Reports the part that takes longest alone, and how long the run lasts before and after this part.
const PartTime &report_busiest (const std::vector<PartTime> &parts, const RunStatistics &statistics, Report &report);
void report_parts (const std::vector<PartTime> &parts, Report &report);

WholeRuns repeat_whole (const Nodes &nodes, const BenchOptions &options, const std::function<void ()> &before = {});

} // namespace sino::bench
