// SPDX-License-Identifier: LGPL-3.0-or-later
// Counts to transmission (data - dark) / white, or absorption -ln of it.
#pragma once
#include "stream/element.hpp"
#include <cstdint>
#include <limits>

namespace sino::flat_field {

// Below these, absorption is taken of the limit: half a count, or, as float values have no unit, a transmission.
inline constexpr float least_count = 0.5f, least_transmission = 0x1p-16f;

struct Reference {
  const float *dark, *white;    // white: flat - dark
  const float *later = nullptr; // another white, of which `weight` is taken
  float weight = 0;
  float top = std::numeric_limits<float>::infinity (); // data from here on is of no use: the result is NaN
};

// Returns how many values were below the limit. A value's result depends on that value and its reference only.
int64_t correct (Element element, const void *data, const Reference &reference, bool absorption, int64_t n, float *out);

// The values as float, and their sums. Exact for every element type.
void widen (Element element, const void *data, int64_t n, float *out);
// What is not below `top` is no number.
void accumulate (Element element, const void *data, int64_t n, float top, double *sums, uint32_t *left_out);

} // namespace sino::flat_field
