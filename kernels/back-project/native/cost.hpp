// SPDX-License-Identifier: LGPL-3.0-or-later
// Operations of the native kernel's loops per update of a voxel, for the roofline model: the slowest unit of a machine
// limits its speed.
#pragma once
#include "kernels/back-project/back-project.hpp"
#include "kernels/peaks/peaks.hpp"
#include <array>

namespace sino::back_project {

struct Cost {
  int vector;                                       // bytes of the vectors
  std::array<double, peaks::operations> operations; // operations, by peaks::Operation
  double l2, memory;                                // bytes to and from the L2 cache and memory
};

// job.rays is not used; `projections`: number of rays; `vector_bytes`: size of the CPU's vectors.
Cost cost_of (const Job &job, int64_t projections, int vector_bytes);

} // namespace sino::back_project
