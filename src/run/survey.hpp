// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads a few rows of streams before the plan, for tasks that need them to know their format, for example to find the
// centre of rotation.
#pragma once
#include "pass/context.hpp"

namespace sino {

// Makes the surveys that tasks of the net ask for, sources first, and negotiates the nodes after them again. `watch` is
// called about ten times a second. Returns whether there were any; throws errors and Cancelled.
bool make_surveys (const std::shared_ptr<RunContext> &context, const std::function<void ()> &watch);

// Throws if a node doubts its findings; used in strict runs.
void refuse_doubts (const Net &net);

} // namespace sino
