// SPDX-License-Identifier: LGPL-3.0-or-later
// The tasks of a chain one after the other, without any overlap, each on what the task before it put out.
#pragma once
#include "bench/runs/whole-run.hpp"

namespace sino::bench {

class ByThemselves
{
public:
  // What of the slices, and so of the rows that they need, is computed: the first work item, in memory that was used
  // before; or all, as a program without overlap would, its start and new memory counted.
  enum class Share { first_item, all };

  // Keeps what the task `kept` put out; of the others only what the next one needs.
  ByThemselves (const Nodes &nodes, const BenchOptions &options, Share share, size_t kept);

  // Seconds that task i takes for all rows; those of Share::all that its kernels run on an OpenCL device.
  double seconds (size_t i) const { return times[i] * scale; }
  double kernel_seconds (size_t i) const { return kernels[i]; }

  const std::vector<Block> &output () const { return kept_output; }
  // What the last task put out; nothing of a sink.
  const std::vector<Block> &last () const { return last_output; }

private:
  const BenchOptions &options;
  const Share share;
  std::vector<std::unique_ptr<Task>> tasks;
  std::vector<int> wanted; // lanes, by the task after it
  std::vector<Rows> rows;  // of the output
  double scale;            // all slices for each of the share
  std::vector<double> times, kernels;
  std::vector<Block> kept_output, last_output;

  std::vector<Block> run (size_t i, const std::vector<Block> &input);
};

} // namespace sino::bench
