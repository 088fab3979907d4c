// SPDX-License-Identifier: LGPL-3.0-or-later
// The problem that the kernels solve, as the family's parameters.
#pragma once
#include "families/family.hpp"
#include "kernels/back-project/back-project.hpp"

namespace sino::back_project {

using families::Problem, families::Setting;

Problem problem_of (const Job &job, int64_t slices);
Interpolation interpolation_of (const Problem &problem);
bool is_half (const Problem &problem);
bool has_mask (const Problem &problem);
// A job of this kind for whole slices of size x size pixels, without bins.
Job job_of (const Problem &problem, int64_t size, std::span<const Ray> rays);

std::string options (const Setting &setting, const Problem &problem); // options for the OpenCL compiler

} // namespace sino::back_project
