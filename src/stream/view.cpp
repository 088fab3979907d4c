// SPDX-License-Identifier: LGPL-3.0-or-later
#include "stream/view.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include <cmath>
#include <numbers>

namespace sino {

namespace {

// Rows of the inverse of the matrix whose columns are a, b and c.
std::array<Vector, 3> inverse (const Vector &a, const Vector &b, const Vector &c)
{
  const auto normal = cross (a, b);
  const double volume = dot (normal, c);
  if (!(std::abs (volume) > 1e-12 * length (a) * length (b) * length (c)))
    fail (SINO_ERROR_BAD_FORMAT, "the rays are parallel to the detector, or its columns to its rows");
  return {1 / volume * cross (b, c), 1 / volume * cross (c, a), 1 / volume * normal};
}

// Rotates a vector about an axis of length 1 (Rodrigues' formula).
Vector turned (const Vector &v, const Vector &axis, double angle)
{
  const double c = std::cos (angle), s = std::sin (angle);
  return c * v + s * cross (axis, v) + (1 - c) * dot (axis, v) * axis;
}

} // namespace

double length (const Vector &a)
{
  return std::sqrt (dot (a, a));
}

// A point X is seen at (c, r) where source + (X - source) / w = corner + c column + r row, that is (c, r, 1) w =
// [column row (corner - source)]^-1 (X - source). In a parallel beam X is seen where X + k source meets the detector.
Matrix matrix_of (const View &view)
{
  const auto to = view.parallel ? view.source : view.corner - view.source;
  const auto rows = inverse (view.column, view.row, to);
  const auto &from = view.parallel ? view.corner : view.source;
  Matrix matrix;
  for (size_t i = 0; i < 3; i++)
    matrix[i] = {rows[i].x, rows[i].y, rows[i].z, -dot (rows[i], from)};
  if (view.parallel)
    matrix[2] = {0, 0, 0, 1};
  return matrix;
}

View view_of (const Matrix &matrix, double pixel)
{
  const auto row_of = [&] (size_t i) { return Vector{matrix[i][0], matrix[i][1], matrix[i][2]}; };
  const auto last = row_of (2);
  if (length (last) <= 1e-12 * (length (row_of (0)) + length (row_of (1)))) {
    // Parallel beam: the rays are perpendicular to both rows; the detector goes through the origin, perpendicular to
    // the rays.
    if (matrix[2][3] == 0)
      fail (SINO_ERROR_BAD_FORMAT, "a matrix cannot have a last line of zeros");
    const double scale = 1 / matrix[2][3];
    const auto a = scale * row_of (0), b = scale * row_of (1);
    const auto along = cross (a, b);
    const auto columns = inverse (a, b, along); // inverse of the transposed matrix, so its rows are the columns wanted
    const double u = scale * matrix[0][3], v = scale * matrix[1][3];
    const auto &column = columns[0], &row = columns[1];
    return {.parallel = true,
            .source = 1 / length (along) * along,
            .corner = -u * column - v * row,
            .column = column,
            .row = row};
  }
  // [a b c] with rows a, b, c of the matrix: the columns of its inverse are the detector's steps and the vector to its
  // corner.
  const auto a = row_of (0), b = row_of (1);
  const auto columns = inverse (a, b, last);
  const auto source = -matrix[0][3] * columns[0] - matrix[1][3] * columns[1] - matrix[2][3] * columns[2];
  const double scale = std::copysign (pixel / length (columns[0]), matrix[2][3]); // the origin is before the source
  return {.parallel = false,
          .source = source,
          .corner = source + scale * columns[2],
          .column = scale * columns[0],
          .row = scale * columns[1]};
}

Spot project (const Matrix &matrix, const Vector &point)
{
  const auto line = [&] (size_t i) {
    return matrix[i][0] * point.x + matrix[i][1] * point.y + matrix[i][2] * point.z + matrix[i][3];
  };
  const double weight = line (2);
  return {line (0) / weight, line (1) / weight, weight};
}

Distances distances_of (const View &view)
{
  const auto normal = cross (view.column, view.row);
  const double size = length (normal), detector = dot (normal, view.corner - view.source) / size,
               axis = -dot (normal, view.source) / size;
  return {std::abs (detector), std::copysign (axis, axis * detector)};
}

// The centre of column i is i + 1/2, also if it is as wide as several columns.
View part_of (const View &view, int64_t first_column, int64_t column_step, int64_t first_row, int64_t row_step)
{
  const auto begin = [] (int64_t first, int64_t step) {
    return static_cast<double> (first) + 0.5 - 0.5 * static_cast<double> (step);
  };
  return {.parallel = view.parallel,
          .source = view.source,
          .corner =
              view.corner + begin (first_column, column_step) * view.column + begin (first_row, row_step) * view.row,
          .column = static_cast<double> (column_step) * view.column,
          .row = static_cast<double> (row_step) * view.row};
}

std::vector<View> views_of (const ScanSetup &setup, std::span<const double> angles)
{
  constexpr Vector x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const auto tilted = [&] (const Vector &v) {
    return turned (turned (turned (v, z, setup.yaw), x, setup.pitch), y, setup.roll);
  };
  const bool parallel = setup.source_origin == 0;
  const auto column = setup.pixel_width * tilted (x), row = setup.pixel_height * tilted (z);
  const auto corner = setup.origin_detector * y - setup.column * column - setup.row * row;
  const auto source = parallel ? y : -setup.source_origin * y;

  std::vector<View> views;
  views.reserve (angles.size ());
  for (size_t i = 0; i < angles.size (); i++) {
    step_unless_cancelled ();
    // Transforms from the room to the object, which is rotated about the axis, moved along it, and shifted.
    const auto seen = [&] (const Vector &v) { return turned (turned (v, x, -setup.axis_tilt), z, -angles[i]); };
    auto moved = angles[i] / (2 * std::numbers::pi) * setup.lift * z;
    if (!setup.shifts.empty ())
      moved = moved + setup.shifts[i];
    views.push_back (
        {parallel, parallel ? seen (source) : seen (source) - moved, seen (corner) - moved, seen (column), seen (row)});
  }
  return views;
}

} // namespace sino
