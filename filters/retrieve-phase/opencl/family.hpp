// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"

namespace sino::retrieve_phase {

const families::Family &family ();

} // namespace sino::retrieve_phase
