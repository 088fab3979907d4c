// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/fourier-reconstruct/kaiser-bessel.hpp"
#include <cmath>
#include <numbers>
#include <utility>

namespace sino::fourier_reconstruct {
using std::numbers::pi;

double bessel_i0 (double x)
{
  double sum = 1, term = 1;
  for (int k = 1; term > 1e-17 * sum; k++) {
    term *= (x / 2 / k) * (x / 2 / k);
    sum += term;
  }
  return sum;
}

// Converts values at the Chebyshev nodes cos (pi (i + 1/2) / n) to coefficients of z^0, z^1, ... (discrete cosine
// transform, then T_m (z) = 2 z T_(m-1) - T_(m-2)).
static std::vector<double> polynomial_through (const std::vector<double> &values)
{
  const auto n = values.size ();
  std::vector<double> sum (n, 0.0), t0 (n, 0.0), t1 (n, 0.0);
  t0[0] = 1;
  t1[n > 1 ? 1 : 0] = 1;
  for (size_t m = 0; m < n; m++) {
    double c = 0;
    for (size_t i = 0; i < n; i++)
      c += values[i] *
           std::cos (pi * static_cast<double> (m) * (static_cast<double> (i) + 0.5) / static_cast<double> (n));
    c *= (m == 0 ? 1.0 : 2.0) / static_cast<double> (n);
    for (size_t j = 0; j < n; j++)
      sum[j] += c * t0[j];
    std::vector<double> t2 (n, 0.0);
    for (size_t j = 0; j < n; j++)
      t2[j] = (j > 0 ? 2 * t1[j - 1] : 0) - t0[j];
    t0 = std::exchange (t1, std::move (t2));
  }
  return sum;
}

KaiserBessel::KaiserBessel (int width, double oversampling) : width_ (width), degree_ (width + 3)
{
  const double w = width, s = oversampling;
  // Beatty's beta minimises the largest error; a slightly larger one reduces the root mean square inside the circle.
  const double more = width <= 4 ? 1.04 : 1.02;
  beta = more * pi * std::sqrt (w * w / (s * s) * (s - 0.5) * (s - 0.5) - 0.8);
  const auto phi = [&] (double u) {
    const double inside = 1 - 4 * u * u / (w * w);
    return inside <= 0 ? (inside < -1e-9 ? 0 : 1 / bessel_i0 (beta))
                       : bessel_i0 (beta * std::sqrt (inside)) / bessel_i0 (beta);
  };
  const auto powers = static_cast<size_t> (degree_) + 1;
  coefficients_.resize (powers * static_cast<size_t> (width));
  for (int t = 0; t < width; t++) {
    std::vector<double> values (powers);
    for (size_t i = 0; i < powers; i++) {
      const double z = std::cos (pi * (static_cast<double> (i) + 0.5) / static_cast<double> (powers));
      values[i] = phi (t - w / 2 + (z + 1) / 2);
    }
    const auto c = polynomial_through (values);
    for (size_t d = 0; d < powers; d++)
      coefficients_[(powers - 1 - d) * static_cast<size_t> (width) + static_cast<size_t> (t)] =
          static_cast<float> (c[d]);
  }
}

double KaiserBessel::at (int cell, double f) const
{
  double value = 0;
  for (int d = 0; d <= degree_; d++)
    value = value * (2 * f - 1) +
            static_cast<double> (
                coefficients_[static_cast<size_t> (d) * static_cast<size_t> (width_) + static_cast<size_t> (cell)]);
  return value;
}

double KaiserBessel::transform (double x) const
{
  constexpr int steps = 64; // steps of Simpson's rule per cell: exact to 1e-8
  double sum = 0;
  for (int t = 0; t < width_; t++)
    for (int i = 0; i <= steps; i++) {
      const double f = static_cast<double> (i) / steps, u = t - 0.5 * width_ + f;
      const double weight = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;
      sum += weight * at (t, f) * std::cos (2 * pi * x * u);
    }
  return sum / (3 * steps);
}

} // namespace sino::fourier_reconstruct
