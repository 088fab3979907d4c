// SPDX-License-Identifier: LGPL-3.0-or-later
// Executes one pass. Each device has a set of workers (a replica). Each worker has its own thread. Blocks
// flow between them.
#pragma once
#include "pass/context.hpp"

namespace sino {

// Runs a pass to its end; calls `watch` about ten times a second. Returns when all threads have ended. Throws
// the first failure, Cancelled, and an error if a thread does not end within a few seconds after a cancellation.
void run_pass (const std::shared_ptr<RunContext> &context, const Pass &pass, const std::function<void ()> &watch);

} // namespace sino
