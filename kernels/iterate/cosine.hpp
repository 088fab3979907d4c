// SPDX-License-Identifier: LGPL-3.0-or-later
// Cosine transforms of lines (DCT-II, and its inverse). They turn differences between neighbours along a line, without
// any beyond its ends, into factors: the Laplacian at frequency k is 2 - 2 cos (pi k / length).
#pragma once
#include "kernels/iterate/line.hpp"
#include <vector>

namespace sino::iterate {

class Cosine
{
public:
  explicit Cosine (const Fft &f); // lines have f.length () values

  // Two lines at once, in place.
  void forward (float *a, float *b);
  void backward (float *a, float *b); // the inverse

private:
  const Fft &fft;
  Line line;
  std::vector<Complex> quarter_turns; // e^(i pi k / (2 length))
};

} // namespace sino::iterate
