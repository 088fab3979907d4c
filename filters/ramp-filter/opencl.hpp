// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"
#include "kernels/ramp-filter/spectrum.hpp"

namespace sino::ramp_filter {

// Filters on the replica's device.
std::unique_ptr<Worker> opencl_worker (const Replica &replica, const families::Setting &setting,
                                       const families::Problem &problem, const ramp_filter::SpectrumFilter &filter);
// Copies values unchanged.
std::unique_ptr<Worker> opencl_copier (const Replica &replica);

// Memory for filtering rows of `width` columns, besides copies of blocks.
void opencl_memory (const Sizing &sizing, int64_t width, const families::Setting &setting,
                    const families::Problem &problem, Bill &bill);

} // namespace sino::ramp_filter
