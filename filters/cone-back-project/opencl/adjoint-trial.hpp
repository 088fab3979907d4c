// SPDX-License-Identifier: LGPL-3.0-or-later
// Checks a kernel for weights=adjoint on a device.
#pragma once
#include "families/family.hpp"

namespace sino::cone_back_project {

// Returns the relative error of a kernel for a few small projections in two groups, compared with the CPU, ray by ray.
double adjoint_trial_error (const OpenclDevice &device, const families::Setting &setting,
                            const families::Problem &problem);

} // namespace sino::cone_back_project
