// SPDX-License-Identifier: LGPL-3.0-or-later
// Cosines between the rays of a detector row and a direction: a linear function divided by the root of a polynomial.
#pragma once
#include <cstdint>

namespace sino::cone_weight {

// At value i of a row: (along + i along_step) / sqrt (square + i (slope + i bend)).
struct Cosines {
  float along, along_step, square, slope, bend;
};

// out[i] = cosine times shares[i] times in[i]. A result depends on values at its index only.
void weigh (const Cosines &cosines, const float *shares, const float *in, int64_t n, float *out);

} // namespace sino::cone_weight
