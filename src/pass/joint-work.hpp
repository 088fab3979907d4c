// SPDX-License-Identifier: LGPL-3.0-or-later
// Data that ranks of one run share: outputs, streams between passes, and values that are computed once.
#pragma once
#include "pass/context.hpp"

namespace sino {

// Path beside which temporary files of the run are made.
std::string shared_path (const RunContext &context);
// All paths beside which an earlier run of these outputs may have left temporary files.
std::vector<std::string> abandoned_paths (const Net &net);

// A stream between passes, in a file that all ranks write to and read.
std::unique_ptr<Store> shared_store (RunContext &context, const std::shared_ptr<const Format> &format);

// Calls `start`, which starts a worker of a node. For a sink, the first rank opens the output before the others do.
void start_together (RunContext &context, int node, const std::function<void ()> &start);

// The function by which workers of a node compute something once for all ranks.
MakeOnce make_once (RunContext &context, int node);

} // namespace sino
