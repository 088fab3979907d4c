// SPDX-License-Identifier: LGPL-3.0-or-later
// What the nodes for scans of any geometry have in common. The plane of rotation is that of x and y.
#pragma once
#include "stream/coverage.hpp"
#include "stream/format.hpp"
#include "stream/geometry.hpp"

namespace sino::cone {

// A view for each projection, also of a plain parallel beam. Throws Error unless it is projections of attenuation with
// angles.
std::vector<View> views_of (const Format &projections);

// In the plane of rotation: the direction, of length 1, from the source to the middle of the object, or of parallel
// rays. Throws Error where these run along the axis.
Vector heading_of (const View &view);

// What filtered rows, in steps of columns, are to be multiplied by, besides 1 / w^2, for attenuation per unit of
// length: with a detector across the middle ray, the magnification's inverse over the columns' width.
double density_of (const View &view);

// How far a scan goes round, and what each projection stands for.
struct Coverage {
  double step = 0;  // radians from a projection to the next, on average
  int turns = 0;    // whole ones; 0: a part of one
  double range = 0; // radians, the last step included
  // A helix, whose source goes so far along the axis that it leaves the sight of slices: each of them has a turn of its
  // own. The first projection is from here, and the next one so much further.
  bool helix = false;
  double height = 0, lift = 0;
  std::vector<double> steps;  // radians that each projection stands for: their sum is all turns, or the range
  std::vector<double> places; // radians from the begin of a part of a turn to each projection
  bool falling = false;       // the angles of the scan fall where places rise
  // Gaps of a few steps, in radians, in which nothing was measured.
  std::vector<DirectionGap> gaps;
};
Coverage coverage_of (const Format &projections, const std::vector<View> &views);

// Of a helix with so many projections: those of the whole turn around `z`, or of the first or last one.
Interval turn_around (double z, const Coverage &coverage, int64_t projections);

} // namespace sino::cone
