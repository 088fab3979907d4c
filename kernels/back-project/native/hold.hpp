// SPDX-License-Identifier: LGPL-3.0-or-later
// The bins of a ray in the form that the innermost loops want. Compiled for every instruction set.
#pragma once
#include "back-project/native/bins.hpp"

namespace sino::back_project {

struct RawRay {
  const void *bins; // [bin][lane]
  bool half;        // IEEE half, else float
  int lanes;
  int64_t size;
};

// For each lane the largest absolute value, and the sum of the squared differences of neighbours.
void measure_ray (const RawRay &ray, float *largest, float *change);

// Bins of a ray as `bins` says, each value multiplied by its lane's factor.
void hold_ray (const RawRay &ray, const float *factor, const Bins &bins, std::byte *out);

// Slices are restored by this: in place, values[pixel][lane] *= scale[lane].
void scale_lanes (float *values, int64_t pixels, int lanes, const float *scale);

} // namespace sino::back_project
