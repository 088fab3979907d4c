// SPDX-License-Identifier: LGPL-3.0-or-later
// What plans expect of back-projection of any geometry.
#pragma once
#include "device/devices.hpp"
#include "device/opencl.hpp"
#include "families/choice.hpp"
#include "families/table.hpp"
#include "families/use.hpp"
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

// The same of the kernel that runs on a GPU: the table has figures of one board, of which others have the same share.
// Tilted views of weights=adjoint take about five times the instructions: places and weights of each voxel by itself.
inline double updates_per_second (const OpenclDevice &gpu, const families::Use &use)
{
  constexpr double fastest = 963, tilted_adjoint = 0.2; // `image`
  const auto &problem = use.problem ();
  const auto gups =
      families::figures_of (use.family (), gpu.facts (), problem, *use.choice (gpu, 1).setting.kernel).gups;
  const bool slow = problem["weights"] == 1 && problem["rays"] == 1;
  return updates_per_second (gpu.facts ()) * (gups > 0 ? gups / fastest : 1) * (slow ? tilted_adjoint : 1);
}

} // namespace sino::cone_back_project
