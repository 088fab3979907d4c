// SPDX-License-Identifier: LGPL-3.0-or-later
// One tile of the slices of a stack.
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

// The bins that come in, and what each lane's values are multiplied by before and after; null: by nothing.
struct BinSource {
  const void *bins; // [ray][bin][lane]
  bool half;        // IEEE half, else float
  int lanes;        // the first of these are held
  std::span<const Ray> rays;
  const float *factor, *scale;
};

// Computes the pixels that lie in both tile and region. A slice is dense, roi.width x roi.height; null: not wanted.
void add_tile (const Tile &tile, const BinSource &source, const Holding &how, bool nearest,
               std::span<float *const> slices, std::byte *memory);

} // namespace sino::back_project
