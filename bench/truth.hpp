// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection and ramp filter computed directly from their definitions, in double, at some places.
#pragma once
#include "bench/scan.hpp"
#include "families/trial.hpp"

namespace sino::bench {

using families::RelativeError;

constexpr int sampled_pixels = 4096; // number of compared pixels, in all slices together

// Root mean square difference between the slices and linear interpolation in double, relative to that of the truth, at
// pixels in the inscribed circle.
double slices_error (const Scan &scan, const std::vector<Block> &slices);

// The same for slices from unfiltered rows, compared with filtered back-projection with exact interpolation and a Hann
// window, at fewer pixels.
double exact_slices_error (const Scan &scan, const std::vector<Block> &slices);

// A circular scan whose central ray goes through the middle of detector and volume: distance from the source to the
// axis, from the source to the detector, and between pixels, in voxels.
struct Circle {
  double source, detector, pixel;
};

// The same for a cube reconstructed from weighted and filtered cone-beam projections, compared with bilinear
// interpolation.
double cone_slices_error (const Scan &filtered, const Circle &circle, const std::vector<Block> &slices);

// The same for rows from a ramp filter, compared with the direct sum.
double filter_error (const Scan &scan, const std::vector<Block> &filtered);

} // namespace sino::bench
