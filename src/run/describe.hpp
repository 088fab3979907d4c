// SPDX-License-Identifier: LGPL-3.0-or-later
// A plan for people to read, and as a graph for Graphviz.
#pragma once
#include "run/plan.hpp"

namespace sino {

std::string describe_plan (const PlanInput &input, const Plan &plan);
std::string dot_plan (const PlanInput &input, const Plan &plan);

} // namespace sino
