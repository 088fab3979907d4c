// SPDX-License-Identifier: LGPL-3.0-or-later
// Projections as the native kernels read them: transposed, so that what a column of voxels sees lies together, with
// zeros around them; and which scans these kernels are for.
#pragma once
#include "kernels/cone-back-project/cone-back-project.hpp"
#include <cstddef>

namespace sino::cone_back_project {

enum class Precision { single, int16 };

// How projections are added: their values in floats or integers, each view by itself or neighbouring ones together.
struct Manner {
  Precision precision = Precision::single;
  bool grouped = false;
};

// What is computed together, always counted from the first voxel and the first view of the scan, so that the order of
// sums does not depend on how the work is cut.
constexpr int slab_size = 128;     // slices
constexpr int tile_size = 32;      // columns and lines
constexpr int wide_tile_size = 64; // those of grouped views
constexpr int batch_size = 16;     // views whose sums stay in registers
constexpr int group_size = 128;    // views whose sums stay in a tile

// Least depth of any voxel, as a share of the distance from source to detector.
double least_depth (const Job &job);

// How many rows of the detector the voxels of a column are apart, at most; infinite where columns of voxels do not lie
// along columns of the detector, rows downwards, not all slices take all projections, or
// the source is so near that single precision does not do for depths.
double steepest (const Job &job);
// What the kernels serve, and up to where they read what 16 voxels see from a few registers.
constexpr double most_steepest = 8, steepest_of_windows = 4;

// Rows of the detector that any voxel of the slices is seen on, or up to `around` voxels more on each side, between the
// values of which it is read.
Interval rows_seen (const Job &job, Interval slices, double around = 0);
// The same of positions between these.
Interval rows_between (const Job &job, double least, double most);

// Rows more on either side, for voxels around those of a tile.
constexpr int64_t rows_around = 6;
Interval with_rows_around (const Job &job, Interval rows);

// The slices of slab `number`.
Interval slab_slices (const Job &job, int64_t number);

// One slab's views of a group: [view][column][row], two columns of zeros before and after a view's own, and zeros
// before and after the rows.
struct Packing {
  Manner manner;
  Interval rows;      // of the detector
  int64_t columns;    // of the detector
  int64_t pad;        // zeros before the rows of a column; those after them are the next column's
  int64_t stride;     // from column to column, in bins
  size_t view, bytes; // from view to view in bins, and of all

  size_t bin () const { return manner.precision == Precision::single ? sizeof (float) : sizeof (int16_t); }
};

Packing packing_of (const Job &job, Manner manner, int64_t slab);

} // namespace sino::cone_back_project
