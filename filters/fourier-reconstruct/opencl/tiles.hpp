// SPDX-License-Identifier: LGPL-3.0-or-later
// The terms of rays that touch each tile of the grid, for spread.cl. They depend on the rays only.
//
// A tile has 16 x 16 cells. Tiles with far more terms than others, which are around the centre, are divided into tiles
// of 4 x 4, so that work is evenly distributed over many work-groups.
#pragma once
#include "kernels/fourier-reconstruct/gridding.hpp"
#include <optional>
#include <vector>

namespace sino::fourier_reconstruct {

// Tile and Piece have the same layout as in spread.cl.
struct Tile {
  int32_t x, y, shift, terms, first_piece, pieces;
};
struct Piece {
  int32_t ray, first, begin;
  uint16_t count;
  int8_t x, y;
};

constexpr int64_t tile_side = 16;

// Cells that a ray moves per term, in units of 2^-40.
struct Step {
  int64_t x, y;
};
Step step_of (const Ray &ray, const Gridding &gridding);

struct Tiles {
  std::vector<Tile> tiles;    // by columns of large tiles; each cell is in one tile
  std::vector<Piece> pieces;  // the pieces of a tile are in the order of rays
  std::vector<size_t> column; // index of the first tile in each column of large tiles, and the end

  // Tiles with more terms than `most` are divided; by default tiles with far more terms than others.
  Tiles (const Gridding &gridding, std::span<const Ray> rays, std::optional<int64_t> most);
  size_t bytes () const { return tiles.size () * sizeof (Tile) + pieces.size () * sizeof (Piece); }
};

} // namespace sino::fourier_reconstruct
