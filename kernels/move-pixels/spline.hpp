// SPDX-License-Identifier: LGPL-3.0-or-later
// Coefficients of the cubic spline through values: each is a weighted sum of the values around it. Weights fall by a
// factor of 0.268 per value, so beyond `spline_reach` they are below the precision of float.
#pragma once
#include <cstdint>

namespace sino::move_pixels {

inline constexpr int64_t spline_reach = 13;

// to[i] is computed from from[i - spline_reach * step], ..., from[i + spline_reach * step].
void spline_coefficients (const float *from, int64_t step, int64_t count, float *to);

} // namespace sino::move_pixels
