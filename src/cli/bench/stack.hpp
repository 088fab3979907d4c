// SPDX-License-Identifier: LGPL-3.0-or-later
// interleave and a node that reconstructs by themselves, one after the other, on a scan in memory.
#pragma once
#include "cli/bench/scan.hpp"
#include "run/alone.hpp"
#include <optional>

namespace sino::cli {

class Stack
{
public:
  // `lanes`: 0 for those that the node wants.
  Stack (const Scan &scan, const BenchOptions &options, const Properties &properties, int lanes = 0,
         const char *node = "back-project");

  void run ();

  int lanes () const { return back->lanes (); }
  double updates () const { return task->updates_per_row () * static_cast<double> (from[0][0].rows ().size ()); }
  std::map<std::string, int64_t> counted () const { return back->counted (); } // by the node
  std::string remark (const Device &device) const { return task->remark (device, lanes ()); }

  const std::vector<Block> &sinograms () const { return packed[0]; }

  std::vector<Block> slices;
  double packing_seconds = 0;

private:
  std::unique_ptr<Task> packing, task;
  std::optional<Alone> pack, back;
  std::vector<std::vector<Block>> from, packed;
};

} // namespace sino::cli
