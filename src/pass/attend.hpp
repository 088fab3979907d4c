// SPDX-License-Identifier: LGPL-3.0-or-later
// Waits for work that may hang, such as opening files: in negotiation, in surveys, at the start of workers.
#pragma once
#include "pass/context.hpp"

namespace sino {

// Runs `body` in its own thread and waits for it. `body` must own all that it touches. Throws what `body` throws, or
// Cancelled if the run was cancelled. If `body` then does not return, or makes no progress for longer than the run's
// watchdog allows, throws an error with context->place (). Meanwhile, `watch` is called about ten times a second.
void attend (const std::shared_ptr<RunContext> &context, const std::function<void ()> &body,
             const std::function<void ()> &watch = {});

} // namespace sino
