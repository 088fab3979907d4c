// SPDX-License-Identifier: LGPL-3.0-or-later
// The problem that the kernels solve, as the family's parameters.
#pragma once
#include "families/family.hpp"
#include "kernels/fourier-reconstruct/gridding.hpp"

namespace sino::fourier_reconstruct {

using families::Problem, families::Setting;

Problem problem_of (const Job &job, int lanes, int64_t slices);

// Number of slices that the kernels process at once, for this many lanes.
int slices_of (const Setting &setting, int lanes);

std::string options (const Setting &setting, const Problem &problem); // options for the OpenCL compiler

} // namespace sino::fourier_reconstruct
