// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs the tasks of a chain one after the other, without overlap, each with the output of the previous one.
#pragma once
#include "bench/runs/whole-run.hpp"

namespace sino::bench {

class ByThemselves
{
public:
  // Number of slices that are computed. first_item: the slices of the first work item, in memory that was used before.
  // all: all slices, as in a program without overlap, including start-up and first use of memory.
  enum class Share { first_item, all };

  // Keeps the output of task `kept`; outputs of other tasks are kept only for the next task.
  ByThemselves (const Nodes &nodes, const BenchOptions &options, Share share, size_t kept);

  // seconds (): time of task i, extrapolated to all slices. kernel_seconds (): time of task i's kernels on an OpenCL
  // device; with Share::all only.
  double seconds (size_t i) const { return times[i] * scale; }
  double kernel_seconds (size_t i) const { return kernels[i]; }

  const std::vector<Block> &output () const { return kept_output; }
  // Output of the last task; empty for a sink.
  const std::vector<Block> &last () const { return last_output; }

private:
  const BenchOptions &options;
  const Share share;
  std::vector<std::unique_ptr<Task>> tasks;
  std::vector<int> wanted; // number of lanes that the next task wants
  std::vector<Rows> rows;  // rows of each task's output
  double scale;            // number of all slices divided by the number of computed slices
  std::vector<double> times, kernels;
  std::vector<Block> kept_output, last_output;

  std::vector<Block> run (size_t i, const std::vector<Block> &input);
};

} // namespace sino::bench
