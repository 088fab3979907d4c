// SPDX-License-Identifier: LGPL-3.0-or-later
// Ways to cut a graph into passes.
#pragma once
#include "plan/layouts.hpp"

namespace sino {

// The streams that are kept between passes, and whether everything else goes in one pass with a single work item.
struct Strategy {
  std::vector<int> cuts; // nodes whose output is materialised
  bool single = false;
};

// Nodes whose output could pay to be kept between passes.
std::vector<int> cut_candidates (const Net &net, const std::vector<Layout> &layouts);

// The passes of a strategy in the order of their execution, laid out for all devices, not sized yet.
std::vector<Pass> cut_into_passes (const Net &net, const std::vector<DeviceGroup> &groups, const Strategy &strategy);

// The pass in which a node looks at its first input before the plan: without work items, not sized.
Pass survey_pass (const Net &net, const std::vector<DeviceGroup> &groups, int node);

} // namespace sino
