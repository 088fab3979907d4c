// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/spline.hpp"
#include <cmath>

namespace sino::move_pixels {

// The inverse of (z + 4 + 1 / z) / 6 is sqrt (3) sum over k of (sqrt (3) - 2)^|k| z^k.
static std::array<float, spline_reach + 1> inverse ()
{
  std::array<float, spline_reach + 1> list{};
  for (size_t k = 0; k < list.size (); k++)
    list[k] = static_cast<float> (std::sqrt (3.0) * std::pow (std::sqrt (3.0) - 2, static_cast<double> (k)));
  return list;
}

void spline_coefficients (const float *from, int64_t step, int64_t count, float *to)
{
  static const auto weight = inverse ();
  constexpr int64_t some = 64; // sums that stay in registers and the cache
  float sums[some];
  for (int64_t begin = 0; begin < count; begin += some) {
    const auto n = count - begin < some ? count - begin : some;
    const auto *middle = from + begin;
    for (int64_t i = 0; i < n; i++)
      sums[i] = weight[0] * middle[i];
    for (int64_t k = 1; k <= spline_reach; k++) {
      const auto *before = middle - k * step, *behind = middle + k * step;
      const float w = weight[static_cast<size_t> (k)];
      for (int64_t i = 0; i < n; i++)
        sums[i] += w * (before[i] + behind[i]);
    }
    for (int64_t i = 0; i < n; i++)
      to[begin + i] = sums[i];
  }
}

std::array<float, 4> spline_weights (float t)
{
  const float s = 1 - t;
  return {s * s * s / 6, (3 * t * t * t - 6 * t * t + 4) / 6, (3 * s * s * s - 6 * s * s + 4) / 6, t * t * t / 6};
}

} // namespace sino::move_pixels
