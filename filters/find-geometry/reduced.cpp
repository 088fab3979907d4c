// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-geometry/reduced.hpp"
#include "base/cancellation.hpp"
#include "base/divide-up.hpp"
#include <algorithm>
#include <cmath>

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

void smooth (Reduced &scan)
{
  const auto columns = static_cast<size_t> (scan.columns), rows = static_cast<size_t> (scan.rows);
  std::vector<float> before (columns * rows);
  const auto pass = [&] (float *image, size_t lines, size_t line_step, size_t number, size_t step) {
    std::copy (image, image + before.size (), before.begin ());
    for (size_t line = 0; line < lines; line++)
      for (size_t i = 2; i + 2 < number; i++) {
        const size_t at = line * line_step + i * step;
        image[at] = (before[at - 2 * step] + before[at + 2 * step]) / 16 + (before[at - step] + before[at + step]) / 4 +
                    before[at] * 3 / 8;
      }
  };
  for (int64_t view = 0; view < scan.views (); view++) {
    step_unless_cancelled ();
    float *image = scan.values.data () + static_cast<size_t> (view) * before.size ();
    pass (image, rows, columns, columns, 1);
    pass (image, columns, 1, rows, columns);
  }
}

} // namespace sino::find_geometry
