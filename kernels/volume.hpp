// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "stream/view.hpp"
#include <cstdint>

namespace sino::kernels {

// A box of voxels in slices of `lines` times `columns`; (0, 0, 0) is centred at `first`. Around them are zeros.
struct Volume {
  Vector first;
  double size;                    // edge of a voxel
  int64_t columns, lines, slices; // along x, y and z
};

} // namespace sino::kernels
