// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection on the CPU. The full slice is cut into tiles whose sums fit the L2 cache; each is computed by itself,
// so threads share nothing, and a pixel's bits depend neither on the region of interest nor on the lane.
#pragma once
#include "back-project/back-project.hpp"
#include <cstddef>

namespace sino::back_project {

constexpr int tile_size = 64;

// The tiles that a region touches, in rows from the top left.
class TileGrid
{
public:
  explicit TileGrid (const Roi &roi);

  int64_t count () const { return columns * rows; }
  int64_t x (int64_t tile) const { return (first_column + tile % columns) * tile_size; }
  int64_t y (int64_t tile) const { return (first_row + tile / columns) * tile_size; }

private:
  int64_t first_column, first_row, columns, rows;
};

// Bytes that a thread needs, aligned to 64.
size_t scratch_size (int lanes);

// Computes the pixels of the region that lie in the tile whose first pixel is (x, y), for the first slices.size ()
// lanes. A slice is dense, roi.width x roi.height.
void back_project_tile (const Job &job, int64_t x, int64_t y, std::span<float *const> slices, std::byte *scratch);

// Lanes that the CPU is fastest with, and the instruction set that is used ("AVX3").
int best_lanes ();
const char *instruction_set ();

} // namespace sino::back_project
