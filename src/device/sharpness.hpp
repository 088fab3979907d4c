// SPDX-License-Identifier: LGPL-3.0-or-later
// Sharpness of a slice: root mean square of its gradient, divided by the mean of its gradient.
//
// Doubled or smeared edges, for example due to a wrong axis, spread the gradient over more pixels. Its total energy
// does not change, as the energy of a row's transform does not change when the row is shifted. The ratio of both norms
// shows how few pixels contain it (D. Krishnan, T. Tay, R. Fergus, Blind deconvolution using a normalized sparsity
// measure, CVPR 2011, 233). It does not depend on units, constants, or the rest of the slice; for pure noise it is 2 /
// sqrt (pi) = 1.128.
//
// The gradient is computed after a binomial filter of five by five, whose standard deviation is one pixel.
#pragma once
#include "device/cpu.hpp"
#include <cstdint>
#include <vector>

namespace sino {

// Sharpness of a slice of lines x columns pixels, inside a disc in the middle that is 95 % as wide as the shorter side.
// 0 for a slice of a few pixels, of one value, or with a pixel that is not finite.
SINO_VISIBLE double slice_sharpness (const float *slice, int64_t lines, int64_t columns, const Cpu &cpu);

// Scratch bytes per thread.
SINO_VISIBLE size_t sharpness_scratch (int64_t columns);

// The maximum of values at evenly spaced places.
struct Peak {
  size_t place;  // index of the greatest value
  double offset; // position of the maximum of a fitted parabola (two neighbours per side, or one), relative to `place`;
                 // 0 at an end
  bool inside;   // whether it has neighbours on both sides
};
SINO_VISIBLE Peak peak_of (const std::vector<double> &values);

} // namespace sino
