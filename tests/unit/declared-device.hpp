// SPDX-License-Identifier: LGPL-3.0-or-later
// The one OpenCL device of the tests works in the host's memory; declared to have its own, it takes the other ways.
#pragma once
#include "device/devices.hpp"
#include "device/opencl.hpp"
#include <cstdio>
#include <memory>

namespace sino::test {

struct Declared final : OpenclDevice {
  double bytes;
  Declared (const cl::Device &d, double own) : OpenclDevice (0, d), bytes (own) { shares_host_memory = own <= 0; }
  double own_memory () const override { return bytes; }
};

inline std::shared_ptr<Declared> device_with (double own)
{
  return std::make_shared<Declared> (opencl_devices ()[0]->device, own);
}

inline constexpr double plenty = 1e9;

// Whether there is no device, which the test's output says then.
inline bool skips_without_opencl ()
{
  const bool none = opencl_devices ().empty ();
  if (none)
    puts ("1..0 # SKIP no OpenCL device");
  return none;
}

} // namespace sino::test
