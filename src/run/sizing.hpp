// SPDX-License-Identifier: LGPL-3.0-or-later
// How much a pass works on at once, and what it costs.
#pragma once
#include "run/plan.hpp"

namespace sino {

// Finds item_rows, batch and pools, for the devices of `input`, that fit in `room` bytes; false (and the least bytes
// possible in pass.memory) when none do.
bool size_pass (const PlanInput &input, Pass &pass, double room, const std::vector<PlannedStore> &stores);

// The same with work items that are given.
bool size_items (const PlanInput &input, Pass &pass, double room);

// The same of a survey of some bands of rows: these are its work items, cut smaller where they do not fit.
bool size_survey (const PlanInput &input, Pass &pass, const std::vector<Rows> &bands, double room);

// Adds up what a pass takes whose stages are sized, on the devices of `input`.
void add_up (const PlanInput &input, Pass &pass);

// What it costs to read or compute some rows of a stage's output, and at least to keep all of a node's. Bytes moved,
// weighted by what they cost: reading is 1, a task's output stands for its arithmetic.
double cost_of_output (const Net &net, const Stage &stage, const Rows &rows);
double least_store_cost (const Net &net, int node);

} // namespace sino
