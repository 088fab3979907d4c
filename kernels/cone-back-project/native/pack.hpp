// SPDX-License-Identifier: LGPL-3.0-or-later
// Between blocks and what the native kernels work on.
#pragma once
#include "kernels/cone-back-project/native/sight.hpp"
#include <span>

namespace sino::cone_back_project {

// The largest value; NaN where one is not finite.
float largest (const Values &values, Interval rows);

// Some columns of a view. `unit`: what int16 are multiples of.
void pack (const Values &values, const Packing &packing, Interval columns, float unit, std::byte *view);

// Adds the sums of a tile, [line][column][slice] with strides of a whole tile, to its place in slices with lines of
// `width`: those that are null are not wanted.
void spread (const float *sums, const Tile &tile, int64_t width, std::span<float *const> slices);

} // namespace sino::cone_back_project
