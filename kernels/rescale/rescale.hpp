// SPDX-License-Identifier: LGPL-3.0-or-later
// Values between two limits, to the whole range of an element type.
#pragma once
#include "stream/element.hpp"
#include <cstdint>

namespace sino::rescale {

struct Limits {
  double min, max;
};

// What the greater limit becomes; the less one becomes 0.
constexpr double greatest (Element element)
{
  return element == Element::u8 ? 255 : element == Element::u16 ? 65535 : 1;
}

// To u8 or u16, rounded to the nearest integer, ties to even, or to f32. Gives back how many values were beyond the
// limits, and became those. NaN becomes 0 in integers, which counts as well, and stays NaN in f32.
int64_t rescale (const float *values, int64_t n, const Limits &limits, Element to, void *out);

} // namespace sino::rescale
