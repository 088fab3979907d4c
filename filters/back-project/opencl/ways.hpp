// SPDX-License-Identifier: LGPL-3.0-or-later
// The kernels and their parameters as ways that 'sinograph tune' searches.
#pragma once
#include "back-project/opencl/variant.hpp"
#include "device/opencl.hpp"
#include "glue/tunable.hpp"

namespace sino::back_project {

Way way_of (const Setting &setting, int lanes);
Setting setting_of (const Way &way);

// What may run on the device, the most promising first: what the table or the model proposes, then every kernel with
// the lanes that are asked for, or with all that `slices` fill if problem.lanes is 0.
std::vector<Way> first_ways (const OpenclDevice &device, const Problem &problem, int64_t slices);
// Every kernel as the table has it for the device, else as it is by itself, with every number of lanes; the first is
// the paper's algorithm 1, where the device has images.
std::vector<Way> usual_ways (const OpenclFacts &facts, Problem problem);
// The same kernel with another value of one parameter.
std::vector<Way> ways_near (const OpenclDevice &device, const Problem &problem, const Way &way);

} // namespace sino::back_project
