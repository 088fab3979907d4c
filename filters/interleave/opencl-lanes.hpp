// SPDX-License-Identifier: LGPL-3.0-or-later
// Interleaves rows to lanes in the memory of an OpenCL device.
#pragma once
#include "families/program.hpp"
#include "stream/block.hpp"

namespace sino::interleave {

// `bytes`: size of a value.
families::Problem problem_of (size_t bytes, int input_lanes, int lanes);
const families::Family &family ();

class OpenclLanes
{
public:
  OpenclLanes (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem);

  // Copies the rows of `out` that `in` has; the block with the last row also fills the padding lanes. The blocks give
  // the layout, `from` and `to` are their memory. Enqueues on an in-order queue, without waiting. One thread at a time.
  // Returns the first command; null if there was nothing to do.
  cl::Event enqueue (const cl::CommandQueue &queue, const Block &in, const cl::Buffer &from, const Block &out,
                     const cl::Buffer &to);

private:
  // Rows that are contiguous in the output and in the input.
  struct Run {
    int64_t first, end, shift;
  };

  const OpenclDevice &device;
  const int lanes;
  cl::Kernel kernel;
  size_t group = 0;

  static Run run_at (int64_t row, const Rows &in, const Rows &out);
  void launch (const cl::CommandQueue &queue, Run run, int64_t columns, int64_t angles, cl::Event &first);
};

} // namespace sino::interleave
