// SPDX-License-Identifier: LGPL-3.0-or-later
// The noise in a row of flats, from differences of frames that follow one another.
#pragma once
#include "stream/count-noise.hpp"

namespace sino::flat_field {

// A row of each of some frames.
struct FrameRows {
  const float *values;
  int64_t count;  // of frames
  int64_t stride; // from a frame to the next
  int64_t columns;

  const float *of (int64_t frame) const { return values + frame * stride; }
};

// Values of `greatest` and more are no counts. At least two flats are needed; darks may be none.
RowNoise noise_of_frames (const FrameRows &flats, const FrameRows &darks, float greatest);

} // namespace sino::flat_field
