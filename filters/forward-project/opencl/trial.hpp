// SPDX-License-Identifier: LGPL-3.0-or-later
// Checks a kernel on a device.
#pragma once
#include "families/family.hpp"

namespace sino::forward_project {

// Returns the relative error of a kernel for a few small projections, compared with the sums of rays in float64.
double trial_error (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem);

} // namespace sino::forward_project
