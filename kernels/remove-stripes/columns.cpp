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
  for (int64_t s = 0; s < shape.strips (); s++) {
    auto *keys = strips + shape.place (s, column);
    for (int64_t r = 0; r < shape.width (s); r++)
      keys[r] = key_of (value_of (keys[r]) - by);
  }
}

double error_of_median (int32_t *keys, int64_t n, float median)
{
  for (int64_t i = 0; i < n; i++)
    keys[i] = key_of (std::abs (value_of (keys[i]) - median));
  // A normal distribution's standard deviation is 1.4826 times the median deviation; its median errs by 1.2533 / sqrt
  // (n) of it.
  return 1.4826 * 1.2533 * static_cast<double> (value_of (middle_of (keys, n))) / std::sqrt (static_cast<double> (n));
}

double beyond_error (double number, double error)
{
  constexpr double errors = 2;
  const auto most = errors * error;
  return std::abs (number) > most ? number * (1 - most * most / (number * number)) : 0;
}

void mean_of_angles (const Shape &group, const float *in, std::span<const Bridge> bridges, const Shape &means,
                     int64_t i, int32_t *strips)
{
  constexpr int64_t at_once = 64;
  const auto begin = i * group.angles / means.angles, end = (i + 1) * group.angles / means.angles;
  auto *to = strips + means.place (i / strip, 0) + i % strip;
  const auto step = means.width (i / strip);
  for (int64_t first = 0; first < group.columns; first += at_once) {
    const auto n = std::min (at_once, group.columns - first);
    float sum[at_once] = {}, count[at_once] = {};
    for (auto a = begin; a < end; a++) {
      const auto *row = in + a * group.columns;
      for (int64_t c = 0; c < n; c++) {
        const auto value = row[first + c];
        const bool is_number = std::isfinite (value);
        sum[c] += is_number ? value : 0;
        count[c] += is_number ? 1.0f : 0.0f;
      }
    }
    for (int64_t c = 0; c < n; c++)
      to[(first + c) * step] = key_of (sum[c] / count[c]);
  }
  for (int64_t c = 0; c < std::ssize (bridges); c++)
    if (const auto &bridge = bridges[static_cast<size_t> (c)]; !bridge.is_own ()) {
      float sum = 0;
      for (auto a = begin; a < end; a++)
        sum += bridge.across (in + a * group.columns);
      to[c * step] = key_of (sum / static_cast<float> (end - begin));
    }
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
