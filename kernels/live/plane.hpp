// SPDX-License-Identifier: LGPL-3.0-or-later
// Pictures of any plane through a volume that a parallel beam sees, and the filtered projections that they are made of.
//
// A point (x, y) from the axis, in detector columns, and in row v is seen at
//
//   u = origin + x cos - y sin,   v
//
// A plane always has a direction that is horizontal. Lines of a picture run along it, so all pixels of a line need the
// same row of a projection, or the blend of the same two.
#pragma once
#include "base/divide-up.hpp"
#include <cstddef>
#include <cstdint>

namespace sino::live {

struct Plane {
  double x, y, row; // middle of the picture
  double right[2];  // step to the next pixel of a line: x and y, together at most a column
  double down[3];   // step to the next line: x, y, row
  int64_t width, height;

  // Pixels from line to line in memory; the last ones are not part of the picture.
  int64_t stride () const { return round_up (width, 16); }
  double row_of (int64_t line) const
  {
    return row + (static_cast<double> (line) - 0.5 * static_cast<double> (height - 1)) * down[2];
  }
};

// A projection as the planes see it.
struct Sight {
  int64_t place; // of the projection in memory
  double cos, sin;
  double origin; // position of the axis, in columns from the middle of column 0
  float factor;  // 1 to add it, -1 to take it away

  // Columns from one pixel of a line to the next, from line to line, and of the first pixel.
  double right (const Plane &plane) const { return plane.right[0] * cos - plane.right[1] * sin; }
  double down (const Plane &plane) const { return plane.down[0] * cos - plane.down[1] * sin; }
  double first (const Plane &plane) const
  {
    return origin + plane.x * cos - plane.y * sin - 0.5 * static_cast<double> (plane.width - 1) * right (plane) -
           0.5 * static_cast<double> (plane.height - 1) * down (plane);
  }
};

// Filtered projections in memory, as IEEE halves or floats. Each row has zeros at both sides, and a row of zeros lies
// before the first projection and after each one.
struct Projections {
  const std::byte *values;
  bool half;
  int64_t columns, rows;
  float unit = 1;     // values are counted in it
  double last = -1;   // where the middle of the last row is, if it is the mean of fewer rows; -1: rows - 1
  double beyond = -1; // how far rows reach beyond their middles, because they are means of several; -1: they do not
  double bin = 1;     // number of the detector's rows that each is the mean of

  static constexpr int64_t border = 32; // zeros at each side; vectors have at most 16 values

  int64_t stride () const { return round_up (columns + 2 * border, 32); }
  size_t value_size () const { return half ? 2 : 4; }
  size_t bytes (int64_t places) const
  {
    return static_cast<size_t> ((places * (rows + 1) + 1) * stride ()) * value_size ();
  }
  // The number of the row that is seen at a place, which may be between two.
  double position (double place) const
  {
    if (beyond < 0)
      return place;
    const auto end = static_cast<double> (rows - 1);
    const double middle = last < 0 ? end : last, least = 1e-6;
    if (place < 0)
      return place < -beyond - least ? place - 1 : 0;
    if (place > middle)
      return place > end + beyond + least ? place + 1 : end;
    return place <= end - 1 || rows == 1 ? place : end - 1 + (place - end + 1) / (middle - end + 1);
  }
  // Whether a row, or a blend of two, is more than zeros. Shares of a row that are smaller do not count.
  static constexpr double no_share = 1e-6;
  bool seen (double row) const { return row > no_share - 1 && row < static_cast<double> (rows) - no_share; }
  // Where column 0 of a row lies, counted in values. Rows -1 and `rows` are zeros.
  int64_t offset (int64_t place, int64_t row) const { return (place * (rows + 1) + 1 + row) * stride () + border; }
};

} // namespace sino::live
