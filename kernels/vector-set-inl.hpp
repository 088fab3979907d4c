// SPDX-License-Identifier: LGPL-3.0-or-later
// For files that dispatch, which see the instruction sets that their kernels are compiled for.
#pragma once
#include "kernels/vector-set.hpp"
#include <hwy/targets.h>

namespace sino::kernels {

// `best`, or AVX2 in its place if it has AVX-512's 16 lanes and no more than 8 are needed: both fuse products and sums,
// so a lane has the same bits.
static VectorSet vector_set (const VectorSet &best, int lanes)
{
#if HWY_TARGETS & HWY_AVX2 && HWY_TARGETS & (HWY_TARGETS - 1)
  constexpr int lanes_of_avx2 = 8;
  if (best.lanes > lanes_of_avx2 && lanes <= lanes_of_avx2) {
    hwy::ChosenTarget narrow;
    narrow.Update (HWY_AVX2);
    return {narrow.GetIndex (), lanes_of_avx2, hwy::TargetName (HWY_AVX2)};
  }
#else
  static_cast<void> (lanes);
#endif
  return best;
}

} // namespace sino::kernels
