// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "stream/format.hpp"

namespace sino::live {

// Projections of a ring: of `turn` radians, half a turn or a whole one. Throws Error unless angles are in even steps.
int64_t ring_of (const std::vector<double> &angles, double turn);

} // namespace sino::live
