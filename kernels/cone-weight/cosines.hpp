// SPDX-License-Identifier: LGPL-3.0-or-later
// The cosine of each ray of a detector's row against a direction, which is a quotient of polynomials under a root.
#pragma once
#include <cstdint>

namespace sino::cone_weight {

// At value i of the row, (along + i along_step) / sqrt (square + i (slope + i bend)).
struct Cosines {
  float along, along_step, square, slope, bend;
};

// out[i] = cosine times shares[i] times in[i]. A value depends on its own place only.
void weigh (const Cosines &cosines, const float *shares, const float *in, int64_t n, float *out);

} // namespace sino::cone_weight
