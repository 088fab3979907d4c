// SPDX-License-Identifier: LGPL-3.0-or-later
// A scan that is reduced so far that all methods can keep it in memory and look at it often.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sino::find_geometry {

// How much a scan is reduced: bins of columns and rows, and every `step`-th projection.
struct Reduction {
  int64_t column_bin = 1, row_bin = 1, step = 1;
  int64_t columns = 0, rows = 0, views = 0;
  size_t bytes () const { return static_cast<size_t> (columns * rows * views) * sizeof (float); }
};
Reduction reduction_of (int64_t columns, int64_t rows, int64_t projections);

struct Reduced {
  int64_t columns = 0, rows = 0;
  std::vector<double> angles; // radians, one per view
  std::vector<double> shares; // share of the turn that each view represents; the sum is 1
  int64_t directions = 0;     // number of different angles
  std::vector<float> values;  // view, row, column

  int64_t views () const { return static_cast<int64_t> (angles.size ()); }
  const float *row (int64_t view, int64_t row) const
  {
    return values.data () + static_cast<size_t> ((view * rows + row) * columns);
  }
};

// Takes the details out that interpolation cannot follow: a binomial of five columns and five rows.
void smooth (Reduced &scan);
// The same along some lines of values: where each begins, and how far the next value is.
struct Lines {
  size_t number, apart, length, step;
};
void smooth (float *values, const Lines &lines);

// One image: rows of `columns` values.
struct Image {
  int64_t columns = 0, rows = 0;
  std::vector<float> values;
  const float *row (int64_t row) const { return values.data () + static_cast<size_t> (row * columns); }
};

} // namespace sino::find_geometry
