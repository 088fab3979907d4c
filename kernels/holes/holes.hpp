// SPDX-License-Identifier: LGPL-3.0-or-later
// Values that are no numbers, or infinite, take those of their neighbours.
#pragma once
#include <cstdint>

namespace sino::holes {

// The value at a place on the line between two others, or that of the only one; a place that is negative is none.
inline float between (const float *values, int64_t left, int64_t at, int64_t right)
{
  if (left < 0 || right < 0)
    return values[left < 0 ? right : left];
  const auto to_left = static_cast<float> (at - left), to_right = static_cast<float> (right - at);
  return (values[left] * to_right + values[right] * to_left) / (to_left + to_right);
}

// A line of `n` values, of which each `step`-th one belongs to the same row. A hole lies on the line between the
// nearest numbers of its row, or is the one that there is, or `otherwise` where there is none. Gives back how many
// there were.
int64_t fill_holes (float *values, int64_t n, int64_t step, float otherwise);

// Whether all are finite.
bool all_finite (const float *values, int64_t n);

} // namespace sino::holes
