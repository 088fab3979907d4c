// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/node-timing.hpp"

namespace sino::bench {

static double kernel_seconds (const TaskHarness &node)
{
  const auto counted = node.counted ();
  const auto found = counted.find ("kernel-microseconds");
  return found == counted.end () ? 0 : 1e-6 * static_cast<double> (found->second);
}

NodeTiming measure_node (int runs, TaskHarness &node, const std::vector<std::vector<Block>> &from,
                         const std::vector<Block> &to, const std::shared_ptr<const Device> &metered)
{
  std::vector<double> seconds;
  double before = 0;
  const auto timing = measure (
      runs,
      [&] {
        node.run (from, to);
        const double now = kernel_seconds (node);
        seconds.push_back (now - before);
        before = now;
      },
      metered);
  seconds.erase (seconds.begin ()); // the first run was a warm-up
  return {timing, median (std::move (seconds))};
}

} // namespace sino::bench
