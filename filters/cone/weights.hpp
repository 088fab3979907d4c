// SPDX-License-Identifier: LGPL-3.0-or-later
// Weights of rays before the ramp filter: cosines, and shares. The shares of all measurements of one ray add up to 1.
#pragma once
#include "filters/cone/scan.hpp"
#include "kernels/cone-weight/cosines.hpp"
#include <span>

namespace sino::cone {

class Weights
{
public:
  Weights () = default;
  // Throws Error if rays run along the axis.
  Weights (const Format &projections, std::vector<View> views);

  // cosines (): cosines of the rays to the centres of a row's pixels. shares (): shares of these rays. same_in_rows ():
  // whether all rows have the same shares.
  cone_weight::Cosines cosines (size_t projection, int64_t row) const;
  void shares (size_t projection, int64_t row, std::span<float> line) const;
  bool same_in_rows () const { return constant_share () > 0 || upright; }

  const Coverage &coverage () const { return covered; }
  const std::vector<View> &views () const { return all; }
  // Returns the largest angle, in the plane of rotation, between a ray and the ray through the axis.
  double widest_fan (const Format &projections) const;

  // Distances from the axis that rays reach on both sides: the least of all projections; below 0: no ray on this side.
  struct Sides {
    double left, right;
  };
  Sides sides (const Format &projections) const;
  // Returns the distance from the axis of the ray to a column in the middle row: the least of all projections.
  double reach (double column) const;
  // Makes shares () change gradually from one measurement of a ray to the other, as far as the shorter side reaches.
  // For full turns with an offset detector.
  void take_over (const Sides &sides);

  size_t bytes () const { return all.size () * (sizeof (View) + sizeof (Vector) + 2 * sizeof (double)); }

private:
  std::vector<View> all;
  std::vector<Vector> headings;
  Coverage covered;
  double middle_row = 0;
  bool upright = true; // columns of all detectors run along the axis
  double shorter = 0;  // reach of the shorter side's rays; 0: both measurements of a ray have equal weights
  bool left = false;   // whether the shorter side is at the columns before the axis

  Vector ray (size_t projection, double column, double row) const;
  double fan (size_t projection, const Vector &ray) const;
  double distance (size_t projection, double column, double row) const;
  double share (size_t projection, double column, double row) const;
  double constant_share () const;
  double taken_over (double distance) const;
};

} // namespace sino::cone
