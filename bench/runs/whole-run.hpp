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

// A task of such a run: its time by itself, and its part in the run.
struct PartTime {
  std::string name;
  double seconds;
  TaskStatistics in_run;
};
// Reports the part that takes longest by itself, and how long the run goes before and after it.
const PartTime &report_busiest (const std::vector<PartTime> &parts, const RunStatistics &statistics, Report &report);
void report_parts (const std::vector<PartTime> &parts, Report &report);

WholeRuns repeat_whole (const Nodes &nodes, const BenchOptions &options, const std::function<void ()> &before = {});

} // namespace sino::bench
