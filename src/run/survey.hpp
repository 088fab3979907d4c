// SPDX-License-Identifier: LGPL-3.0-or-later
// Looks at a few rows of streams before the plan of a run, for tasks that need them to know their format: the axis.
#pragma once
#include "pass/context.hpp"

namespace sino {

// Makes the surveys that tasks of the net want, from the sources on, and negotiates what comes after them again.
// `watch` is called about ten times a second. Returns whether there were any; throws what fails, and Cancelled.
bool make_surveys (const std::shared_ptr<RunContext> &context, const std::function<void ()> &watch);

// Throws where a node doubts what it has found: what a strict run does not go on with.
void refuse_doubts (const Net &net);

} // namespace sino
