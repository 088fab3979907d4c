// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projects onto one tile of the slices of a stack.
#pragma once
#include "kernels/back-project/native/bins.hpp"
#include <cstddef>

namespace sino::back_project {

constexpr int tile_size = 64;

// Bytes that add_tile () needs, aligned to 64.
size_t tile_memory (const Holding &how);

struct Tile {
  int64_t x, y; // first pixel
  Roi roi;
  int64_t size; // size of the full slice
  bool mask;
};

// The input bins, and factors for the values of each lane before and after back-projection; null: none.
struct BinSource {
  const void *bins; // [ray][bin][lane]
  bool half;        // IEEE half, else float
  int lanes;        // the first `lanes` lanes are used
  std::span<const Ray> rays;
  const float *factor, *scale;
};

// Computes the pixels in both the tile and the region. A slice is dense, roi.width x roi.height; null: not wanted.
void add_tile (const Tile &tile, const BinSource &source, const Holding &how, bool nearest,
               std::span<float *const> slices, std::byte *memory);

} // namespace sino::back_project
