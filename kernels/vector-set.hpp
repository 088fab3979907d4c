// SPDX-License-Identifier: LGPL-3.0-or-later
// Functions that Highway has compiled for one set of instructions, for stacks of slices in lanes.
#pragma once
#include <cstddef>

namespace sino::kernels {

struct VectorSet {
  size_t index;     // in Highway's tables
  int lanes;        // floats in a vector
  const char *name; // "AVX3"
};

} // namespace sino::kernels
