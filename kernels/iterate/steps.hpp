// SPDX-License-Identifier: LGPL-3.0-or-later
// Steps of the dual variables of TV, in units of T: the same for all sizes and scans.
#pragma once

namespace sino::iterate {

constexpr float dual_step = 2;                    // sigma
constexpr float positive_step = 0.1F * dual_step; // that of the dual of x >= 0

} // namespace sino::iterate
