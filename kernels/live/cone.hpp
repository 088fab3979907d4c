// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projects projections of a cone or tilted beam onto lines of a picture.
#pragma once
#include "kernels/live/plane.hpp"
#include "stream/rows.hpp"
#include "stream/view.hpp"
#include <span>

namespace sino::live {

// A projection of such a beam as the planes see it.
struct ConeSight {
  int64_t place;  // of the projection in memory
  int64_t number; // of the projection in the scan
  Matrix matrix;  // takes x, y, and the row of a plane to the detector, where column u spans [u, u + 1]
  float factor;   // a pixel at depth w adds factor / w^2 times its value
};

// Adds projections to the lines from `begin` to `end` of a picture, in their order. Values are interpolated linearly
// between columns and rows, and are 0 outside the detector and behind the source. `turns`: for each line of the
// picture, the projections that it takes; empty: all.
void add_cone (const Projections &projections, std::span<const ConeSight> sights, const Plane &plane,
               std::span<const Interval> turns, int64_t begin, int64_t end, float *picture);

} // namespace sino::live
