// SPDX-License-Identifier: LGPL-3.0-or-later
// The loops over values of stitch-360.
#pragma once
#include <cstdint>
#include <span>

namespace sino::stitch_360 {

// out[i] = weights[i] values[i]
void weigh (const float *values, const float *weights, int64_t n, float *out);

// out[i] += weights[i] (sum over k of kernel[k] values[i + k step])
void add_filtered (const float *values, int64_t step, std::span<const float> kernel, const float *weights, int64_t n,
                   float *out);

} // namespace sino::stitch_360
