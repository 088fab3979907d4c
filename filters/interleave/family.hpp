// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"

namespace sino::interleave {

const families::Family &family ();

// `bytes` of a value, and lanes of the input and of the output.
families::Problem problem_of (size_t bytes, int input_lanes, int lanes);

} // namespace sino::interleave
