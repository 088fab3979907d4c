// SPDX-License-Identifier: LGPL-3.0-or-later
// Maps values between two limits to the whole range of an element type.
#pragma once
#include "stream/element.hpp"
#include <cstdint>

namespace sino::rescale {

struct Limits {
  double min, max;
};

// The result for the upper limit; the lower limit becomes 0.
constexpr double greatest (Element element)
{
  return element == Element::u8 ? 255 : element == Element::u16 ? 65535 : 1;
}

// Converts to u8 or u16, rounded to the nearest integer, ties to even, or to f32. Returns how many values were beyond
// the limits and were clamped. NaN becomes 0 in integers, which counts as clamped, and stays NaN in f32.
int64_t rescale (const float *values, int64_t n, const Limits &limits, Element to, void *out);

} // namespace sino::rescale
