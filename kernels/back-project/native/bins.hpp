// SPDX-License-Identifier: LGPL-3.0-or-later
// Bins of rays in the formats of the innermost loops.
#pragma once
#include "kernels/back-project/back-project.hpp"
#include <cstddef>

namespace sino::back_project {

constexpr int most_lanes = 32;

// Stored format of a bin, for each lane.
enum class Sample {
  floats,
  pairs,       // 16-bit integers: the bin and its right neighbour, so that one multiply-add interpolates
  differences, // halves: the lanes of the bin, then those of the difference to its right neighbour
};

struct Holding {
  Sample sample;
  int lanes;
  int fine;      // points per column of the detector
  bool halved;   // floats were rounded to half
  bool weighted; // the bins are multiplied by the rays' weights
  bool scaled;   // the bins are also multiplied by a factor per slice

  size_t bin_bytes () const { return 4 * static_cast<size_t> (lanes); }
};

// Bins of a ray in the input. The first `lanes` lanes are used.
struct RawRay {
  const void *bins; // [bin][lane of `stride`]
  bool half;        // IEEE half, else float
  int stride, lanes;
  int64_t size;
};

} // namespace sino::back_project
