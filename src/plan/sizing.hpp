// SPDX-License-Identifier: LGPL-3.0-or-later
// Sizes of the work items, blocks and pools of a pass, and their memory.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Finds item_rows, batch and pools that fit in `room` bytes, for the devices of `input`. If there are none, returns
// false, and pass.memory is the least that is needed.
bool size_pass (const PlanInput &input, Pass &pass, double room, const std::vector<PlannedStore> &stores);

// Like size_pass (), for given work items.
bool size_items (const PlanInput &input, Pass &pass, double room);

// Sizes to try: rows of a work item (0: as cut already), projections of a block (0: the usual number), largest number
// of requests in flight.
struct Sizes {
  int64_t item_rows, batch;
  int requests;
};

// Gives a pass these sizes, with fewer requests if memory is short; false if they do not fit.
bool size_as (const PlanInput &input, Pass &pass, const Sizes &sizes, double room,
              const std::vector<PlannedStore> &stores);

// Number of rows of a work item near `rows` that does not split rows that are computed together.
int64_t whole_rows (const PlanInput &input, const Pass &pass, int64_t rows);

// Like size_pass (), for a survey of some bands of rows. The bands are the work items; bands that do not fit are cut
// smaller.
bool size_survey (const PlanInput &input, Pass &pass, const std::vector<Rows> &bands, double room);

} // namespace sino
