// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs that continue where an earlier one was killed: docs/design/resume.md.
#pragma once
#include "glue/facets.hpp"
#include "pass/samples.hpp"
#include "plan/layouts.hpp"

namespace sino {

// The reason, with a node's title, why a run of this net cannot be continued by another one; "": it can.
std::string why_not_resumed (const Net &net);

// The same for a run that several processes share.
std::string why_not_shared (const Net &net);

// A digest of the kernels that nodes run on these devices.
std::string kernels_digest (const Net &net, const std::vector<DeviceGroup> &groups);

// Everything that decides the bytes of the results, except for their paths.
RunKey run_key (const Graph &graph, const Net &net, const std::vector<DeviceGroup> &groups);

// Message about a sink whose rows are finished in part.
std::string finished_text (const NetNode &sink);

// The part of a run that is left out.
struct LeftOut {
  int64_t bytes = 0, slices = 0; // bytes and slices of targets
};

// Marks the work items that all sinks have finished, and those of passes that are then not needed.
LeftOut leave_out_finished (const Net &net, Plan &plan, const SamplesOfNodes &samples);

} // namespace sino
