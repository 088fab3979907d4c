// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs a node alone on a scan in memory: on its projections, or on the sinograms that interleave makes of them.
#pragma once
#include "bench/scan.hpp"
#include "run/task-harness.hpp"
#include <optional>

namespace sino::bench {

class BenchStack
{
public:
  // `lanes`: number of lanes of the sinograms; for projections, of the node's output. 0: the number that the node
  // wants.
  BenchStack (const Scan &scan, const BenchOptions &options, const Properties &properties, int lanes = 0,
              const char *node = "back-project", bool of_projections = false);

  void run (); // pack () and reconstruct ()
  void pack () { packer->run (from, packed[0]); }
  void reconstruct () { back->run (packed, slices); }

  int lanes () const { return back->lanes (); }
  double updates () const { return task->updates_per_row () * static_cast<double> (from[0][0].rows ().size ()); }
  double values () const; // number of output values
  // Seconds that the node's kernels took until now; 0 if it does not report them.
  double kernel_seconds () const { return 1e-6 * static_cast<double> (back->counted ()["kernel-microseconds"]); }
  // Keeps the ratio of `seconds`, which the kernels take on the device, to the predicted time; does nothing if the node
  // does not report how long its kernels take.
  void keep_time_ratio (const BenchOptions &options, double seconds);
  std::string remark (const Device &device) const { return task->remark (device, lanes ()); }

  const std::vector<Block> &sinograms () const { return packed[0]; }

  std::vector<Block> slices;

  // Median over the calls of run () after the first, a warm-up.
  double packing_seconds () const;

private:
  std::unique_ptr<Task> packing, task;
  std::optional<TaskHarness> packer, back;
  std::vector<std::vector<Block>> from, packed;
  std::vector<double> packing_times;
};

} // namespace sino::bench
