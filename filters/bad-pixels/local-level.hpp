// SPDX-License-Identifier: LGPL-3.0-or-later
// The level of an image around each pixel, robust against bad pixels.
#pragma once
#include "device/cpu.hpp"
#include <vector>

namespace sino::bad_pixels {

// First the median along a row, of values at most `local_reach` columns away, then the median of these along the
// column. NaN is ignored; the result is NaN if nothing else is left.
constexpr int64_t local_reach = 5;
std::vector<float> local_level (const std::vector<float> &image, int64_t width, int64_t height, const Cpu &cpu);

// The value at rank `place (n)`, where n is the number of values that are not NaN; NaN if n is 0. Reorders the values.
float ranked (float *values, int64_t count, int64_t (*place) (int64_t numbers));

} // namespace sino::bad_pixels
