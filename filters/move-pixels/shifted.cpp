// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/shifted.hpp"
#include <algorithm>

namespace sino::move_pixels {

Shifted::Shifted (Element e, Extent image, Interpolation i, std::vector<Way> w, bool sinograms)
    : Resampled (e, image, i,
                 std::ranges::all_of (w, [] (const Way &way) { return way.y == 0; }) ? Mixes::columns
                                                                                     : Mixes::rows_too),
      angles (sinograms), ways (std::move (w))
{
  const auto [least, most] = std::ranges::minmax_element (ways, [] (const Way &a, const Way &b) { return a.y < b.y; });
  up = least->y;
  down = most->y;
}

void Shifted::points (int64_t frame, int64_t row, Interval columns, double *from_columns, double *from_rows) const
{
  const auto &way = ways[ways.size () == 1 ? 0 : static_cast<size_t> (angles ? row : frame)];
  fill (columns, from_columns, from_rows, [&] (int64_t column) {
    return Point{static_cast<double> (column) - way.x, static_cast<double> (row) - way.y};
  });
}

Resampled::Reach Shifted::reach_of (int64_t row) const
{
  return {static_cast<double> (row) - down, static_cast<double> (row) - up};
}

} // namespace sino::move_pixels
