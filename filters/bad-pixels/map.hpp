// SPDX-License-Identifier: LGPL-3.0-or-later
// The map of a detector's bad pixels.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sino::bad_pixels {

struct Map {
  int64_t width = 0, height = 0;
  std::vector<uint8_t> bad; // [row][column], 1: bad

  int64_t count () const { return std::ranges::count (bad, 1); }
  // Whether there is a good pixel to the left, right, above or below, at most `reach` away.
  bool is_mendable (int64_t column, int64_t row, int64_t reach) const;
  bool is_bad (int64_t column, int64_t row) const { return bad[static_cast<size_t> (row * width + column)] != 0; }

  // Distance to the nearest good pixel in a direction, 0 if there is none within reach.
  int64_t distance (int64_t column, int64_t row, int64_t right, int64_t down, int64_t reach) const;
};

} // namespace sino::bad_pixels
