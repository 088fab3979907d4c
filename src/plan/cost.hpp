// SPDX-License-Identifier: LGPL-3.0-or-later
// Cost of a pass in bytes moved; ways to cut a graph are compared by it.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Adds up the bytes that the work items of a pass read and move, and their cost.
PassCost weigh (const PlanInput &input, const Pass &pass, const std::vector<PlannedStore> &stores);

// Cost of reading or computing some rows of a stage's output, and the least cost of keeping a node's whole output.
// Unit: bytes moved, weighted. Reading has weight 1; the bytes of a task's output stand for its arithmetic.
double cost_of_output (const Net &net, const Stage &stage, const Rows &rows);
double least_store_cost (const Net &net, int node);

// Bytes that all work items send to stages on a device, and that these send back to others, as if one such device ran
// all work items. 0 if the device works in the host's memory.
double bytes_sent (const Net &net, const Pass &pass, size_t stage, const Device &device);
double bytes_back (const Net &net, const Pass &pass, size_t stage, const Device &device);

// Bytes of the streams that a pass brings to storage, before conversion and compression.
double bytes_written (const Net &net, const Pass &pass);

} // namespace sino
