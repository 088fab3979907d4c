// SPDX-License-Identifier: LGPL-3.0-or-later
// Tasks that must see projections as soon as they come.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Throws if a node before such a task holds its stream back. The passes need no sizes.
void check_immediate (const Net &net, const std::vector<Pass> &passes);

// Sets how much detail nodes that show a stream give up to save memory. Returns whether any has this step.
bool save_memory (const Net &net, int step);

// Whether a pass has such a task. A projection then is a block of its own, which need not wait for others.
bool is_immediate (const Net &net, const Pass &pass);

// How many blocks a source may give before such a task has seen the first of them.
int64_t blocks_ahead (const Net &net, const Pass &pass);

} // namespace sino
