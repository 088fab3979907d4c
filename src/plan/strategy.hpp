// SPDX-License-Identifier: LGPL-3.0-or-later
// Ways to cut a graph into passes.
#pragma once
#include "plan/layouts.hpp"

namespace sino {

// A way to cut the graph into passes: streams that are kept between passes, and whether all others are computed in one
// pass with a single work item.
struct Strategy {
  std::vector<int> cuts; // nodes whose output is materialised
  bool single = false;
};

// Nodes whose output may be worth keeping between passes.
std::vector<int> cut_candidates (const Net &net, const std::vector<Layout> &layouts);

// The passes of a strategy in order of execution, with layouts for all devices. They are not sized yet.
std::vector<Pass> cut_into_passes (const Net &net, const std::vector<DeviceGroup> &groups, const Strategy &strategy);

// The pass that computes the first input of a node for its survey before the plan. It has no work items and is not
// sized.
Pass survey_pass (const Net &net, const std::vector<DeviceGroup> &groups, int node);

} // namespace sino
