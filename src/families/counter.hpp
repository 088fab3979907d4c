// SPDX-License-Identifier: LGPL-3.0-or-later
// A counter of kernels in a device's memory. It has 64 bits, the lower half first, because atomics of 32 bits add to
// it.
#pragma once
#include "device/opencl.hpp"

namespace sino::families {

class SINO_VISIBLE KernelCounter
{
public:
  explicit KernelCounter (const OpenclDevice &device);

  const cl::Buffer &buffer () const { return memory; } // argument for kernels
  // Waits for the queue. Returns what its kernels have counted since the last call.
  int64_t take (const cl::CommandQueue &queue);

private:
  const OpenclDevice &device;
  cl::Buffer memory;
};

} // namespace sino::families
