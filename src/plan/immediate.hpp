// SPDX-License-Identifier: LGPL-3.0-or-later
// Tasks that must see projections as soon as they come.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Throws if a node before such a task holds its stream back. The passes need no sizes.
void check_immediate (const Net &net, const std::vector<Pass> &passes);

// How many projections a source may give before such a task has seen the first of them; 0: the pass has no such task.
int64_t projections_ahead (const Net &net, const Pass &pass);

} // namespace sino
