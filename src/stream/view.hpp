// SPDX-License-Identifier: LGPL-3.0-or-later
// Where the rays of one projection run: a source, or the direction of a parallel beam, and a plane detector anywhere in
// space. Everything of a scan's geometry, tilts and motion too, comes to one view per projection; conventions in
// docs/guide/geometry.md.
//
// Coordinates are those of the object: its axis of rotation is z, with x to the right and y down in a slice, and z from
// row to row. Lengths are in the scan's unit.
#pragma once
#include "base/visibility.hpp"
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sino {

struct Vector {
  double x, y, z;
  friend bool operator== (const Vector &, const Vector &) = default;
};

constexpr Vector operator+ (const Vector &a, const Vector &b)
{
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr Vector operator- (const Vector &a, const Vector &b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
constexpr Vector operator* (double s, const Vector &a)
{
  return {s * a.x, s * a.y, s * a.z};
}
constexpr double dot (const Vector &a, const Vector &b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr Vector cross (const Vector &a, const Vector &b)
{
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SINO_VISIBLE double length (const Vector &a);

// (column, row, 1) * w = matrix * (x, y, z, 1). The weight w is the depth of the point along the detector's normal, as
// a share of that from the source to the detector; 1 everywhere in a parallel beam.
using Matrix = std::array<std::array<double, 4>, 3>;

struct View {
  bool parallel;
  Vector source;      // where it is; the direction of the rays of a parallel beam
  Vector corner;      // where column 0 and row 0 of the detector begin
  Vector column, row; // from one to the next
  friend bool operator== (const View &, const View &) = default;
};

// Throws Error when the rays do not meet the detector in one point each: its plane holds the source, or the columns run
// along the rows.
SINO_VISIBLE Matrix matrix_of (const View &view);

// The view of a matrix of any scale, with the detector on the object's side of the source, so far from it that its
// columns are `pixel` apart. A matrix has no distances of its own: every detector that is parallel to this one sees the
// same. Throws Error.
SINO_VISIBLE View view_of (const Matrix &matrix, double pixel);

// Detector coordinates of a point.
struct Spot {
  double column, row, weight;
};
SINO_VISIBLE Spot project (const Matrix &matrix, const Vector &point);

// From the source of a cone beam, along the detector's normal: to the detector, above 0, and to the axis, below 0 where
// it is on the other side.
struct Distances {
  double detector, axis;
};
SINO_VISIBLE Distances distances_of (const View &view);

// The view of a part of the detector: its column i is first + i * step of the whole, and likewise its rows.
SINO_VISIBLE View part_of (const View &view, int64_t first_column, int64_t column_step, int64_t first_row,
                           int64_t row_step);

// A circular scan and what can be off in it. At 0 degrees the beam's middle ray runs along y and meets the axis of
// rotation in the origin; the detector stands across it, its columns counted along x and its rows along z. The object
// turns, so that in its own coordinates the source goes round.
struct ScanSetup {
  double source_origin = 0;   // from the source to the axis; 0: a parallel beam
  double origin_detector = 0; // from the axis to the detector
  double pixel_width = 1, pixel_height = 1;
  double column = 0, row = 0; // where the middle ray meets the detector
  // Radians by which the detector is turned about that point: first about its rows' direction z (yaw), then about its
  // columns' direction x (pitch), then about the ray (roll).
  double yaw = 0, pitch = 0, roll = 0;
  double axis_tilt = 0;       // of the axis of rotation towards the detector, radians: laminography
  double lift = 0;            // by which the object goes along its axis in a whole turn: a helix
  std::vector<Vector> shifts; // of the object against its place, as it turns: none, or one per projection
};

// Angles in radians.
SINO_VISIBLE std::vector<View> views_of (const ScanSetup &setup, std::span<const double> angles);

} // namespace sino
