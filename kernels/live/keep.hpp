// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <cstdint>

namespace sino::live {

constexpr float largest_half = 65504;

// Stores values, times a weight, as halves. Those that are too large become the largest half. Returns their number,
// including those that are no numbers.
int64_t keep_halves (const float *values, int64_t n, float weight, uint16_t *halves);

} // namespace sino::live
