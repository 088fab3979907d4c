// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/borders/watch.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace sino::borders {

namespace {

constexpr double most = 0.15; // highest value at a border that counts as zero, as a share of the row's mean
// rows with a smaller mean show too little of the object; as a share of the greatest mean of a row
constexpr double empty = 0.3;
constexpr double few = 0.1; // as a share of the rows: fewer rows that are not zero at a border cause no message
constexpr int64_t least_rows = 8;

// Positive values as powers of 2^(1/32), rounded down.
int power_of (double value)
{
  return static_cast<int> (std::floor (32 * std::log2 (value)));
}

} // namespace

void Watch::see (const float *row, int64_t columns, int64_t stride)
{
  const auto wide = std::min (columns, std::max<int64_t> (columns / 64, 3));
  const auto mean = [&] (int64_t begin, int64_t end) {
    double sum = 0;
    for (auto c = begin; c < end; c++)
      sum += static_cast<double> (row[c * stride]);
    return sum / static_cast<double> (end - begin);
  };
  const double all = mean (0, columns), first = mean (0, wide), last = mean (columns - wide, columns);
  if (!(all > 0) || std::isinf (all))
    return;
  const std::lock_guard guard (mutex);
  auto &some = seen[power_of (all)];
  some.rows++;
  some.left += first > most * all;
  some.right += last > most * all;
}

void Watch::tell ()
{
  int64_t rows = 0, left = 0, right = 0;
  if (!seen.empty ())
    for (auto at = seen.upper_bound (seen.rbegin ()->first + power_of (empty)); at != seen.end (); ++at) {
      rows += at->second.rows;
      left += at->second.left;
      right += at->second.right;
    }
  const auto many = [&] (int64_t n) { return static_cast<double> (n) > few * static_cast<double> (rows); };
  if (rows < least_rows || (!many (left) && !many (right)))
    return;
  const auto *const where = many (left) && many (right) ? "both borders"
                            : many (left)               ? "the left border"
                                                        : "the right border";
  messages.add (text ("values do not fall to zero at %s of the detector in %.0f %% of the rows: the object extends "
                      "beyond it, or the flats are brighter than the beam; slices are wrong near the border and beyond "
                      "it, and less wrong with padding-mode=edge",
                      where, 100 * static_cast<double> (std::max (left, right)) / static_cast<double> (rows)));
}

} // namespace sino::borders
