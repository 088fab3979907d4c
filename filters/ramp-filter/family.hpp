// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"

namespace sino::ramp_filter {

const families::Family &family ();

// `padded`: length of a row with its padding; `edge`: that is the row's first and last values.
families::Problem problem_of (int64_t padded, bool edge, int lanes);

} // namespace sino::ramp_filter
