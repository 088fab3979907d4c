// SPDX-License-Identifier: LGPL-3.0-or-later
// Number of blocks that are in use at the same time, for each stream of a pass.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Whether a stage outputs nothing before it has all of its inputs, and then fills all its blocks at once.
bool gathers (const Net &net, const Stage &stage);

// Marks the streams that a join holds back until another input, collected from the same source, is complete. Their
// pools must hold a whole work item. Without the mark, the run would wait without end.
void mark_held (const Net &net, Pass &pass);

// Blocks that a stage's output may have in flight, with pools of `depth` work items or blocks.
int64_t pool_of (const PlanInput &in, const Pass &pass, const Stage &stage, int depth);

// Whether the devices work while blocks of the stage leave, for a large share of their work. Few blocks are then
// enough, and a consumer that takes them slowly does not hold up the devices.
bool works_meanwhile (const PlanInput &in, const Stage &stage);

// Number of blocks that the worker of a stage processes at a time, if memory allows.
int blocks_at_once (const PlanInput &in, const Stage &stage);

// Whether a source of the pass waits for projections that are still measured, so that work can be done before the last
// one comes.
bool waits_for_frames (const Net &net, const Pass &pass);

// Largest number of rows of its input on which a stage can work while they are filled.
int64_t rows_ahead (const PlanInput &in, const Pass &pass, const Stage &stage);

// Blocks that the task of a stage can have in flight; the stage is a source or a sink.
int requests_of (const PlanInput &in, const Stage &stage);

} // namespace sino
