// SPDX-License-Identifier: LGPL-3.0-or-later
// Projections in the layout of the native kernels: transposed, so that the values for a column of voxels are
// contiguous, with zeros around them. Also checks which scans these kernels support.
#pragma once
#include "kernels/cone-back-project/cone-back-project.hpp"
#include <cstddef>

namespace sino::cone_back_project {

enum class Precision { single, int16 };

// The way in which projections are added: in float or integer, each view separately or neighbouring views grouped.
struct Manner {
  Precision precision = Precision::single;
  bool grouped = false;
};

// Sizes of units of computation. Units count from the first voxel and the first view of the scan, so that the order of
// additions does not depend on the division of the work.
constexpr int slab_size = 128;     // slices
constexpr int tile_size = 32;      // columns and lines
constexpr int wide_tile_size = 64; // columns and lines with grouped views
constexpr int batch_size = 16;     // views whose sums stay in registers
constexpr int group_size = 128;    // views that are added while the sums of a tile stay in cache

// Least depth of any voxel, as a share of the distance from source to detector.
double least_depth (const Job &job);

// Largest distance, in detector rows, between neighbouring voxels of a column. Infinite if the kernels do not support
// the scan: columns of voxels are not parallel to columns of the detector with rows downwards, not all slices use all
// projections, or the source is so near that single precision is insufficient for depths.
double steepest (const Job &job);
// Largest `steepest` that the kernels support, and largest one for reading the values of 16 voxels from a few
// registers.
constexpr double most_steepest = 8, steepest_of_windows = 4;

// Detector rows needed to interpolate all voxels of the slices, or of up to `around` more voxels on each side.
Interval rows_seen (const Job &job, Interval slices, double around = 0);
// Rows needed to interpolate positions from `least` to `most`.
Interval rows_between (const Job &job, double least, double most);

// Additional rows on either side, for voxels around those of a tile.
constexpr int64_t rows_around = 6;
Interval with_rows_around (const Job &job, Interval rows);

// The slices of slab `number`.
Interval slab_slices (const Job &job, int64_t number);

// Views of a group for one slab: [view][column][row], with two columns of zeros before and after those of a view, and
// zeros before and after the rows.
struct Packing {
  Manner manner;
  Interval rows;      // rows of the detector that are packed
  int64_t columns;    // number of columns of the detector
  int64_t pad;        // zeros before the rows of a column; the zeros after them belong to the next column
  int64_t stride;     // distance between columns, in bins
  size_t view, bytes; // distance of views in bins; total bytes

  size_t bin () const { return manner.precision == Precision::single ? sizeof (float) : sizeof (int16_t); }
};

Packing packing_of (const Job &job, Manner manner, int64_t slab);

} // namespace sino::cone_back_project
