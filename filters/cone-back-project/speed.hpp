// SPDX-License-Identifier: LGPL-3.0-or-later
// What plans expect of back-projection of any geometry.
#pragma once
#include "device/devices.hpp"
#include "device/opencl.hpp"
#include "kernels/cone-back-project/native/packed.hpp"

namespace sino::cone_back_project {

// Voxel updates per second of a GPU. An update takes a bilinear texel; units of NVIDIA and AMD give four per clock. An
// H100 and an H200 reach 0.9 of that: 9.4e11.
inline double updates_per_second (const OpenclFacts &gpu)
{
  const bool known = (gpu.vendor == "nvidia" || gpu.vendor == "amd") && gpu.clock >= 100; // some drivers give no clock
  return known ? 0.9 * 4 * 1e6 * gpu.clock * gpu.units : 3e11;
}

// Voxel updates per second. `fast`: whether the kernels of the CPU fit that share work between voxels along z. Rates of
// CPUs are measured.
inline double updates_per_second (const Device &device, int threads, bool fast, Precision precision)
{
  if (device.kind == Device::Kind::opencl)
    return as_opencl (device).is_gpu ? updates_per_second (facts_of (as_opencl (device))) : 1e9;
  return threads * (!fast ? 1e8 : precision == Precision::int16 ? 5e9 : 4e9);
}

} // namespace sino::cone_back_project
