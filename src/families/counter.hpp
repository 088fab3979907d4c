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
  // What was counted since the last call. Waits for the kernels that were put in the device's queue.
  int64_t take ();

private:
  const OpenclDevice &device;
  cl::Buffer memory;
};

} // namespace sino::families
