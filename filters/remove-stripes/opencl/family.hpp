// SPDX-License-Identifier: LGPL-3.0-or-later
// The OpenCL kernels of remove-stripes as a family.
#pragma once
#include "families/family.hpp"
#include "filters/remove-stripes/settings.hpp"

namespace sino::remove_stripes {

families::Problem problem_of (const Settings &settings);
const families::Family &family ();

} // namespace sino::remove_stripes
