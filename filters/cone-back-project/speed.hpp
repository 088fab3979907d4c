// SPDX-License-Identifier: LGPL-3.0-or-later
// What plans expect of back-projection of any geometry, as measured.
#pragma once
#include "device/devices.hpp"
#include "device/opencl.hpp"
#include "kernels/cone-back-project/native/packed.hpp"

namespace sino::cone_back_project {

// Voxel updates per second. `fast`: whether the kernels of the CPU fit that share work between voxels along z.
inline double updates_per_second (const Device &device, int threads, bool fast, Precision precision)
{
  if (device.kind == Device::Kind::opencl)
    return as_opencl (device).is_gpu ? 3e11 : 1e9;
  return threads * (!fast ? 1e8 : precision == Precision::int16 ? 5e9 : 4e9);
}

} // namespace sino::cone_back_project
