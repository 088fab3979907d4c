// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"
#include "kernels/fourier-reconstruct/gridding.hpp"

namespace sino::fourier {

const families::Family &family ();

families::Problem problem_of (const Job &job, int lanes, int64_t slices);

// How many slices the kernels work on at once, given so many lanes.
int slices_of (const families::Setting &setting, int lanes);

} // namespace sino::fourier
