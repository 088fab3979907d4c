// SPDX-License-Identifier: LGPL-3.0-or-later
// Transforms any length by two transforms of a fast length that is at least twice as long. As
// j k = (j^2 + k^2 - (k - j)^2) / 2, a transform is a convolution with e^(pi i j^2 / n) between two multiplications
// (L. I. Bluestein, IEEE Trans. Audio Electroacoust. 18, 451, 1970).
#pragma once
#include "device/fft/plan.hpp"
#include <cstddef>

namespace sino {

class Chirp
{
public:
  Chirp (int64_t length, const FftKernel &kernel);

  // Parameters as those of FftKernel::transform; `work`: work_values (length).
  void transform (const float *from, float *to, float *work, bool back) const;

  static int64_t work_values (int64_t length) { return 3 * padded (length); }
  static size_t most_bytes (int64_t length);

private:
  static int64_t padded (int64_t length);

  const int64_t length;
  const FftPlan plan;
  std::vector<float> turns;    // e^(-pi i j^2 / n), complex
  std::vector<float> response; // transform of what is convolved with, divided by the padded length
};

} // namespace sino
