// SPDX-License-Identifier: LGPL-3.0-or-later
// Filtering with a textbook transform: the reference for faster ones.
#pragma once
#include <complex>
#include <span>
#include <vector>

namespace sino::ramp_filter {

class PlainFilter
{
public:
  // `response`: at the frequencies from 0 to Nyquist's, for a padded length that is a power of two.
  explicit PlainFilter (std::vector<float> response);

  // Filters a row, padded with zeros.
  void run (std::span<const float> from, std::span<float> to) const;

private:
  const std::vector<float> response;
  std::vector<std::complex<float>> roots;

  void transform (std::span<std::complex<float>> values) const;
};

} // namespace sino::ramp_filter
