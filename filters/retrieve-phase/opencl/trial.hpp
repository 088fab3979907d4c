// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"

namespace sino::retrieve_phase {

// Retrieves a few rows with a filter that adds moved images. Returns the largest error, relative to values of 1; a
// wrong count is an error of 1.
double trial_error (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem);

} // namespace sino::retrieve_phase
