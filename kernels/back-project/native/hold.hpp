// SPDX-License-Identifier: LGPL-3.0-or-later
// Converts the bins of a ray to the format of the innermost loops. Compiled for every instruction set.
#pragma once
#include "kernels/back-project/native/bins.hpp"

namespace sino::back_project {

// Finds for each lane the largest finite absolute value, and the sum of squared differences between neighbours.
void measure_ray (const RawRay &ray, float *largest, float *change);

struct Change {
  const float *factor; // a factor for each lane; null: none
  float offset;        // added after multiplication
};

// Converts the fine bins [first, first + n) of a ray, counted from the centre of column 0; 0 outside the detector.
void hold_bins (const RawRay &ray, const Holding &how, const Change &change, int64_t first, int64_t n, std::byte *out);

// Restores the scale of slices, in place: values[pixel][lane] *= scale[lane].
void scale_lanes (float *values, int64_t pixels, int lanes, const float *scale);

} // namespace sino::back_project
