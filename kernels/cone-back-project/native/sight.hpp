// SPDX-License-Identifier: LGPL-3.0-or-later
// How the views of a batch see a tile: coordinates of its columns of voxels on the packed projections.
#pragma once
#include "kernels/cone-back-project/native/packed.hpp"

namespace sino::cone_back_project {

// Voxels of one slab, some columns and lines from (x, y), which are `side` at most.
struct Tile {
  int64_t slab, x, y, columns, lines;
  int side;
};

// A column of voxels at (dx, dy) in the tile is seen, where depth w = w[0] + dx w[1] + dy w[2], on column
// (u[0] + dx u[1] + dy u[2]) / w, its first voxel on row (v[0] + ...) / w and each next one rise / w further; both
// counted from places near the tile's own, for float has not digits enough for more.
struct alignas (64) Sight {
  float u[3][batch_size], v[3][batch_size], w[3][batch_size], rise[batch_size];
  float weight[batch_size];      // over w^2
  float last_column[batch_size]; // beyond it are zeros, and before 0
  float last_row[batch_size];
  int32_t place[batch_size];                     // of column and row 0, in bins of the view
  int32_t columns[batch_size], rows[batch_size]; // from there on, that the whole tile sees
  int64_t stride;                                // from column to column
  float steepest;                                // how many rows voxels are apart, at most
  float heaviest;                                // weight / w^2, of all columns and views
};

// `weights`: of the views from `first`, `count` of them; the others are as the last one. Rows begin at multiples of
// `block`.
Sight sight_of (const Job &job, const Packing &packing, const Tile &tile, int64_t first, int count,
                const float *weights, int block);

} // namespace sino::cone_back_project
