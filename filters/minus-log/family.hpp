// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"
#include "filters/point/opencl-values.hpp"

namespace sino::minus_log {

const families::Family &family ();
families::Problem problem_of (Element element);

} // namespace sino::minus_log
