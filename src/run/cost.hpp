// SPDX-License-Identifier: LGPL-3.0-or-later
// What a pass costs: bytes moved, by which ways to cut a graph are compared.
#pragma once
#include "run/plan.hpp"

namespace sino {

// Adds up what the work items of a pass read and move, and what that costs.
void weigh (const PlanInput &input, Pass &pass, const std::vector<PlannedStore> &stores);

// What it costs to read or compute some rows of a stage's output, and at least to keep all of a node's. Bytes moved,
// weighted by what they cost: reading is 1, a task's output stands for its arithmetic.
double cost_of_output (const Net &net, const Stage &stage, const Rows &rows);
double least_store_cost (const Net &net, int node);

} // namespace sino
