// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"

namespace sino::ramp_filter {

const families::Family &family ();

} // namespace sino::ramp_filter
