// SPDX-License-Identifier: LGPL-3.0-or-later
// Upper bounds of a GPU, for comparison with measured speeds: texture engine ("texture": interpolating fetches from its
// cache) and arithmetic ("FMA": float operations). No limit is given if a kernel does not need the unit.
#pragma once
#include "families/family.hpp"

namespace sino::back_project {

using families::Limit, families::Problem, families::Setting;

// Float operations per compute unit and clock.
double float_lanes (const OpenclFacts &facts);

// Limits in updates per second.
std::vector<Limit> limits_of (const Setting &setting, const Problem &problem, const OpenclFacts &facts);

} // namespace sino::back_project
