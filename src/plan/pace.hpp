// SPDX-License-Identifier: LGPL-3.0-or-later
// Work items, blocks and pools by the time that a pass takes with them.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Gives a pass that is sized other sizes where it will be done clearly sooner with them and they fit in `room` bytes.
void set_pace (const PlanInput &input, Pass &pass, double room, const std::vector<PlannedStore> &stores);

} // namespace sino
