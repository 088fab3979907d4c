// SPDX-License-Identifier: LGPL-3.0-or-later
// Loops over values before, between and after the transforms of phase retrieval.
//
// A real image is transformed as a complex one of half the width, M, with even columns as real parts and odd ones as
// imaginary parts. A response H that is even in both frequencies is applied to Z as to rows (ramp-filter/spectrum.hpp):
//   Z'[k, l] = p Z[k, l] + i q conj (Z[-k, M - l]),   p = a - b sin t,  q = b cos t,  t = pi l / M,
//   a = (H[k, l] + H[k, M - l]) / 2,  b = (H[k, l] - H[k, M - l]) / 2
// Columns l and M - l are filtered together. Column M - l is transformed backward, so that its value k is Z[-k, M - l]
// and both columns are read in the same order; it is transformed forward again afterwards.
#pragma once
#include <cstdint>

namespace sino::retrieve_phase {

// Computes 1 - transmission. Values that are not finite are replaced by the previous one in the row, or the next.
struct Seen {
  int64_t replaced = 0, strange = 0; // replaced: values that are not finite; strange: values outside (0, 4]
};
Seen load_row (const float *transmission, int64_t n, float *to);

// H at l and at M - l.
struct Responses {
  const float *here, *there;
  float sine, cosine; // sine and cosine of t
};
// Filters n complex values of column l, and of column M - l transformed backward.
void filter_columns (const Responses &h, int64_t n, float *column, float *mirrored);

// Attenuation from the filtered values, -ln (1 - filtered). Returns how many values were below the least transmission.
int64_t attenuation (const float *filtered, int64_t n, float *to);
// Attenuation from the transmission divided by its effect of propagation: -ln (I / (I + filtered)).
int64_t attenuation_aided (const float *filtered, const float *transmission, int64_t n, float *to);

} // namespace sino::retrieve_phase
