// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"

namespace sino::back_project {

// Root mean square error of a small test problem, relative to a reference computed from the definition.
double trial_error (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem);

// Texture engines interpolate in steps of 1/256; halves are rounded by up to 1/2048. A few pixels near a bin's border
// may use the neighbouring bin.
constexpr double most_trial_error = 5e-3;

} // namespace sino::back_project
