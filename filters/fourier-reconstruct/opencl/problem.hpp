// SPDX-License-Identifier: LGPL-3.0-or-later
// What is asked of the kernels, in the words of their family.
#pragma once
#include "families/family.hpp"
#include "kernels/fourier-reconstruct/gridding.hpp"

namespace sino::fourier_reconstruct {

using families::Problem, families::Setting;

Problem problem_of (const Job &job, int lanes, int64_t slices);

// How many slices the kernels work on at once, given so many lanes.
int slices_of (const Setting &setting, int lanes);

std::string options (const Setting &setting, const Problem &problem); // of the compiler

} // namespace sino::fourier_reconstruct
