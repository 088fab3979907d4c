// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/bad-pixels/map.hpp"

namespace sino::bad_pixels {

int64_t Map::distance (int64_t column, int64_t row, int64_t right, int64_t down, int64_t reach) const
{
  for (int64_t n = 1; n <= reach; n++) {
    const auto x = column + n * right, y = row + n * down;
    if (x < 0 || x >= width || y < 0 || y >= height)
      return 0;
    if (!is_bad (x, y))
      return n;
  }
  return 0;
}

bool Map::is_mendable (int64_t column, int64_t row, int64_t reach) const
{
  return distance (column, row, -1, 0, reach) > 0 || distance (column, row, 1, 0, reach) > 0 ||
         distance (column, row, 0, -1, reach) > 0 || distance (column, row, 0, 1, reach) > 0;
}

} // namespace sino::bad_pixels
