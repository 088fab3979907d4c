// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs the tasks of a chain one after the other, without overlap, each with the output of the previous one.
#pragma once
#include "bench/runs/whole-run.hpp"

namespace sino::bench {

class ByThemselves
{
public:
  // How many slices (and rows for them) are computed. first_item: the first work item, in memory that was used before.
  // all: all slices, as in a program without overlap, including start-up and first use of memory.
  enum class Share { first_item, all };

  // Keeps the output of task `kept`; outputs of other tasks are kept only for the next task.
  ByThemselves (const Nodes &nodes, const BenchOptions &options, Share share, size_t kept);

  // seconds (): time of task i for all rows. kernel_seconds (): with Share::all, the part in which its kernels run on
  // an OpenCL device.
  double seconds (size_t i) const { return times[i] * scale; }
  double kernel_seconds (size_t i) const { return kernels[i]; }

  const std::vector<Block> &output () const { return kept_output; }
  // Output of the last task; empty for a sink.
  const std::vector<Block> &last () const { return last_output; }

private:
  const BenchOptions &options;
  const Share share;
  std::vector<std::unique_ptr<Task>> tasks;
  std::vector<int> wanted; // lanes wanted by the task after it
  std::vector<Rows> rows;  // of the output
  double scale;            // ratio of all slices to those computed
  std::vector<double> times, kernels;
  std::vector<Block> kept_output, last_output;

  std::vector<Block> run (size_t i, const std::vector<Block> &input);
};

} // namespace sino::bench
