// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/remove-stripes/columns.hpp"
#include <cmath>

namespace sino::remove_stripes {

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

void lower_column (const Shape &shape, int32_t *strips, int64_t column, float by)
{
  for (int64_t s = 0; s < shape.strips (); s++) {
    auto *keys = strips + shape.place (s, column);
    for (int64_t r = 0; r < shape.width (s); r++)
      keys[r] = key_of (value_of (keys[r]) - by);
  }
}

double beyond_error (double number, double error)
{
  constexpr double errors = 2;
  const auto most = errors * error;
  return std::abs (number) > most ? number * (1 - most * most / (number * number)) : 0;
}

void lower_line (const float *in, std::span<const Bridge> bridges, std::span<const float> by, float *out)
{
  for (size_t c = 0; c < by.size (); c++)
    out[c] = in[c] - by[c];
  for (size_t c = 0; c < bridges.size (); c++)
    if (!bridges[c].is_own ())
      out[c] = bridges[c].across (in) - by[c];
}

} // namespace sino::remove_stripes
