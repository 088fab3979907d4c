// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Makes the cheapest plan that stays below the memory limit. If there is none, throws SINO_ERROR_MEMORY; the message
// has the missing amount.
Plan make_plan (const PlanInput &input);

} // namespace sino
