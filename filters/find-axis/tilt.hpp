// SPDX-License-Identifier: LGPL-3.0-or-later
// Fits a line to the axes of rows: the tilt of the axis.
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

// A line that is robust even if half of the points are wrong: the weighted median of the slopes between all pairs
// (Theil and Sen), then least squares of the points near that line. Empty if points are too few or too close to each
// other.
std::optional<Line> fit_line (const std::vector<Point> &points);

// The weighted median of values.
double median_of (const std::vector<Point> &points);

} // namespace sino::find_axis
