// SPDX-License-Identifier: LGPL-3.0-or-later
// One tile of the slices of a stack.
#pragma once
#include "back-project/native/bins.hpp"
#include "back-project/native/rays.hpp"
#include <cstddef>

namespace sino::back_project {

// Bytes that add_tile () needs, aligned to 64.
size_t tile_memory (int lanes, int fine);

struct Tile {
  int64_t x, y; // first pixel
  Roi roi;
  int64_t size; // of the full slice
  bool mask;
};

// Computes the pixels that lie in both tile and region. A slice is dense, roi.width x roi.height; null: not wanted.
// `scale`, if given, has a factor for each lane.
void add_tile (const Tile &tile, const Bins &bins, const RayTable &rays, bool nearest, const float *scale,
               std::span<float *const> slices, std::byte *memory);

} // namespace sino::back_project
