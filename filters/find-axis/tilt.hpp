// SPDX-License-Identifier: LGPL-3.0-or-later
// A line through what rows say of the axis: its tilt.
#pragma once
#include <cmath>
#include <optional>
#include <vector>

namespace sino::find_axis {

struct Point {
  double at, value, weight;
};

struct Line {
  double slope, error; // columns per row, and its standard deviation

  bool sure () const { return std::abs (slope) > 4 * error; }
};

// The line that half of the points may be off from: the weighted median of the slopes between any two (Theil and Sen),
// and then least squares of those that are near it. Nothing, where the points are too few, or too close to each other.
std::optional<Line> fit_line (const std::vector<Point> &points);

// The weighted median of values.
double median_of (const std::vector<Point> &points);

} // namespace sino::find_axis
