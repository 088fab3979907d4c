// SPDX-License-Identifier: LGPL-3.0-or-later
// What a projection counts for a voxel, from distances along the detector's normal and in the plane of rotation.
#pragma once
#include "stream/view.hpp"
#include "tests/support/run-task.hpp"
#include <algorithm>
#include <cmath>

namespace sino::test {

inline double cone_weight (const View &view, const Vector &voxel)
{
  const auto normal = cross (view.column, view.row);
  const auto from = view.parallel ? -1 * view.source : view.source;
  const double lean =
      (normal.x * from.x + normal.y * from.y) / std::hypot (normal.x, normal.y) / std::hypot (from.x, from.y);
  double weight = 1;
  if (!view.parallel) {
    const double all = dot (normal, view.corner - view.source), here = dot (normal, voxel - view.source);
    weight = -dot (normal, view.source) * all / (here * here);
  }
  return weight / (std::abs (lean) * std::sqrt (dot (view.column, view.column)));
}

inline double hat (double x)
{
  return std::max (0.0, 1 - std::abs (x));
}

// What the projection at an angle adds to a point: its value where the ray through the point meets the detector's
// plane.
inline double seen (const Array &in, int64_t angle, const Vector &point)
{
  const auto &view = in.format.geometry->views[static_cast<size_t> (angle)];
  const auto normal = cross (view.column, view.row);
  const auto ray = view.parallel ? view.source : point - view.source;
  const auto met = point + (dot (normal, view.corner - point) / dot (normal, ray)) * ray - view.corner;
  const double area = dot (normal, normal), u = dot (normal, cross (met, view.row)) / area,
               v = dot (normal, cross (view.column, met)) / area;
  const auto rows = in.format.rows (), columns = in.format.extent (Axis::column);
  double value = 0;
  const auto near = [] (double at, int64_t n) {
    return std::clamp (static_cast<int64_t> (std::floor (std::clamp (at, -9e9, 9e9) - 0.5)), int64_t{0}, n - 1);
  };
  for (auto r = near (v, rows); r <= std::min (near (v, rows) + 1, rows - 1); r++)
    for (auto c = near (u, columns); c <= std::min (near (u, columns) + 1, columns - 1); c++)
      value += hat (u - 0.5 - static_cast<double> (c)) * hat (v - 0.5 - static_cast<double> (r)) *
               static_cast<double> (in.as<float> ()[(angle * rows + r) * columns + c]);
  return cone_weight (view, point) * value;
}

} // namespace sino::test
