// SPDX-License-Identifier: LGPL-3.0-or-later
// Sizes of work items, blocks and pools that make a pass faster.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Changes the sizes of a sized pass if it will clearly finish sooner with them and they fit in `room` bytes.
void resize_for_speed (const PlanInput &input, Pass &pass, double room, const std::vector<PlannedStore> &stores);

} // namespace sino
