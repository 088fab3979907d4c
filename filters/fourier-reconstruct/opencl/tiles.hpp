// SPDX-License-Identifier: LGPL-3.0-or-later
// Which terms of which rays touch which tile of the grid: what spread.cl goes through. Depends on the rays alone.
//
// A tile has 16 x 16 cells. Those with far more terms than others, which are those around the centre, are divided into
// tiles of 4 x 4, so that the work is even enough for many groups of work-items at once.
#pragma once
#include "kernels/fourier-reconstruct/gridding.hpp"
#include <optional>
#include <vector>

namespace sino::fourier_reconstruct {

// Tiles and pieces as spread.cl has them.
struct Tile {
  int32_t x, y, shift, terms, first_piece, pieces;
};
struct Piece {
  int32_t ray, first, begin;
  uint16_t count;
  int8_t x, y;
};

constexpr int64_t tile_side = 16;

// Cells that a ray moves from term to term, in units of 2^-40.
struct Step {
  int64_t x, y;
};
Step step_of (const Ray &ray, const Gridding &gridding);

struct Tiles {
  std::vector<Tile> tiles;    // by columns of large tiles, and all cells are in one
  std::vector<Piece> pieces;  // pieces of a tile in the order of rays
  std::vector<size_t> column; // the first tile of each column of large tiles, and the end

  // Tiles with more terms than `most` are divided; by default, with far more than others.
  Tiles (const Gridding &gridding, std::span<const Ray> rays, std::optional<int64_t> most);
  size_t bytes () const { return tiles.size () * sizeof (Tile) + pieces.size () * sizeof (Piece); }
};

} // namespace sino::fourier_reconstruct
