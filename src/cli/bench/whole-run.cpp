// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/bench/whole-run.hpp"
#include "cli/bench/timing.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "graph/properties.hpp"

namespace sino::cli {

WholeRun run_whole (const Nodes &nodes, const BenchOptions &options)
{
  Graph graph;
  for (size_t i = 0; i < nodes.size (); i++) {
    const auto node = graph.add (nodes[i].type);
    for (const auto &[name, word] : nodes[i].properties)
      set_property (graph.nodes ()[node], name, word);
    if (i > 0)
      graph.connect (node - 1, node, 0);
  }
  WholeRun whole{};
  EnergyMeter meter (energy_gpus ({options.device}));
  const auto cpu_before = cpu_seconds ();
  whole.seconds = seconds_of ([&] {
    const auto run =
        make_run (graph, [&options] { return RunOptions{.threads = options.threads, .devices = {options.device}}; });
    const Cancelling cancelling (*run);
    run->execute ();
    whole.statistics = run->statistics ();
  });
  whole.cpu = cpu_seconds () - cpu_before;
  whole.energy = meter.energy ();
  return whole;
}

} // namespace sino::cli
