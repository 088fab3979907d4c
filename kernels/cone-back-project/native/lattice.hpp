// SPDX-License-Identifier: LGPL-3.0-or-later
// Lattices for grouped views. The contribution of a batch of neighbouring views to a slab changes fast across their
// common ray direction and slowly along it. So it is computed at the nodes of a lattice that is fine across and coarse
// along the rays, with fewer nodes than the tile has columns, and interpolated: with a cubic spline across, with Keys'
// cubic along.
//
//        along the ray
//      o    o    o    o
//      o    o  . o    o      . a column of voxels, interpolated from four nodes in each of four rows
//      o    o    o    o
#pragma once
#include "kernels/cone-back-project/native/sight.hpp"
#include <optional>

namespace sino::cone_back_project {

// Largest distance of nodes, in columns and rows of the detector: smaller values cost more and have smaller errors.
constexpr double lattice_pitch = 0.7;

struct Lattice {
  static constexpr int most_rows = 96;
  // largest share of nodes relative to voxel columns: with more nodes, a lattice is not faster
  static constexpr double most_nodes = 0.6;

  Tile around; // contains the nodes
  int rows;
  int begin[most_rows], end[most_rows]; // range of nodes in each row that the tile needs
  int start[most_rows];                 // number of a row's first node, counted row by row
  int nodes;                            // total number of nodes

  // Node j of row k is at origin + j across + k along, in columns and lines of `around`.
  float origin[2], across[2], along[2];
  // The column of voxels at (dx, dy) of the tile is at node a[0] + dx a[1] + dy a[2] of row b[0] + dx b[1] + dy b[2].
  float a[3], b[3];

  int number (int node, int row) const { return start[row] + node - begin[row]; }
};

// Returns a lattice for `count` views, beginning with view `first`. Empty if it would not be faster, because views are
// too far apart or the cone is too wide.
std::optional<Lattice> lattice_of (const Job &job, const Tile &tile, int64_t first, int count);

// Share of the voxels computed with lattices, estimated from a sample.
double lattice_share (const Job &job);

} // namespace sino::cone_back_project
