// SPDX-License-Identifier: LGPL-3.0-or-later
// Projections of any angles in any order as rows of a sinogram that are evenly spread over half a turn or more.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sino::find_axis {

struct Turn {
  // A row between two projections: (1 - share) times the first, and share times the second.
  struct Mix {
    int64_t first, second;
    float share;
  };
  int64_t half = 0;      // rows of half a turn
  double arc = 0;        // radians, where that is all that the projections cover: less than half a turn
  std::vector<Mix> rows; // in steps of half a turn / half; at most those of a whole turn

  // Projections half a turn apart.
  int64_t opposites () const { return std::max<int64_t> (static_cast<int64_t> (rows.size ()) - half, 0); }
  bool whole () const { return static_cast<int64_t> (rows.size ()) == 2 * half; }
};

// Angles in radians. Returns why there is no half turn in them, or "".
std::string make_turn (std::span<const double> angles, Turn &turn);

} // namespace sino::find_axis
