// SPDX-License-Identifier: LGPL-3.0-or-later
// A stack of sinograms as the innermost loops read it.
#pragma once
#include "back-project/back-project.hpp"
#include <cstddef>

namespace sino::back_project {

// What is held of a bin, for each lane.
enum class Sample {
  floats,
  halves,      // widened to floats when a cell's part is copied to the L1 cache
  pairs,       // 16-bit integers, the bin and its right neighbour, so that one multiply-add interpolates
  differences, // halves: the lanes of the bin, then those of the difference to its right neighbour
};

constexpr size_t sample_bytes (Sample sample)
{
  return sample == Sample::halves ? 2 : 4;
}

struct Bins {
  const std::byte *data; // [ray][bin][lane]
  Sample sample;
  int lanes;
  int fine;             // bins per column of the detector
  int64_t first, count; // that are held of a ray, counted in fine bins from the centre of column 0; all others are 0

  size_t bytes () const { return sample_bytes (sample) * static_cast<size_t> (lanes); }
};

} // namespace sino::back_project
