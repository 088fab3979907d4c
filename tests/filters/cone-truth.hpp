// SPDX-License-Identifier: LGPL-3.0-or-later
// What a projection counts for a voxel, from distances along the detector's normal and in the plane of rotation.
#pragma once
#include "stream/view.hpp"
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

} // namespace sino::test
