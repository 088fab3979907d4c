// SPDX-License-Identifier: LGPL-3.0-or-later
// The time of one node, and of its kernels alone.
#pragma once
#include "bench/timing.hpp"
#include "run/task-harness.hpp"

namespace sino::bench {

struct NodeTiming {
  Timing timing{};
  double kernel_seconds = 0; // median, by the device's clock; 0 on the CPU
};

// Runs a work item like measure (): `from` are the blocks of each input, `to` the blocks to fill.
NodeTiming measure_node (int runs, TaskHarness &node, const std::vector<std::vector<Block>> &from,
                         const std::vector<Block> &to, const std::shared_ptr<const Device> &metered = nullptr);

} // namespace sino::bench
