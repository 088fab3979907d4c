// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection by its definition, in double and one pixel after the other: the truth for node and kernels.
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

namespace sino::test {

// A scan whose values are noise, so that no error can hide in smooth data.
struct NoiseScan {
  int64_t rows, columns;
  std::vector<double> angles, axis, weights; // radians, columns, per projection
  std::vector<double> values;                // [row][angle][column]

  NoiseScan (int64_t r, int64_t projections, int64_t c, unsigned seed = 1) : rows (r), columns (c)
  {
    std::mt19937 random (seed);
    const auto number = [&random] (double low, double high) { return low + (high - low) * random () * 0x1p-32; };
    for (int64_t k = 0; k < projections; k++)
      angles.push_back (number (-7, 7)); // any order, several turns
    axis.assign (angles.size (), 0.5 * static_cast<double> (c));
    weights.assign (angles.size (), std::numbers::pi / static_cast<double> (projections));
    for (int64_t i = 0; i < r * projections * c; i++)
      values.push_back (static_cast<float> (number (-1, 1)));
  }

  int64_t projections () const { return static_cast<int64_t> (angles.size ()); }

  double value (int64_t row, int64_t k, int64_t column) const
  {
    return column < 0 || column >= columns
               ? 0
               : values[static_cast<size_t> ((row * projections () + k) * columns + column)];
  }

  // Where pixel (i, j) of the full slice is seen: column u spans [u, u + 1).
  double seen_at (int64_t k, int64_t i, int64_t j) const
  {
    const double x = static_cast<double> (i) + 0.5 - static_cast<double> (columns) / 2;
    const double y = static_cast<double> (j) + 0.5 - static_cast<double> (columns) / 2;
    return place_seen_at (k, x, y);
  }
  // The same for a place, counted in pixels from the slice's centre.
  double place_seen_at (int64_t k, double x, double y) const
  {
    const auto n = static_cast<size_t> (k);
    return axis[n] + x * std::cos (angles[n]) - y * std::sin (angles[n]);
  }

  double linear (int64_t row, int64_t i, int64_t j) const
  {
    double sum = 0;
    for (int64_t k = 0; k < projections (); k++) {
      const double from_centre = seen_at (k, i, j) - 0.5, left = std::floor (from_centre), w = from_centre - left;
      const auto bin = static_cast<int64_t> (left);
      sum += weights[static_cast<size_t> (k)] * ((1 - w) * value (row, k, bin) + w * value (row, k, bin + 1));
    }
    return sum;
  }

  // NaN where a ray passes so near to the border of two bins that rounding decides.
  double nearest (int64_t row, int64_t i, int64_t j) const
  {
    double sum = 0;
    for (int64_t k = 0; k < projections (); k++) {
      const double at = seen_at (k, i, j);
      if (std::abs (at - std::round (at)) < 1e-3)
        return NAN;
      sum += weights[static_cast<size_t> (k)] * value (row, k, static_cast<int64_t> (std::floor (at)));
    }
    return sum;
  }

  // The nearest of four points per bin; NaN as in nearest.
  double oversampled (int64_t row, int64_t i, int64_t j) const
  {
    double sum = 0;
    for (int64_t k = 0; k < projections (); k++) {
      const double at = 4 * (seen_at (k, i, j) - 0.5), point = std::round (at);
      if (std::abs (std::abs (at - point) - 0.5) < 1e-3)
        return NAN;
      const double left = std::floor (point / 4), w = point / 4 - left;
      const auto bin = static_cast<int64_t> (left);
      sum += weights[static_cast<size_t> (k)] * ((1 - w) * value (row, k, bin) + w * value (row, k, bin + 1));
    }
    return sum;
  }

  bool in_circle (int64_t i, int64_t j) const
  {
    const double c = static_cast<double> (columns) / 2;
    return std::hypot (static_cast<double> (i) + 0.5 - c, static_cast<double> (j) + 0.5 - c) <= c;
  }
};

// Root of the mean square difference over that of the truth; a truth of NaN is left out.
class RelativeError
{
public:
  void add (double got, double truth)
  {
    all++;
    if (std::isnan (truth))
      return;
    counted++;
    differences += (got - truth) * (got - truth);
    squares += truth * truth;
  }
  double value () const
  {
    return std::sqrt (differences / squares);
  } // NaN when nothing was added, which passes no check
  double share_counted () const { return static_cast<double> (counted) / static_cast<double> (all); }

private:
  int64_t all = 0, counted = 0;
  double differences = 0, squares = 0;
};

} // namespace sino::test
