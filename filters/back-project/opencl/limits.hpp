// SPDX-License-Identifier: LGPL-3.0-or-later
// What the texture engine ("texture": fetches that interpolate, from its cache) and the arithmetic ("FMA": of floats)
// of a GPU allow at most, against which measured speeds are held. Nothing where a kernel does not need the unit.
#pragma once
#include "families/family.hpp"

namespace sino::back_project {

using families::Limit, families::Problem, families::Setting;

// Operations of floats per compute unit and clock.
double float_lanes (const OpenclFacts &facts);

// Updates per second.
std::vector<Limit> limits_of (const Setting &setting, const Problem &problem, const OpenclFacts &facts);

} // namespace sino::back_project
