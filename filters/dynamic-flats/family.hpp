// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"
#include "stream/element.hpp"

namespace sino::dynamic_flats {

const families::Family &family ();
families::Problem problem_of (Element element);

} // namespace sino::dynamic_flats
