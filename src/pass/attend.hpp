// SPDX-License-Identifier: LGPL-3.0-or-later
// Waits for work that may hang, such as what opens files: in negotiation, in surveys, where workers start.
#pragma once
#include "pass/context.hpp"

namespace sino {

// Runs `body`, which has to own what it touches, in a thread of its own and waits for it. Throws what it throws;
// Cancelled once the run was cancelled; an error with context->place () where it then does not return, or where nothing
// comes on for longer than the run waits.
void attend (const std::shared_ptr<RunContext> &context, const std::function<void ()> &body);

} // namespace sino
