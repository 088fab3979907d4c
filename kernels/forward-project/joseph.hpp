// SPDX-License-Identifier: LGPL-3.0-or-later
// Sums along rays, slice by slice, so that no more of a volume than that has to be at hand; and the same with all
// weights the other way round.
#pragma once
#include "kernels/forward-project/rays.hpp"

namespace sino::forward_project {

// A slice as it is, and transposed.
struct Slice {
  const float *lines, *columns;
};

// pixels[u] += what the rays of a row, of `detector.columns` pixels, gather in slice z, averaged over a pixel.
void add_slice (const Volume &volume, int64_t z, const Slice &slice, const Detector &detector, const Rays &rays,
                float *pixels);

// What one ray gathers, in float64.
double gathered (const Volume &volume, int64_t z, const float *slice, const Ray &ray);

// The transpose: slice += what each of the pixels spreads along its rays.
void spread_row (const Volume &volume, int64_t z, const float *pixels, const Detector &detector, const Rays &rays,
                 float *slice);

} // namespace sino::forward_project
