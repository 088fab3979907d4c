// SPDX-License-Identifier: LGPL-3.0-or-later
// Coefficients of the cubic spline through values: each is a weighted sum of the values around it. Weights fall by a
// factor of 0.268 per value, so beyond `spline_reach` they are below the precision of float.
#pragma once
#include <array>
#include <cstdint>

namespace sino::move_pixels {

inline constexpr int64_t spline_reach = 13;

// Weights of a value, and of those at a distance of 1, 2 ... from it.
using SplineWeights = std::array<float, spline_reach + 1>;
const SplineWeights &spline_weights ();

// to[i] is computed from from[i - spline_reach * step], ..., from[i + spline_reach * step].
void spline_coefficients (const float *from, int64_t step, int64_t count, float *to);

} // namespace sino::move_pixels
