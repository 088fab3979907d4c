// SPDX-License-Identifier: LGPL-3.0-or-later
// How much a pass works on at once, and what it costs.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Finds item_rows, batch and pools, for the devices of `input`, that fit in `room` bytes; false (and the least bytes
// possible in pass.memory) when none do.
bool size_pass (const PlanInput &input, Pass &pass, double room, const std::vector<PlannedStore> &stores);

// The same with work items that are given.
bool size_items (const PlanInput &input, Pass &pass, double room);

// Sizes to try: rows of a work item (0: as it is cut), projections of a block (0: as many as usual), requests in flight
// at most.
struct Sizes {
  int64_t item_rows, batch;
  int requests;
};

// Gives a pass these sizes, with fewer requests where there is no memory for them; false when they do not fit.
bool size_as (const PlanInput &input, Pass &pass, const Sizes &sizes, double room,
              const std::vector<PlannedStore> &stores);

// Rows of a work item, about so many, that leave what is computed together in one piece.
int64_t whole_rows (const PlanInput &input, const Pass &pass, int64_t rows);

// What size_pass () does, for a survey of some bands of rows: these are its work items, cut smaller where they do not
// fit.
bool size_survey (const PlanInput &input, Pass &pass, const std::vector<Rows> &bands, double room);

} // namespace sino
