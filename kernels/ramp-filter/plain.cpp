// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/ramp-filter/plain.hpp"
#include <algorithm>
#include <numbers>

namespace sino::ramp_filter {

PlainFilter::PlainFilter (std::vector<float> r) : response (std::move (r))
{
  const auto half = std::ssize (response) - 1;
  for (int64_t k = 0; k < half; k++)
    roots.push_back (std::polar (
        1.0f, static_cast<float> (-std::numbers::pi * static_cast<double> (k) / static_cast<double> (half))));
}

// Radix 2, decimation in time (J. W. Cooley, J. W. Tukey, 1965).
void PlainFilter::transform (std::span<std::complex<float>> values) const
{
  const auto n = values.size ();
  for (size_t i = 1, j = 0; i < n; i++) { // j counts with reversed bits
    size_t bit = n / 2;
    for (; j & bit; bit /= 2)
      j ^= bit;
    j ^= bit;
    if (i < j)
      std::swap (values[i], values[j]);
  }
  for (size_t half = 1; half < n; half *= 2)
    for (size_t begin = 0; begin < n; begin += 2 * half)
      for (size_t k = 0; k < half; k++) {
        const auto root = roots[k * (n / 2 / half)];
        auto &a = values[begin + k], &b = values[begin + k + half];
        // Written out, because operator* handles infinities.
        const std::complex<float> turned{b.real () * root.real () - b.imag () * root.imag (),
                                         b.real () * root.imag () + b.imag () * root.real ()};
        b = a - turned;
        a += turned;
      }
}

void PlainFilter::run (std::span<const float> from, std::span<float> to) const
{
  const auto n = 2 * (response.size () - 1);
  std::vector<std::complex<float>> values (n);
  std::copy (from.begin (), from.end (), values.begin ());
  transform (values);
  for (size_t k = 0; k < n; k++)
    values[k] = std::conj (values[k]) * response[std::min (k, n - k)];
  transform (values); // the transform of the conjugate is the inverse's conjugate
  for (size_t i = 0; i < to.size (); i++)
    to[i] = values[i].real () / static_cast<float> (n);
}

} // namespace sino::ramp_filter
