// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/cone-back-project/plain.hpp"
#include <cmath>

namespace sino::cone_back_project {

void add_line (const Volume &volume, int64_t y, int64_t z, const Projection &projection, const Values &values,
               float *line)
{
  const Vector start = volume.first + volume.size * Vector{0, static_cast<double> (y), static_cast<double> (z)};
  // Column, row and weight of voxel i are those of the first voxel plus i steps, divided by its depth.
  double at[3], step[3];
  for (size_t k = 0; k < 3; k++) {
    const auto &m = projection.matrix[k];
    at[k] = m[0] * start.x + m[1] * start.y + m[2] * start.z + m[3];
    step[k] = m[0] * volume.size;
  }
  const auto columns = static_cast<double> (values.columns);
  const auto top = static_cast<double> (values.rows.begin), bottom = static_cast<double> (values.rows.end);
  for (int64_t i = 0; i < volume.columns; i++) {
    const auto n = static_cast<double> (i);
    const double near = 1 / (at[2] + n * step[2]);
    const double u = (at[0] + n * step[0]) * near - 0.5, v = (at[1] + n * step[1]) * near - 0.5 - top;
    if (!(u > -1 && u < columns && v > -1 && v < bottom - top))
      continue;
    const double left = std::floor (u), above = std::floor (v);
    const auto column = static_cast<int64_t> (left), row = static_cast<int64_t> (above);
    const auto value = [&] (int64_t c, int64_t r) {
      const bool seen = c >= 0 && c < values.columns && r >= 0 && r < values.rows.size ();
      return seen ? static_cast<double> (values.data[r * values.columns + c]) : 0.0;
    };
    const double right = u - left, down = v - above;
    const double upper = value (column, row) + right * (value (column + 1, row) - value (column, row));
    const double lower = value (column, row + 1) + right * (value (column + 1, row + 1) - value (column, row + 1));
    line[i] += static_cast<float> (projection.weight * near * near * (upper + down * (lower - upper)));
  }
}

} // namespace sino::cone_back_project
