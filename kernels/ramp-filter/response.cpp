// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/ramp-filter/response.hpp"
#include <cmath>
#include <numbers>

namespace sino::ramp_filter {
using std::numbers::pi;

Ramp::Ramp (int64_t n) : length (n), cosine (static_cast<size_t> (n)), weights (static_cast<size_t> (n / 4))
{
  for (int64_t i = 0; i < n; i++)
    cosine[static_cast<size_t> (i)] = std::cos (2 * pi * static_cast<double> (i) / static_cast<double> (n));
  for (size_t i = 0; i < weights.size (); i++) // samples 2i + 1 and -(2i + 1)
    weights[i] = -2 / std::pow (pi * static_cast<double> (2 * i + 1), 2);
}

double Ramp::at (int64_t k) const
{
  double sum = 0;
  int64_t phase = k % length;
  for (const double weight : weights) {
    sum += weight * cosine[static_cast<size_t> (phase)];
    phase = (phase + 2 * k) % length;
  }
  return 0.25 + sum;
}

double window_at (Window window, double frequency, double cutoff, int order, double power)
{
  const double x = frequency / cutoff;
  if (window == Window::none)
    return 1;
  if (window == Window::butterworth) // smooth; the only window that continues beyond its cutoff
    return 1 / (1 + std::pow (x, 2 * order));
  if (x > 1)
    return 0;
  const auto sinc = x > 0 ? std::sin (pi * x / 2) / (pi * x / 2) : 1;
  switch (window) {
  case Window::shepp_logan:
    return sinc;
  case Window::sinc:
    return std::pow (sinc, power);
  case Window::cosine:
    return std::cos (pi * x / 2);
  case Window::hann:
    return 0.5 + 0.5 * std::cos (pi * x);
  case Window::hamming:
    return 0.54 + 0.46 * std::cos (pi * x);
  case Window::parzen:
    return x <= 0.5 ? 1 - 6 * x * x * (1 - x) : 2 * std::pow (1 - x, 3);
  default:
    return 1;
  }
}

} // namespace sino::ramp_filter
