// SPDX-License-Identifier: LGPL-3.0-or-later
// Passes that unlike devices share: the first devices settle the work items, the others follow.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// size_pass () and size_survey () for all devices of a run, which share `room`. If these return false, the memory of a
// pass and of the passes beside it is the least that they need.
bool size_on_all (const PlanInput &input, Pass &pass, double room, const std::vector<PlannedStore> &stores);
bool size_survey_on_all (const PlanInput &input, Pass &pass, const std::vector<Rows> &bands, double room);

// resize_for_speed () for all devices. Also sets the expected duration.
void pace_on_all (const PlanInput &input, Pass &pass, double room, const std::vector<PlannedStore> &stores);

} // namespace sino
