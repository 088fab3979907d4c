// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/runs/whole-run.hpp"
#include "base/text.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "graph/properties.hpp"
#include <algorithm>

namespace sino::bench {

using namespace cli;

Graph graph_of (const Nodes &nodes)
{
  Graph graph;
  for (size_t i = 0; i < nodes.size (); i++) {
    const auto node = graph.add (nodes[i].type);
    for (const auto &[name, word] : nodes[i].properties)
      set_property (graph.nodes ()[node], name, word);
    if (i > 0)
      graph.connect (node - 1, node, 0);
  }
  return graph;
}

WholeRun run_whole (const Nodes &nodes, const BenchOptions &options)
{
  const auto graph = graph_of (nodes);
  WholeRun whole{};
  EnergyMeter meter (energy_gpus (options.devices));
  const auto cpu_before = cpu_seconds ();
  whole.seconds = seconds_of ([&] {
    const auto run = make_run (graph, [&options] { return options.run; });
    const Cancelling cancelling (*run);
    run->execute ();
    whole.statistics = run->statistics ();
  });
  whole.cpu = cpu_seconds () - cpu_before;
  whole.energy = meter.energy ();
  return whole;
}

WholeRuns repeat_whole (const Nodes &nodes, const BenchOptions &options, const std::function<void ()> &before)
{
  std::vector<WholeRun> runs;
  for (int i = 0; i <= options.runs; i++) {
    if (before)
      before ();
    auto run = run_whole (nodes, options);
    if (i > 0)
      runs.push_back (std::move (run));
  }
  std::ranges::sort (runs, [] (const auto &a, const auto &b) { return a.seconds < b.seconds; });
  const auto &middle = runs[runs.size () / 2];
  return {{.median = middle.seconds,
           .least = runs.front ().seconds,
           .most = runs.back ().seconds,
           .cpu = middle.cpu,
           .energy = middle.energy},
          middle.statistics};
}

const PartTime &report_busiest (const std::vector<PartTime> &parts, const RunStatistics &statistics, Report &report)
{
  const auto &busiest = *std::ranges::max_element (parts, {}, &PartTime::seconds);
  report.word ("busiest", busiest.name);
  report.number ("busiest_seconds", busiest.seconds);
  report.duration ("fill_seconds", busiest.in_run.begin, "fill", "until " + busiest.name + " gets its first work item");
  report.duration ("drain_seconds", statistics.seconds - busiest.in_run.end, "drain", "after its last one");
  return busiest;
}

void report_parts (const std::vector<PartTime> &parts, Report &report)
{
  std::vector<std::string> tasks;
  for (const auto &[name, seconds, in_run] : parts) {
    report.row ({name, seconds_text (seconds),
                 text ("alone; it worked for %s in the run", seconds_text (in_run.busy).c_str ())});
    tasks.push_back (text ("{\"node\": \"%s\", \"seconds\": %s, \"busy_seconds\": %s}", name.c_str (),
                           json_number (seconds).c_str (), json_number (in_run.busy).c_str ()));
  }
  report.literal ("tasks", "[" + join (tasks) + "]");
}

} // namespace sino::bench
