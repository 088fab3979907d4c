// SPDX-License-Identifier: LGPL-3.0-or-later
// What kernels count, in the memory of a device: 64 bits, the lower half first, as atomics of 32 bits add to them.
#pragma once
#include "device/opencl.hpp"

namespace sino::families {

class SINO_VISIBLE KernelCounter
{
public:
  explicit KernelCounter (const OpenclDevice &device);

  const cl::Buffer &buffer () const { return memory; } // an argument of kernels
  // What was counted since the last call, by kernels of the queue, which is waited for.
  int64_t take (const cl::CommandQueue &queue);

private:
  const OpenclDevice &device;
  cl::Buffer memory;
};

} // namespace sino::families
