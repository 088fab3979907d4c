// SPDX-License-Identifier: LGPL-3.0-or-later
// How many blocks of each stream of a pass are under way.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Whether nothing leaves the stage before all of its inputs are there: it then fills its blocks all at once.
bool gathers (const Net &net, const Stage &stage);

// A join of a stream with something collected from the same source: the stream has to wait, so its pool must hold a
// whole work item. Found before the run, because there it would be a wait without end.
void mark_held (const Net &net, Pass &pass);

// Blocks that a stage's output may have in flight, with pools of `depth` work items or blocks.
int64_t pool_of (const PlanInput &in, const Pass &pass, const Stage &stage, int depth);

// Blocks that the worker of a stage wants to have under way.
int blocks_at_once (const PlanInput &in, const Stage &stage);

// Blocks that the task of a stage can have in flight, if it is a source or a sink.
int requests_of (const PlanInput &in, const Stage &stage);

} // namespace sino
