// SPDX-License-Identifier: LGPL-3.0-or-later
// What the texture engine and the arithmetic of a GPU allow at most, against which measured speeds are held.
#pragma once
#include "back-project/opencl/variant.hpp"

namespace sino::back_project {

// Updates per second; 0 where the kernel does not need the unit, or nothing is known of it.
struct Limits {
  double texture = 0; // fetches that interpolate, from its cache
  double fma = 0;     // operations of floats, a multiplication with addition being one
};
Limits limits_of (const Setting &setting, const Problem &problem, const OpenclFacts &facts);

} // namespace sino::back_project
