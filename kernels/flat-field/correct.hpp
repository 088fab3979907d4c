// SPDX-License-Identifier: LGPL-3.0-or-later
// Converts counts to transmission (data - dark) / white, or absorption, -ln of it.
#pragma once
#include "stream/element.hpp"
#include <cstdint>
#include <limits>

namespace sino::flat_field {

// Lower limits before the logarithm: half a count or, for float values, which have no unit, a transmission.
inline constexpr float least_count = 0.5f, least_transmission = 0x1p-16f;

struct Reference {
  const float *dark, *white;    // white: flat - dark
  const float *later = nullptr; // white at a later time, with the weight `weight`
  float weight = 0;
  float top = std::numeric_limits<float>::infinity (); // data of at least this value is saturated: the result is NaN
};

// Returns how many values were below the limit. A result depends only on its value and reference.
int64_t correct (Element element, const void *data, const Reference &reference, bool absorption, int64_t n, float *out);

// widen () converts values to float, accumulate () adds them up. Exact for every element type.
void widen (Element element, const void *data, int64_t n, float *out);
// Leaves out values that are NaN or at least `top`.
void accumulate (Element element, const void *data, int64_t n, float top, double *sums, uint32_t *left_out);

} // namespace sino::flat_field
