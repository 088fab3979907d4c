// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projects projections onto lines of a picture.
#pragma once
#include "kernels/live/plane.hpp"
#include <span>

namespace sino::live {

// Lines that stay in the nearest cache while projections pass by; threads take so many of them at a time.
constexpr int64_t tile_lines = 16;

// Adds projections to the lines from `begin` to `end` of a picture, in their order. Values are interpolated linearly
// between columns and rows, and are 0 outside the detector. `row`: memory for stride () values.
void add (const Projections &projections, std::span<const Sight> sights, const Plane &plane, int64_t begin, int64_t end,
          float *row, float *picture);

} // namespace sino::live
