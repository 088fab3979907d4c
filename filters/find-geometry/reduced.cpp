// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-geometry/reduced.hpp"
#include "base/cancellation.hpp"
#include "base/divide-up.hpp"

namespace sino::find_geometry {

// An error of a hundredth of a column of 512 moves nothing in a slice by more than a tenth of a column of 4096.
constexpr int64_t most_columns = 512, most_rows = 192, most_values = int64_t{1} << 25;

Reduction reduction_of (int64_t columns, int64_t rows, int64_t projections)
{
  Reduction reduction;
  reduction.column_bin = divide_up (columns, most_columns);
  reduction.row_bin = divide_up (rows, most_rows);
  reduction.columns = columns / reduction.column_bin;
  reduction.rows = rows / reduction.row_bin;
  reduction.step = divide_up (reduction.columns * reduction.rows * projections, most_values);
  reduction.views = divide_up (projections, reduction.step);
  return reduction;
}

void smooth (float *values, const Lines &lines)
{
  std::vector<float> before (lines.length);
  for (size_t line = 0; line < lines.number; line++) {
    float *first = values + line * lines.apart;
    for (size_t i = 0; i < lines.length; i++)
      before[i] = first[i * lines.step];
    for (size_t i = 2; i + 2 < lines.length; i++)
      first[i * lines.step] =
          (before[i - 2] + before[i + 2]) / 16 + (before[i - 1] + before[i + 1]) / 4 + before[i] * 3 / 8;
  }
}

void smooth (Reduced &scan)
{
  const auto columns = static_cast<size_t> (scan.columns), rows = static_cast<size_t> (scan.rows);
  for (int64_t view = 0; view < scan.views (); view++) {
    step_unless_cancelled ();
    float *image = scan.values.data () + static_cast<size_t> (view) * columns * rows;
    smooth (image, {.number = rows, .apart = columns, .length = columns, .step = 1});
    smooth (image, {.number = columns, .apart = 1, .length = rows, .step = columns});
  }
}

} // namespace sino::find_geometry
