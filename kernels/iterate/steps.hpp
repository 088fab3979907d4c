// SPDX-License-Identifier: LGPL-3.0-or-later
// Steps of the dual variables of TV, in units of T: the same for all sizes and scans.
#pragma once

namespace sino::iterate {

constexpr float dual_step = 2;                    // sigma
constexpr double margin_of_gradient = 1.1;        // what a metric takes for the duals' steps is larger by this
constexpr float positive_step = 0.1F * dual_step; // that of the dual of x >= 0

} // namespace sino::iterate
