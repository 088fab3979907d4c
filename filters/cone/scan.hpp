// SPDX-License-Identifier: LGPL-3.0-or-later
// Common parts of the nodes for scans of any geometry. The plane of rotation is that of x and y.
#pragma once
#include "stream/coverage.hpp"
#include "stream/format.hpp"
#include "stream/geometry.hpp"

namespace sino::cone {

// Returns a view for each projection, even for a parallel beam. Throws Error unless there is an angle for each.
std::vector<View> views_of (const Format &projections);

// Unit vector in the plane of rotation: direction from the source to the middle of the object, or of parallel rays.
// Throws Error if the rays run along the axis.
Vector heading_of (const View &view);

// Factor for rows filtered in steps of columns, besides 1 / w^2, to get attenuation per unit of length. For a detector
// perpendicular to the middle ray: 1 / (magnification * width of a column).
double density_of (const View &view);

// The angles that a scan covers, and the part of them that each projection represents.
struct Coverage {
  double step = 0;  // mean angle from one projection to the next, in radians
  int turns = 0;    // number of full turns; 0: a part of one
  double range = 0; // radians, including the last step
  // Helix: the source moves so far along the axis that each slice uses a turn of its own. The first projection is at
  // `height`, and each following one is `lift` higher.
  bool helix = false;
  double height = 0, lift = 0;
  std::vector<double> steps;  // radians that each projection represents; the sum is all turns, or the range
  std::vector<double> places; // for a part of a turn: angle of each projection from the begin of the part, in radians
  bool falling = false;       // whether angles fall while places rise
  // Gaps of a few steps, in radians, in which nothing was measured.
  std::vector<DirectionGap> gaps;
};
Coverage coverage_of (const Format &projections, const std::vector<View> &views);

// Projections of a helix that form the full turn around `z`; the first or the last turn if `z` is beyond them.
Interval turn_around (double z, const Coverage &coverage, int64_t projections);

} // namespace sino::cone
