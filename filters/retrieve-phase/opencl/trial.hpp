// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"
#include "filters/retrieve-phase/plane.hpp"
#include <array>

namespace sino::retrieve_phase {

// Images of a trial: both padded lengths of the problem, each beside a short one, because a trial's memory is on no
// bill and whole spectra take gigabytes.
std::array<Plane, 2> trial_planes (const families::Problem &problem);

// Retrieves these images with a filter that adds moved images. Returns the largest error, relative to values of 1; a
// wrong count is an error of 1.
double trial_error (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem);

} // namespace sino::retrieve_phase
