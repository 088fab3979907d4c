// SPDX-License-Identifier: LGPL-3.0-or-later
// The ray paths of one projection: a source, or the direction of a parallel beam, and a plane detector anywhere in
// space. Any geometry of a scan, with tilts and motion, is converted to one view per projection; conventions in
// docs/guide/geometry.md.
//
// Coordinates are those of the object: the rotation axis is z, x points right and y down in a slice, and z from row to
// row. Lengths are in the scan's unit.
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

// (column, row, 1) * w = matrix * (x, y, z, 1). The weight w is the depth of the point along the detector's normal,
// relative to that from the source to the detector; 1 everywhere in a parallel beam.
using Matrix = std::array<std::array<double, 4>, 3>;

struct View {
  bool parallel;
  Vector source;      // position of the source; for a parallel beam, direction of the rays
  Vector corner;      // position of the detector's corner, where column 0 and row 0 begin
  Vector column, row; // vector from one column, or row, to the next
  friend bool operator== (const View &, const View &) = default;
};

// Throws Error if the rays do not meet the detector in one point each: its plane contains the source, or columns and
// rows are parallel.
SINO_VISIBLE Matrix matrix_of (const View &view);

// The view of a matrix of any scale. The detector is on the object's side of the source, at the distance at which its
// columns are `pixel` apart. A matrix does not determine distances: every parallel detector sees the same. Throws
// Error.
SINO_VISIBLE View view_of (const Matrix &matrix, double pixel);

// Detector coordinates of a point.
struct Spot {
  double column, row, weight;
};
SINO_VISIBLE Spot project (const Matrix &matrix, const Vector &point);

// Distances along the detector's normal from the source of a cone beam: to the detector (positive), and to the axis
// (negative if the axis is behind the source).
struct Distances {
  double detector, axis;
};
SINO_VISIBLE Distances distances_of (const View &view);

// The view of a part of the detector: its column i is column first + i * step of the whole; rows alike.
SINO_VISIBLE View part_of (const View &view, int64_t first_column, int64_t column_step, int64_t first_row,
                           int64_t row_step);

// A circular scan with possible misalignment. At 0 degrees the central ray runs along y and meets the rotation axis at
// the origin. The detector is perpendicular to the ray, with columns along x and rows along z. The object rotates, so
// in its own coordinates the source moves around it.
struct ScanSetup {
  double source_origin = 0;   // distance from the source to the axis; 0: a parallel beam
  double origin_detector = 0; // distance from the axis to the detector
  double pixel_width = 1, pixel_height = 1;
  double column = 0, row = 0; // point where the central ray meets the detector
  // Rotation of the detector about that point in radians: first about z, along which its rows are counted (yaw), then
  // about x, along which its columns are counted (pitch), then about the ray (roll).
  double yaw = 0, pitch = 0, roll = 0;
  double axis_tilt = 0;       // tilt of the rotation axis towards the detector, radians: laminography
  double lift = 0;            // distance that the object moves along its axis in a whole turn: a helix
  std::vector<Vector> shifts; // displacement of the object in its own coordinates: none, or one per projection
};

// Angles in radians.
SINO_VISIBLE std::vector<View> views_of (const ScanSetup &setup, std::span<const double> angles);

} // namespace sino
