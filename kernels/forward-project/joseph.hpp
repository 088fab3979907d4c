// SPDX-License-Identifier: LGPL-3.0-or-later
// Sums along rays, slice by slice, so that only one slice of a volume must be in memory; and the transpose of these
// sums.
#pragma once
#include "kernels/forward-project/rays.hpp"

namespace sino::forward_project {

// Voxels of a line; all others are 0.
struct Filled {
  int32_t begin = 0, end = 0;

  bool empty () const { return begin >= end; }
};

// A slice, and the same slice transposed; for each line of both: its voxels that are not 0.
struct Slice {
  const float *lines, *columns;
  const Filled *filled_lines, *filled_columns;
};

// Adds to pixels[u] the sums along the rays of a row in slice z, averaged over each pixel. The row has
// `detector.columns` pixels.
void add_slice (const Volume &volume, int64_t z, const Slice &slice, const Detector &detector, const Rays &rays,
                float *pixels);

// Returns the sum along one ray in slice z, in float64.
double gathered (const Volume &volume, int64_t z, const float *slice, const Ray &ray);

// The transpose of gathered (): adds the value of a ray to the voxels along it.
void spread_ray (const Volume &volume, int64_t z, const Ray &ray, double value, float *slice);

// The transpose of add_slice (): adds the value of each pixel to the voxels along its rays.
void spread_row (const Volume &volume, int64_t z, const float *pixels, const Detector &detector, const Rays &rays,
                 float *slice);

} // namespace sino::forward_project
