// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "device/fft.hpp"
#include "kernels/ramp-filter/spectrum.hpp"
#include <algorithm>
#include <cstring>

namespace sino::ramp_filter {

// Floats of complex values, rounded up so that what follows is aligned to 64 bytes, which the transforms need.
inline size_t aligned_floats (int64_t values)
{
  return (static_cast<size_t> (2 * values) + 15) / 16 * 16;
}

// Filters one row. Shared by all threads.
struct RowFilter {
  Fft fft; // transforms half the padded length
  SpectrumFilter factors;
  bool edges; // whether rows are padded with their first and last values instead of zeros

  RowFilter (const std::vector<double> &response, bool e)
      : fft (std::ssize (response) - 1), factors (spectrum_filter (response)), edges (e)
  {
  }

  int64_t padded () const { return 2 * fft.length (); }

  // `a` and `b` hold a padded row each, `work` what a transform needs; `from` and `to` may be the same.
  void run (const float *from, int64_t width, float *a, float *b, float *work, float *to) const
  {
    filter (from, width, a, b, work);
    std::copy (b, b + width, to);
  }
  // Leaves the row in `b`.
  void filter (const float *from, int64_t width, float *a, float *b, float *work) const
  {
    std::copy (from, from + width, a);
    if (edges) {
      const float left = from[0], right = from[width - 1];
      const auto middle = width + (padded () - width) / 2;
      std::fill (a + width, a + middle, right);
      std::fill (a + middle, a + padded (), left);
    } else
      std::memset (a + width, 0, static_cast<size_t> (padded () - width) * sizeof (float));
    const auto values = [] (float *row) { return reinterpret_cast<Fft::Value *> (row); };
    fft.forward (values (a), values (b), values (work));
    apply (factors, b, a);
    fft.backward (values (a), values (b), values (work));
  }
};

} // namespace sino::ramp_filter
