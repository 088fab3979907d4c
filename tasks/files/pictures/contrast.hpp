// SPDX-License-Identifier: LGPL-3.0-or-later
// Which values of an image become black and white.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace sino::files {

// The values below and above which 0.1 % lie, so that a few wild pixels do not decide. Of a slice, what is exactly 0
// outside the inscribed circle was not reconstructed and does not count; nor does what is no number.
std::pair<float, float> contrast (const std::vector<float> &image, int64_t lines, int64_t columns, bool slice);

// The same for several images: adds the values of one that count, and gives the limits of all of them.
void add_counting (std::vector<float> &values, const std::vector<float> &image, int64_t lines, int64_t columns,
                   bool slice);
std::pair<float, float> contrast (std::vector<float> values);

// 0 for `black` and below, the greatest integer of `bits` for `white` and above.
std::vector<uint16_t> grey (const std::vector<float> &image, double black, double white, int bits);

} // namespace sino::files
