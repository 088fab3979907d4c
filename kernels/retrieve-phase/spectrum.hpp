// SPDX-License-Identifier: LGPL-3.0-or-later
// The passes over values around the transforms of phase retrieval.
//
// A real image is transformed as a complex one of half the width, M, with even columns as real parts and odd ones as
// imaginary parts. A response H that is even in both frequencies then works on Z as on rows (ramp-filter/spectrum.hpp):
//   Z'[k, l] = p Z[k, l] + i q conj (Z[-k, M - l]),   p = a - b sin t,  q = b cos t,  t = pi l / M,
//   a = (H[k, l] + H[k, M - l]) / 2,  b = (H[k, l] - H[k, M - l]) / 2
// Columns l and M - l go together. When the second is transformed backward its value k is Z[-k, M - l], so that both
// are passed in the same order; and forward again afterwards.
#pragma once
#include <cstdint>

namespace sino::retrieve_phase {

// 1 - transmission. Values that are not finite become what is before them in the row, or after.
struct Seen {
  int64_t replaced = 0, strange = 0; // values that are not finite; that are not within (0, 4]
};
Seen load_row (const float *transmission, int64_t n, float *to);

// H at l and at M - l.
struct Responses {
  const float *here, *there;
  float sine, cosine; // of t
};
// n complex values of column l, and of column M - l transformed backward.
void filter_columns (const Responses &h, int64_t n, float *column, float *mirrored);

// Attenuation of what the filter gave, -ln (1 - filtered). Returns how many values were below the least transmission.
int64_t attenuation (const float *filtered, int64_t n, float *to);
// The same of the transmission over what propagation has made of it: -ln (I / (I + filtered)).
int64_t attenuation_aided (const float *filtered, const float *transmission, int64_t n, float *to);

} // namespace sino::retrieve_phase
