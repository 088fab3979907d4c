// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"

namespace sino::flat_field {

const families::Family &family ();

} // namespace sino::flat_field
