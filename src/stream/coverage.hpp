// SPDX-License-Identifier: LGPL-3.0-or-later
// How often a scan has measured each direction, and what each projection counts for that.
#pragma once
#include "base/visibility.hpp"
#include "stream/format.hpp"
#include <span>
#include <string>
#include <vector>

namespace sino {

// All angles are radians, in any order. `circle`: directions repeat after so much, as lines that a parallel beam sees
// from both sides do after half a turn.

// Half the gaps to both neighbours on the circle: their sum is `circle`.
SINO_VISIBLE std::vector<double> spacing_of_directions (std::span<const double> angles, double circle);

// The same with a word for what scans have: projections of one direction count alike, a gap that was not measured
// belongs to no projection, and all count the same where they differ by less than 1 %. Their sum is `circle`.
SINO_VISIBLE std::vector<double> shares_of_directions (std::span<const double> angles, double circle);

// How many different ones there are.
SINO_VISIBLE size_t count_directions (std::span<const double> angles, double circle);

// Directions between two projections.
struct SINO_VISIBLE DirectionGap {
  double begin, width, usual; // usual: the median of the gaps between different directions
  // It is wider than uneven steps of a scan would make it.
  bool is_missing () const;
};
SINO_VISIBLE DirectionGap widest_gap (std::span<const double> angles, double circle);
// All gaps that are missing.
SINO_VISIBLE std::vector<DirectionGap> missing_gaps (std::span<const double> angles, double circle);

// Throws where all projections of a scan with angles have the same one.
SINO_VISIBLE void check_angles_differ (const Format &scan);

// Share of the projections that have seen their lines from the other side, too, half a turn away.
SINO_VISIBLE double share_seen_twice (std::span<const double> angles);

} // namespace sino
