// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"
#include "filters/iterative-reconstruct/problem.hpp"

namespace sino::iterative_reconstruct {

const families::Family &family ();

// The problem that the kernels solve, in words of the family.
families::Problem family_problem (const Problem &problem, int64_t slices);

} // namespace sino::iterative_reconstruct
