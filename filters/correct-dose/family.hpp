// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"

namespace sino::correct_dose {

const families::Family &family ();
families::Problem problem_of (bool absorption);

} // namespace sino::correct_dose
