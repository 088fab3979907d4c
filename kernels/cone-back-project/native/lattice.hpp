// SPDX-License-Identifier: LGPL-3.0-or-later
// Grouped views. What a batch of neighbouring views adds to a slab changes fast across their common ray and slowly
// along it. So it is computed at the nodes of a lattice that is fine across and coarse along, fewer than the tile has
// columns, and interpolated from there: by a cubic spline across, by Keys' cubic along.
//
//        along the ray
//      o    o    o    o
//      o    o  . o    o      . a column of voxels, which takes from four nodes of four rows
//      o    o    o    o
#pragma once
#include "kernels/cone-back-project/native/sight.hpp"
#include <optional>

namespace sino::cone_back_project {

// Columns and rows of the detector from a node to the next, at most: finer ones cost more and err less.
constexpr double lattice_pitch = 0.7;

struct Lattice {
  static constexpr int most_rows = 96;
  static constexpr double most_nodes = 0.6; // of a column of voxels, where a lattice pays

  Tile around; // the nodes lie in it
  int rows;
  int begin[most_rows], end[most_rows]; // nodes of each row that the tile needs
  int start[most_rows];                 // number of the first of them, counted row by row
  int nodes;                            // in all

  // Node j of row k is at origin + j across + k along, in columns and lines of `around`.
  float origin[2], across[2], along[2];
  // The column of voxels at (dx, dy) of the tile is at node a[0] + dx a[1] + dy a[2] of row b[0] + dx b[1] + dy b[2].
  float a[3], b[3];

  int number (int node, int row) const { return start[row] + node - begin[row]; }
};

// Nothing where it would not pay, because views are too far apart or the cone is too wide.
std::optional<Lattice> lattice_of (const Job &job, const Tile &tile, int64_t first, int count);

// The share of the voxels, by some of them, that are computed by lattices.
double lattice_share (const Job &job);

} // namespace sino::cone_back_project
