// SPDX-License-Identifier: LGPL-3.0-or-later
// A plan for programs to read.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// The plan as a floating GVariant of type a{sv}. The documentation of sino_runner_plan () describes its contents.
GVariant *plan_variant (const PlanInput &input, const Plan &plan);

} // namespace sino
