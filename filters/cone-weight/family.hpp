// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"

namespace sino::cone_weight {

const families::Family &family ();

} // namespace sino::cone_weight
