// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the values of an image that become black and white.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sino::files {

// The quantiles at 0.1 % and 99.9 %, so that a few extreme pixels have no effect. In a slice, exact zeros outside the
// inscribed circle were not reconstructed and do not count; NaN never counts.
std::pair<float, float> contrast (const std::vector<float> &image, int64_t lines, int64_t columns, bool slice);

// The same for several images: add_counting () adds the values of one image that count, contrast () returns the limits
// for all.
void add_counting (std::vector<float> &values, const std::vector<float> &image, int64_t lines, int64_t columns,
                   bool slice);
std::pair<float, float> contrast (const std::vector<float> &values);
constexpr size_t contrast_bytes = size_t{2} << 19; // memory that contrast () takes for itself

// Black and white as given, otherwise those found; white is above black.
std::pair<double, double> limits (std::pair<float, float> found, std::optional<double> black,
                                  std::optional<double> white);

// Maps `black` and below to 0, `white` and above to the greatest integer of `bits`.
std::vector<uint16_t> grey (const std::vector<float> &image, double black, double white, int bits);

} // namespace sino::files
