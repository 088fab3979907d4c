// SPDX-License-Identifier: LGPL-3.0-or-later
// The normal operator of a parallel beam, T = A^T A / projections, which is a convolution.
//
// A ray's row over a period of P bins, with pixels that are squares and bins that are intervals (both as a share of the
// frequencies that P bins have):
//
//   (A x)_k = H (v) sum over pixels of x e^(-2 pi i v (x cos - y sin)),  v = k / P,  |k| < P / 2
//   H (v) = sinc (v) sinc (v cos) sinc (v sin)
//
// So T at the lag (x, y) is 1 / P times the sum over rays of their weight, which is about 1 / projections, times the
// sum over k of H^2 (v) cos (2 pi v (x cos - y sin)), a transform from scattered frequencies. Gridding computes it:
// kernels/fourier-reconstruct/gridding.hpp, here with twice as many cells as lags and a wider phi, for an error of
// 1e-8.
#pragma once
#include "device/cpu.hpp"
#include "kernels/back-project/back-project.hpp"
#include <cmath>
#include <numbers>
#include <vector>

namespace sino::iterate {

using back_project::Ray;

inline double sinc (double v)
{
  const double x = std::numbers::pi * v;
  return std::abs (x) < 1e-8 ? 1 : std::sin (x) / x;
}
// H; v in cycles per bin.
inline double response (double v, double cos, double sin)
{
  return sinc (v) * sinc (v * cos) * sinc (v * sin);
}

// T at the lags |x| <= size, -size <= y < size. T (x, y) = T (-x, -y).
struct Lags {
  int64_t size;
  std::vector<float> values; // [x, 0 .. size][y + size, 2 size values]

  const float *column (int64_t x) const { return values.data () + x * 2 * size; }
  double middle () const { return static_cast<double> (column (0)[size]); } // T (0, 0)
};

// `size`: a result of fourier_reconstruct::good_length (); `padded`: P.
Lags lags_of (int64_t size, std::span<const Ray> rays, int64_t padded, const Cpu &cpu);

// The frequencies of values c (x, y) = c (-x, -y) with a period in both directions; they are real. `columns`: [x, 0 ..
// period / 2][y, period values]; the result: [frequency in y][frequency in x].
std::vector<float> even_frequencies (int64_t period, std::vector<float> columns, const Cpu &cpu);

// T's frequencies over 2 size x 2 size, in which the lag -size does not count.
std::vector<float> normal_frequencies (const Lags &lags, const Cpu &cpu);

} // namespace sino::iterate
