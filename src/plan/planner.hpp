// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "plan/plan.hpp"

namespace sino {

// The cheapest plan that stays below the limit; throws SINO_ERROR_MEMORY that says by how much none does.
Plan make_plan (const PlanInput &input);

} // namespace sino
