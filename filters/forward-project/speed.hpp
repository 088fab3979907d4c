// SPDX-License-Identifier: LGPL-3.0-or-later
// What plans expect of the projection of volumes, as measured.
#pragma once
#include "device/devices.hpp"
#include "device/opencl.hpp"

namespace sino::forward_project {

// Planes of rays per second.
inline double updates_per_second (const Device &device, int threads)
{
  if (device.kind == Device::Kind::opencl)
    return as_opencl (device).is_gpu ? 3e11 : 2e8;
  return 2e8 * threads;
}

} // namespace sino::forward_project
