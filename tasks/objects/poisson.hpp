// SPDX-License-Identifier: LGPL-3.0-or-later
// Exact Poisson samples from counters. The last word of the counter counts attempts and must be 0 at first.
#pragma once
#include "tasks/objects/philox.hpp"
#include <cmath>

namespace sino::objects {

// log (k!). For k of at least 9 by Stirling's series, with an error below 1e-10; for smaller k from the product.
inline double log_factorial (double k)
{
  if (k < 9) {
    double product = 1;
    for (double i = 2; i <= k; i++)
      product *= i;
    return std::log (product);
  }
  const double n = k + 1, r = 1 / (n * n);
  return (n - 0.5) * std::log (n) - n + 0.9189385332046727 + (1 / 12.0 - (1 / 360.0 - r / 1260) * r) / n;
}

// Inverts the distribution function step by step: for small means.
inline double poisson_by_inversion (double mean, double u)
{
  double p = std::exp (-mean), k = 0;
  while (u > p && p > 0) {
    u -= p;
    p *= mean / ++k;
  }
  return k;
}

// W. Hoermann, "The transformed rejection method for generating Poisson random variables", Insurance: Mathematics and
// Economics 12 (1993), algorithm PTRS: for means of at least 10.
inline double poisson_by_rejection (double mean, Words counter, std::array<uint32_t, 2> key)
{
  const double b = 0.931 + 2.53 * std::sqrt (mean), a = -0.059 + 0.02483 * b;
  const double quick = 0.9277 - 3.6224 / (b - 2);
  for (;; counter[3]++) {
    const Words words = philox (counter, key);
    const double u = uniform (words[0], words[1]) - 0.5, v = uniform (words[2], words[3]);
    const double us = 0.5 - std::abs (u);
    const double k = std::floor ((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= quick)
      return k;
    if (k < 0 || (us < 0.013 && v > us))
      continue;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    if (std::log (v * inverse_alpha / (a / (us * us) + b)) <= k * std::log (mean) - mean - log_factorial (k))
      return k;
  }
}

inline double poisson (double mean, const Words &counter, std::array<uint32_t, 2> key)
{
  if (mean >= 10)
    return poisson_by_rejection (mean, counter, key);
  if (mean <= 0)
    return 0;
  const Words words = philox (counter, key);
  return poisson_by_inversion (mean, uniform (words[0], words[1]));
}

} // namespace sino::objects
