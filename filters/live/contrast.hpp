// SPDX-License-Identifier: LGPL-3.0-or-later
// Grey values of a picture: which of its values become black and white.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace sino::live {

struct Contrast {
  double black = 0.1, white = 99.9;
  bool percent = true; // of the pixels that are darker; otherwise these are values

  friend bool operator== (const Contrast &, const Contrast &) = default;
};

struct GreyRange {
  double black, white;
};

// "auto", "0:0.02" or "1%:99%". Throws Error.
Contrast parse_contrast (const std::string &word);
// Throws if black is not below white.
void check_contrast (const Contrast &contrast, const std::string &word);

// The values of a picture that become black and white.
GreyRange range_of (const Contrast &contrast, std::span<const float> values);
// Grey values from 0 to 255, rounded; NaN becomes 0.
void to_grey (const GreyRange &range, std::span<const float> values, uint8_t *to);

} // namespace sino::live
