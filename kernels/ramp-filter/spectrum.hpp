// SPDX-License-Identifier: LGPL-3.0-or-later
// Applies a real, even filter to 2 M real samples with a complex transform of length M.
//
// Take even samples as real parts and odd ones as imaginary parts: z = x_even + i x_odd, and let Z be its transform.
// Splitting Z into the transforms of both halves, joining these to that of x, multiplying by the response H, and going
// the same way back comes down to
//   Z'[k] = p[k] Z[k] + i q[k] conj (Z[M - k])
//   a = (H[k] + H[M - k]) / 2,  b = (H[k] - H[M - k]) / 2,  t = pi k / M,  p = a - b sin t,  q = b cos t
// so that one transform of M each way and one pass over M values do it.
#pragma once
#include <vector>

namespace sino::ramp_filter {

// Each factor is stored twice, for the real and the imaginary part of its value.
struct SpectrumFilter {
  std::vector<float> p, q;
};

// `response`: H[0] .. H[M]. Includes division by M, for the unnormalised transforms.
SpectrumFilter spectrum_filter (const std::vector<double> &response);

// Computes Z' from Z, M complex values each; not in place.
void apply (const SpectrumFilter &filter, const float *from, float *to);

} // namespace sino::ramp_filter
