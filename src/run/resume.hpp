// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs that go on where an earlier one was killed: docs/design/resume.md.
#pragma once
#include "glue/facets.hpp"
#include "pass/samples.hpp"
#include "plan/layouts.hpp"

namespace sino {

// Why no run can go on with what one of this net has finished: what a node says, its title before it. "": one can.
std::string why_not_resumed (const Net &net);

// The same for several processes that are to work on one run.
std::string why_not_shared (const Net &net);

// A digest of the kernels that nodes run on these devices.
std::string kernels_digest (const Net &net, const std::vector<DeviceGroup> &groups);

// What decides the bytes of the results, but for where they go.
RunKey run_key (const Graph &graph, const Net &net, const std::vector<DeviceGroup> &groups);

// What people are told of a sink whose rows are finished in part.
std::string finished_text (const NetNode &sink);

// What is left out of a run.
struct LeftOut {
  int64_t bytes = 0, slices = 0; // that targets have
};

// Marks the work items of a plan that all sinks have finished, and those of passes that nobody needs then.
LeftOut leave_out_finished (const Net &net, Plan &plan, const SamplesOfNodes &samples);

} // namespace sino
