// SPDX-License-Identifier: LGPL-3.0-or-later
// A plan for programs to read.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// The plan as type a{sv}, floating. sino_runner_plan () tells what is in it.
GVariant *plan_variant (const PlanInput &input, const Plan &plan);

} // namespace sino
