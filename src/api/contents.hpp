// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "api/sino-format.h"
#include "api/sino-graph.h"
#include "api/sino-runner.h"
#include "graph/graph.hpp"
#include "run/watcher.hpp"
#include <memory>

namespace sino {

// The graph that the public object holds.
Graph &contents (SinoGraph *graph);

// Shows the runs of a runner that begin from now on. Throws if somebody else does.
SINO_VISIBLE void watch_runs (SinoRunner *runner, std::shared_ptr<RunWatcher> watcher);
// Ends that.
SINO_VISIBLE void leave_runs (SinoRunner *runner);

} // namespace sino
