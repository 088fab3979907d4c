// SPDX-License-Identifier: LGPL-3.0-or-later
// What a pass costs: bytes moved, by which ways to cut a graph are compared.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Adds up what the work items of a pass read and move, and what that costs.
void weigh (const PlanInput &input, Pass &pass, const std::vector<PlannedStore> &stores);

// What it costs to read or compute some rows of a stage's output, and at least to keep all of a node's. Bytes moved,
// weighted by what they cost: reading is 1, a task's output stands for its arithmetic.
double cost_of_output (const Net &net, const Stage &stage, const Rows &rows);
double least_store_cost (const Net &net, int node);

// Bytes of a stage's output that go to stages on a device, and that come from one to others, in all work items, as if
// such a device ran them all. Where it works in the host's memory they stay where they are.
double bytes_sent (const Net &net, const Pass &pass, const Stage &stage, const Device &device);
double bytes_back (const Net &net, const Stage &stage, const Device &device);

// Bytes of the streams that a pass brings to storage, before files convert or compress them.
double bytes_written (const Net &net, const Pass &pass);

} // namespace sino
