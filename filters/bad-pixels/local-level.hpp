// SPDX-License-Identifier: LGPL-3.0-or-later
// The level of an image about each pixel, however bad the pixel and some of those beside it are.
#pragma once
#include "device/cpu.hpp"
#include <vector>

namespace sino::bad_pixels {

// The median of a row's values at most `local_reach` columns away, and of these the median along the columns. What is
// no number is left out; NaN where nothing is left.
constexpr int64_t local_reach = 5;
std::vector<float> local_level (const std::vector<float> &image, int64_t width, int64_t height, const Cpu &cpu);

// The value that has a place in the order of those that are numbers, of which there are as many as `place` is told; NaN
// where there is none. Changes the order of the values.
float ranked (float *values, int64_t count, int64_t (*place) (int64_t numbers));

} // namespace sino::bad_pixels
