// SPDX-License-Identifier: LGPL-3.0-or-later
// Converts between blocks and the layout of the native kernels.
#pragma once
#include "kernels/cone-back-project/native/sight.hpp"
#include <span>

namespace sino::cone_back_project {

// Returns the largest absolute value; NaN if a value is not finite.
float largest (const Values &values, Interval rows);

// Packs some columns of a view. `unit`: the value of 1 in int16.
void pack (const Values &values, const Packing &packing, Interval columns, float unit, std::byte *view);

// Adds the sums of a tile, [line][column][slice] with strides of a whole tile, to slices with lines of `width` pixels.
// Null slices are not wanted.
void spread (const float *sums, const Tile &tile, int64_t width, std::span<float *const> slices);

} // namespace sino::cone_back_project
