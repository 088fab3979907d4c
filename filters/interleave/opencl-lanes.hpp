// SPDX-License-Identifier: LGPL-3.0-or-later
// Lays the rows of blocks side by side that lie in the memory of an OpenCL device.
#pragma once
#include "families/program.hpp"
#include "stream/block.hpp"

namespace sino::interleave {

// `bytes` of a value, and lanes of the input and of the output.
families::Problem problem_of (size_t bytes, int input_lanes, int lanes);
std::string options (const families::Setting &setting, const families::Problem &problem); // of the compiler

class OpenclLanes
{
public:
  OpenclLanes (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem);

  // Places what `in` has of the rows of `out`; the one with its last row brings the padding of the lanes. The blocks
  // say what lies where, `from` and `to` are their memory. Enqueued, not waited for, on a queue that keeps its order.
  // One thread at a time. Returns the first command; null: there was nothing to do.
  cl::Event enqueue (const cl::CommandQueue &queue, const Block &in, const cl::Buffer &from, const Block &out,
                     const cl::Buffer &to);

private:
  // Rows of the output that follow each other in the input too.
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
