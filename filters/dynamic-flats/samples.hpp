// SPDX-License-Identifier: LGPL-3.0-or-later
// What each projection has in some rows, its columns summed in bins: enough to tell which flat it was taken with.
#pragma once
#include "stream/block.hpp"
#include <cmath>

namespace sino::dynamic_flats {

class Samples
{
public:
  Samples () = default;
  explicit Samples (const Format &projections);

  const std::vector<Rows> &bands () const { return rows; }
  int64_t bins () const { return divide_up (columns, bin); }
  int64_t projections () const { return angles; }
  size_t bytes () const { return values () * sizeof (float); }

  // Takes the memory, once, of which there is none before.
  void begin () { sums.resize (values (), NAN); }

  // Any thread, with any part of the bands.
  void add (const Block &block);
  // The bins of a row of a projection; NaN where it was not seen.
  const float *line (int64_t row, int64_t projection) const { return &sums[place (row, projection)]; }

  // Sums values over a line's bins, as those of the projections are.
  void binned (const float *values, float *to) const;

private:
  int64_t columns = 0, angles = 0, bin = 1;
  std::vector<Rows> rows;
  std::vector<float> sums; // (row of the bands, projection, bin)

  size_t values () const;
  size_t place (int64_t row, int64_t projection) const;
};

} // namespace sino::dynamic_flats
