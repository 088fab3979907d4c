// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection and ramp filter by their definitions, in double, at some places.
#pragma once
#include "bench/scan.hpp"
#include <cmath>

namespace sino::bench {

// Root of the mean square difference over that of the truth.
class RelativeError
{
public:
  void add (double got, double truth)
  {
    differences += (got - truth) * (got - truth);
    squares += truth * truth;
  }
  double value () const { return std::sqrt (differences / squares); }

private:
  double differences = 0, squares = 0;
};

constexpr int sampled_pixels = 4096; // pixels of all slices that are looked at, together

// Root mean square difference of the slices to linear interpolation in double, over that of the truth, at pixels within
// the inscribed circle.
double slices_error (const Scan &scan, const std::vector<Block> &slices);

// The same for slices of rows that are not filtered, against filtered back-projection with exact interpolation and a
// Hann window, at fewer pixels.
double exact_slices_error (const Scan &scan, const std::vector<Block> &slices);

// A circular scan whose middle ray goes through the middle of detector and volume: distances of the source from the
// axis and from the detector, and of its pixels, in voxels.
struct Circle {
  double source, detector, pixel;
};

// The same for a cube of slices of a cone beam's projections that are weighted and filtered, against linear
// interpolation along columns and rows.
double cone_slices_error (const Scan &filtered, const Circle &circle, const std::vector<Block> &slices);

// The same for rows that a ramp filter gave, against the sum that it is.
double filter_error (const Scan &scan, const std::vector<Block> &filtered);

} // namespace sino::bench
