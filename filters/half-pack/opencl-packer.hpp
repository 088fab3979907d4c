// SPDX-License-Identifier: LGPL-3.0-or-later
// Rounds values in the memory of an OpenCL device to halves.
#pragma once
#include "families/counter.hpp"
#include "families/program.hpp"

namespace sino::half_pack {

const families::Family &family ();

class OpenclPacker
{
public:
  OpenclPacker (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem);

  // Rounds `n` floats to halves. Enqueues on an in-order queue, without waiting. One thread at a time.
  cl::Event enqueue (const cl::CommandQueue &queue, const cl::Buffer &in, int64_t n, const cl::Buffer &out);

  // Number of finite values that became infinite since the last call. Waits for the queue.
  int64_t overflows (const cl::CommandQueue &queue) { return counter.take (queue); }

private:
  const OpenclDevice &device;
  families::KernelCounter counter;
  const size_t group; // work-items
  cl::Kernel kernel;
};

} // namespace sino::half_pack
