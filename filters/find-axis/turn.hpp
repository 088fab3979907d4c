// SPDX-License-Identifier: LGPL-3.0-or-later
// Arranges projections of any angles and order as rows of a sinogram, evenly spread over half a turn or more.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sino::find_axis {

struct Turn {
  // A row interpolated between two projections: (1 - share) * first + share * second.
  struct Mix {
    int64_t first, second;
    float share;
  };
  int64_t half = 0;      // number of rows in half a turn
  double arc = 0;        // radians covered by the projections if less than half a turn, else 0
  std::vector<Mix> rows; // in steps of half a turn / half; at most a full turn

  // Number of pairs of rows that are half a turn apart.
  int64_t opposites () const { return std::max<int64_t> (static_cast<int64_t> (rows.size ()) - half, 0); }
  bool whole () const { return static_cast<int64_t> (rows.size ()) == 2 * half; }
};

// Angles in radians. Returns why they contain no half turn, or "".
std::string make_turn (std::span<const double> angles, Turn &turn);

} // namespace sino::find_axis
