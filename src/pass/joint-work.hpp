// SPDX-License-Identifier: LGPL-3.0-or-later
// What ranks that work on one run have together: outputs, streams between passes, and what is made once.
#pragma once
#include "pass/context.hpp"

namespace sino {

// Files that go with the run are made beside this path.
std::string shared_path (const RunContext &context);
// Paths of that kind, wherever an earlier run of these outputs may have left something.
std::vector<std::string> abandoned_paths (const Net &net);

// A stream between passes, in a file that all ranks write to and read.
std::unique_ptr<Store> shared_store (RunContext &context, const std::shared_ptr<const Format> &format);

// Calls `start`, which starts a worker of a node. The first rank opens what a sink writes to, before the others do.
void start_together (RunContext &context, int node, const std::function<void ()> &start);

// For the worker of a node.
MakeOnce make_once (RunContext &context, int node);

} // namespace sino
