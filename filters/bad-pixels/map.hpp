// SPDX-License-Identifier: LGPL-3.0-or-later
// Which pixels of a detector are bad.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sino::bad_pixels {

struct Map {
  int64_t width = 0, height = 0;
  std::vector<uint8_t> bad; // (row, column), 1 where it is

  int64_t count () const;
  // Whether a good pixel stands at most so far to one of its sides.
  bool is_mendable (int64_t column, int64_t row, int64_t reach) const;
  bool is_bad (int64_t column, int64_t row) const { return bad[static_cast<size_t> (row * width + column)] != 0; }

  // The distance to the nearest good pixel in a direction, 0 where there is none within reach.
  int64_t distance (int64_t column, int64_t row, int64_t right, int64_t down, int64_t reach) const;
};

} // namespace sino::bad_pixels
