// SPDX-License-Identifier: LGPL-3.0-or-later
// Cost of a pass in bytes moved; ways to cut a graph are compared by it.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Adds up the bytes that the work items of a pass read and move, and their cost.
PassCost weigh (const PlanInput &input, const Pass &pass, const std::vector<PlannedStore> &stores);

// cost_of_output (): cost of reading or computing some rows of a stage's output. least_store_cost (): lower bound of
// the cost of keeping a node's whole output. Unit: weighted bytes. A byte that is read has weight 1; the computing cost
// of a task is estimated from the bytes of its output.
double cost_of_output (const Net &net, const Stage &stage, const Rows &rows);
double least_store_cost (const Net &net, int node);

// bytes_sent (): bytes that all work items send to a stage on the device; bytes_back (): bytes that come back from it.
// As if one such device ran all work items. 0 if the device works in the host's memory.
double bytes_sent (const Net &net, const Pass &pass, size_t stage, const Device &device);
double bytes_back (const Net &net, const Pass &pass, size_t stage, const Device &device);

// Bytes of the streams that a pass brings to storage, before conversion and compression.
double bytes_written (const Net &net, const Pass &pass);

} // namespace sino
