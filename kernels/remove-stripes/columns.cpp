// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/remove-stripes/columns.hpp"
#include "kernels/remove-stripes/medians.hpp"
#include <cmath>

namespace sino::remove_stripes {

double mean_rank (const Shape &shape, const int32_t *strips, int64_t column, int64_t dropped)
{
  double sum = 0;
  for (int64_t s = 0; s < shape.strips (); s++) {
    const auto *keys = strips + shape.place (s, column);
    const auto begin = std::max<int64_t> (dropped - s * strip, 0),
               end = std::min (shape.width (s), shape.angles - dropped - s * strip);
    for (auto r = begin; r < end; r++)
      sum += static_cast<double> (value_of (keys[r]));
  }
  return sum / static_cast<double> (shape.angles - 2 * dropped);
}

void divide_column (const Shape &shape, int32_t *strips, int64_t column, float divisor)
{
  for (int64_t s = 0; s < shape.strips (); s++) {
    auto *keys = strips + shape.place (s, column);
    for (int64_t r = 0; r < shape.width (s); r++)
      keys[r] = key_of (value_of (keys[r]) / divisor);
  }
}

void copy_column (const Shape &shape, const int32_t *from, int64_t column, int32_t *to)
{
  for (int64_t s = 0; s < shape.strips (); s++)
    std::copy_n (from + shape.place (s, column), shape.width (s), to + shape.place (s, column));
}

float median_difference (const Shape &shape, const int32_t *strips, int64_t column, const int32_t *other_strips,
                         int64_t other, int32_t *scratch)
{
  for (int64_t s = 0; s < shape.strips (); s++) {
    const auto *keys = strips + shape.place (s, column), *others = other_strips + shape.place (s, other);
    for (int64_t r = 0; r < shape.width (s); r++)
      scratch[s * strip + r] = key_of (value_of (keys[r]) - value_of (others[r]));
  }
  return value_of (middle_of (scratch, shape.angles));
}

void lower_column (const Shape &shape, int32_t *strips, int64_t column, float by)
{
  if (!std::isfinite (by))
    return;
  for (int64_t s = 0; s < shape.strips (); s++) {
    auto *keys = strips + shape.place (s, column);
    for (int64_t r = 0; r < shape.width (s); r++)
      keys[r] = key_of (value_of (keys[r]) - by);
  }
}

} // namespace sino::remove_stripes
