// SPDX-License-Identifier: LGPL-3.0-or-later
// Some rows of each projection, with columns summed in bins: enough to find the eigen flats in the projection.
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

  // Allocates the memory. Call it once, before add ().
  void begin () { sums.resize (values (), NAN); }

  // Adds a block, which may hold any part of the bands. Any thread may call it.
  void add (const Block &block);
  // Bins of one row of a projection; NaN if the row was not seen.
  const float *line (int64_t row, int64_t projection) const { return &sums[place (row, projection)]; }

  // Sums the values of a line in bins, in the same way as for projections.
  void binned (const float *values, float *to) const;

private:
  int64_t columns = 0, angles = 0, bin = 1;
  std::vector<Rows> rows;
  std::vector<float> sums; // [row of the bands][projection][bin]

  size_t values () const;
  size_t place (int64_t row, int64_t projection) const;
};

} // namespace sino::dynamic_flats
