// SPDX-License-Identifier: LGPL-3.0-or-later
// How often values are, of a stream whose limits are not known before its end.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sino::files {

// A bin holds the numbers whose first 19 bits are the same: it is as wide as 1/1024 of its values or less. So the
// counts depend neither on the order of the values nor on a range, and a wild value takes no room from the others.
class Histogram
{
public:
  static constexpr size_t bins = 1 << 19, bytes = bins * sizeof (uint64_t);

  Histogram () : counts (bins) {}

  void count (const float *values, int64_t n);
  // Without those that are 0.
  void count_all_but_zeros (const float *values, int64_t n);
  void add (const Histogram &other);

  // What lies in equal parts of a range.
  struct Bars {
    std::vector<double> counts;
    double below = 0, above = 0;
    uint64_t not_finite = 0, all = 0; // all: that are finite
  };
  Bars bars (double low, double high, size_t number) const;

private:
  std::vector<uint64_t> counts;
};

} // namespace sino::files
