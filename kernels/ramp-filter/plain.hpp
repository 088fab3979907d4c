// SPDX-License-Identifier: LGPL-3.0-or-later
// Filtering by a transform as textbooks have it: what faster ones are measured by.
#pragma once
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace sino::ramp_filter {

class PlainFilter
{
public:
  // `response`: of the frequencies from 0 to Nyquist's, of a padded length that is a power of two.
  explicit PlainFilter (std::vector<float> response);

  // Filters a row that is padded with zeros.
  void run (std::span<const float> from, std::span<float> to) const;

private:
  const std::vector<float> response;
  std::vector<std::complex<float>> roots;

  void transform (std::span<std::complex<float>> values) const;
};

} // namespace sino::ramp_filter
