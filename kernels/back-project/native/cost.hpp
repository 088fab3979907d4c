// SPDX-License-Identifier: LGPL-3.0-or-later
// What the native kernel's loops do per update of a voxel, for the roofline: no machine is faster than its slowest part
// at that.
#pragma once
#include "kernels/back-project/back-project.hpp"
#include "kernels/peaks/peaks.hpp"
#include <array>

namespace sino::back_project {

struct Cost {
  int vector;                                       // bytes of the vectors of
  std::array<double, peaks::operations> operations; // these, by peaks::Operation
  double l2, memory;                                // bytes that come from there or go there
};

// job.rays may be any; `projections` are counted. `vector_bytes`: of the CPU.
Cost cost_of (const Job &job, int64_t projections, int vector_bytes);

} // namespace sino::back_project
