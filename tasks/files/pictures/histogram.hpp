// SPDX-License-Identifier: LGPL-3.0-or-later
// Histogram of a stream whose range of values is known only at its end.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sino::files {

// A bin contains the numbers with the same first 19 bits: its width is at most 1/1024 of its values. So counts do not
// depend on the order of values or on a range, and extreme values do not reduce the resolution of others.
class Histogram
{
public:
  static constexpr size_t bins = 1 << 19, bytes = bins * sizeof (uint64_t);

  Histogram () : counts (bins) {}

  void count (const float *values, int64_t n);
  // Counts all values except zeros.
  void count_all_but_zeros (const float *values, int64_t n);
  void add (const Histogram &other);

  // The value below which a share of all finite values lies, to 1/1024 of it; NaN if there are none.
  double quantile (double share) const;

  // Counts in equal parts of a range.
  struct Bars {
    std::vector<double> counts;
    double below = 0, above = 0;
    uint64_t not_finite = 0, all = 0; // all: number of finite values
  };
  Bars bars (double low, double high, size_t number) const;

private:
  std::vector<uint64_t> counts;
};

} // namespace sino::files
