// SPDX-License-Identifier: LGPL-3.0-or-later
// The stages of TV for a whole volume in which lines along z are dense (kernels/iterate/stack.hpp has the method). Each
// function does line y of all slices; a stage begins when the one before has ended.
#pragma once
#include "stream/rows.hpp"
#include <cstdint>

namespace sino::iterate {

// Arrays are [y][x][line], aligned to 64 bytes, with 16 floats of other memory before and behind. Values behind
// `slices` of a line are 0, also those outside of columns_inside.
struct VolumeTv {
  int64_t columns, lines, slices, line;
  float *x;                  // the volume
  float *q;                  // 2 x' - x
  float *y0, *y1, *y2;       // duals along y, x and z
  float *positive;           // the dual of x >= 0
  float *gradient;           // A^T (A x - b), then the gradient, then what the metric makes of it
  float share;               // 1 / projections
  float lambda, sigma, rise; // rise: step of `positive`; 0: values may be negative
};

void volume_duals (const VolumeTv &tv, int64_t y);
void volume_gradient (const VolumeTv &tv, Interval columns_inside, int64_t y);
struct Changes {
  double change, square; // |x' - x|^2 and |x'|^2
};
Changes volume_update (const VolumeTv &tv, Interval columns_inside, int64_t y);

} // namespace sino::iterate
