// SPDX-License-Identifier: LGPL-3.0-or-later
// Replaces NaN and infinite values from their neighbours.
#pragma once
#include <cstdint>

namespace sino::holes {

// Interpolates linearly between values at two indices, or returns the only value. A negative index means no value.
inline float between (const float *values, int64_t left, int64_t at, int64_t right)
{
  if (left < 0 || right < 0)
    return values[left < 0 ? right : left];
  const auto to_left = static_cast<float> (at - left), to_right = static_cast<float> (right - at);
  return (values[left] * to_right + values[right] * to_left) / (to_left + to_right);
}

// Fills the holes of a line of `n` values; values that are `step` apart belong to the same row. A hole is interpolated
// between the nearest finite values of its row. If the row has only one finite value, the hole gets this value, and
// `otherwise` if it has none. Returns the number of holes.
int64_t fill_holes (float *values, int64_t n, int64_t step, float otherwise);

} // namespace sino::holes
