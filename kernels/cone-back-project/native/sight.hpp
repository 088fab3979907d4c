// SPDX-License-Identifier: LGPL-3.0-or-later
// Projection of a tile in a batch of views: coordinates of its voxel columns in the packed projections.
#pragma once
#include "kernels/cone-back-project/native/packed.hpp"

namespace sino::cone_back_project {

// Voxels of one slab: columns and lines that begin at (x, y), at most `side` of each.
struct Tile {
  int64_t slab, x, y, columns, lines;
  int side;
};

// The voxel column at (dx, dy) in the tile has depth w = w[0] + dx w[1] + dy w[2]. It is projected to column (u[0] + dx
// u[1] + dy u[2]) / w, its first voxel to row (v[0] + ...) / w, and each next voxel rise / w rows farther. Both count
// from an origin near the tile's projection, because floats have too few digits for the whole detector.
struct alignas (64) Sight {
  float u[3][batch_size], v[3][batch_size], w[3][batch_size], rise[batch_size];
  float weight[batch_size];      // weight before division by w^2
  float last_column[batch_size]; // columns beyond it or below 0 are zeros
  float last_row[batch_size];
  int32_t place[batch_size];                     // index of column 0 and row 0 in the view, in bins
  int32_t columns[batch_size], rows[batch_size]; // size of the part that the whole tile needs, from there
  int64_t stride;                                // distance between columns, in bins
  float steepest;                                // largest distance of voxels in rows
  float heaviest;                                // largest weight / w^2 of all columns and views
};

// Returns the sight for `count` views, beginning with view `first`; `weights`: their weights. The rest of the batch
// repeats the last view. The origin's row is a multiple of `block`.
Sight sight_of (const Job &job, const Packing &packing, const Tile &tile, int64_t first, int count,
                const float *weights, int block);

} // namespace sino::cone_back_project
