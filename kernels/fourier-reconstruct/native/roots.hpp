// SPDX-License-Identifier: LGPL-3.0-or-later
// e^(2 pi i k / N) for short transforms. Outside of the namespaces of instruction sets: tables are computed when the
// module is loaded, with instructions that every CPU has.
#pragma once
#include <cmath>
#include <numbers>

namespace sino::fourier_reconstruct {

template <int N> struct Roots {
  float of[N][2];

  Roots ()
  {
    for (int k = 0; k < N; k++) {
      of[k][0] = static_cast<float> (std::cos (2 * std::numbers::pi * k / N));
      of[k][1] = static_cast<float> (std::sin (2 * std::numbers::pi * k / N));
    }
  }
};
template <int N> inline const Roots<N> roots;

} // namespace sino::fourier_reconstruct
