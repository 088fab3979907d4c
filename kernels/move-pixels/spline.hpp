// SPDX-License-Identifier: LGPL-3.0-or-later
// The coefficients of the cubic spline through values: each is a sum of the values around it, whose weights fall by
// 0.268 from one to the next, so that those further away than `spline_reach` are less than a float tells.
#pragma once
#include <cstdint>

namespace sino::move_pixels {

inline constexpr int64_t spline_reach = 13;

// to[i] from the values from[i * 1 - spline_reach * step], ..., from[i + spline_reach * step].
void spline_coefficients (const float *from, int64_t step, int64_t count, float *to);

} // namespace sino::move_pixels
