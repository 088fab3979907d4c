// SPDX-License-Identifier: LGPL-3.0-or-later
// What a ray counts before the ramp filter: its cosines, and its share among the measurements of the same ray, which
// add up to 1.
#pragma once
#include "filters/cone/scan.hpp"
#include "kernels/cone-weight/cosines.hpp"
#include <span>

namespace sino::cone {

class Weights
{
public:
  Weights () = default;
  // Throws Error unless the rays are across the axis.
  Weights (const Format &projections, std::vector<View> views);

  // Of the middles of a row's elements: the cosines, and the shares, which are the same in all rows of some detectors.
  cone_weight::Cosines cosines (size_t projection, int64_t row) const;
  void shares (size_t projection, int64_t row, std::span<float> line) const;
  bool same_in_rows () const;

  const Coverage &coverage () const { return covered; }
  const std::vector<View> &views () const { return all; }
  // Largest angle, in the plane of rotation, of a ray with that through the axis.
  double widest_fan (const Format &projections) const;

  // How far from the axis rays pass on either side of it, the least of all projections; below 0: not at all.
  struct Sides {
    double left, right;
  };
  Sides sides (const Format &projections) const;
  // How far from the axis rays to a column in the middle row pass, the least of all projections.
  double reach (double column) const;
  // Of whole turns in which one side reaches further: one measurement of a ray takes over from the other.
  void take_over (const Sides &sides);

  size_t bytes () const;

private:
  std::vector<View> all;
  std::vector<Vector> headings;
  Coverage covered;
  double middle_row = 0;
  bool upright = true; // all detectors' columns run along the axis
  double shorter = 0;  // how far the rays of the shorter side reach; 0: both measurements count alike
  bool left = false;   // the shorter side is that of columns before the axis

  Vector ray (size_t projection, double column, double row) const;
  double fan (size_t projection, const Vector &ray) const;
  double distance (size_t projection, double column, double row) const;
  double share (size_t projection, double column, double row) const;
  double constant_share () const;
  double taken_over (double distance) const;
};

} // namespace sino::cone
