// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"

namespace sino::fourier_reconstruct {

// Root mean square error of small slices, relative to filtered back-projection with exact interpolation.
double trial_error (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem);

// Gridding errs by up to 1e-3 of the values of usual scans, and by several times more with so few projections.
constexpr double most_trial_error = 2e-2;

} // namespace sino::fourier_reconstruct
