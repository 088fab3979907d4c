// SPDX-License-Identifier: LGPL-3.0-or-later
// The OpenCL kernels of back-projection.
#pragma once
#include "families/family.hpp"
#include "kernels/back-project/back-project.hpp"

namespace sino::back_project {

const families::Family &family ();

families::Problem problem_of (const Job &job, int64_t slices);
Interpolation interpolation_of (const families::Problem &problem);
bool is_half (const families::Problem &problem);
bool has_mask (const families::Problem &problem);

} // namespace sino::back_project
