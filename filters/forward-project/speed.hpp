// SPDX-License-Identifier: LGPL-3.0-or-later
// What plans expect of the projection of volumes, as measured.
#pragma once
#include "device/devices.hpp"
#include "device/opencl.hpp"
#include "filters/projector/projector.hpp"

namespace sino::forward_project {

using projector::Manner;

// Planes of rays per second.
inline double updates_per_second (const Device &device, int threads, Manner manner)
{
  if (device.kind == Device::Kind::opencl)
    return as_opencl (device).is_gpu ? 3e11 : 2e8;
  return threads * (manner == Manner::level ? 5e9 : manner == Manner::sheets ? 2e9 : 2e8);
}

// Voxels of the transpose per second, on CPUs.
inline double adjoint_updates_per_second (const Device &device, int threads, Manner manner)
{
  if (device.kind == Device::Kind::opencl)
    return 1e8;
  return threads * (manner == Manner::level ? 5e9 : manner == Manner::sheets ? 2e9 : 1e8);
}

} // namespace sino::forward_project
