// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"

namespace sino::iterative_reconstruct {

// The root mean square by which small slices differ from those of the CPU's kernels, relative to these.
double trial_error (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem);

constexpr double most_trial_error = 1e-3;

} // namespace sino::iterative_reconstruct
