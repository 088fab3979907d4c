// SPDX-License-Identifier: LGPL-3.0-or-later
// Lays the rows of blocks side by side that lie in the memory of an OpenCL device.
#pragma once
#include "device/opencl.hpp"
#include "stream/block.hpp"

namespace sino::interleave {

class OpenclLanes
{
public:
  // Values of 1, 2 or 4 bytes; lanes of the input and of the output.
  OpenclLanes (const OpenclDevice &device, size_t size, int input_lanes, int lanes);

  // Places what `in` has of the rows of `out`; the one with its last row brings the padding of the lanes. The blocks
  // say what lies where, `from` and `to` are their memory. Enqueued, not waited for, on a queue that keeps its order.
  // One thread at a time.
  void enqueue (const cl::CommandQueue &queue, const Block &in, const cl::Buffer &from, const Block &out,
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
  void launch (const cl::CommandQueue &queue, Run run, int64_t columns, int64_t angles);
};

} // namespace sino::interleave
