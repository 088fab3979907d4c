// SPDX-License-Identifier: LGPL-3.0-or-later
// Line integrals through a volume and their exact transpose, by separable footprints (Y. Long, J. A. Fessler, J. M.
// Balter, 3D forward and back-projection for X-ray CT using separable footprints, IEEE Trans. Med. Imaging 29, 2010;
// SF-TR with the A1 amplitude). A voxel's shadow is a trapezoid along the columns of the detector, times a rectangle
// along its rows. A bin gets the mean of the shadow over its area.
//
// This needs views in which all voxels above one another are seen in the same columns, at the same depth: upright
// detectors of cone and fan beams, and any parallel beam whose detector columns are perpendicular to the axis, also
// when the axis is tilted. Work is then shared by all voxels of a line along z.
//
// The slice of a fan beam, alone with its row of the detector, fills the height of this row: its object goes on above
// and below.
//
// A volume is [y][x][z] and a projection [column][row], so that lines along z and along rows can fill vectors. Lines
// are padded with zeros to a length that Fft transforms fast.
#pragma once
#include "base/divide-up.hpp"
#include "kernels/volume.hpp"
#include <cstddef>
#include <span>
#include <vector>

namespace sino::footprint {

using kernels::Volume;

constexpr int64_t side = 8;          // columns and lines of a tile
constexpr int most_columns = 12;     // largest number of detector columns in a voxel's shadow
constexpr double most_rows = 8;      // largest height of a voxel's shadow, in rows, and of a row, in voxels
constexpr size_t views_together = 8; // views that are computed one after the other for a line of voxels

// The projection of voxels in one view.
struct Sight {
  Matrix matrix;
  View view;
  double step;    // rows from a voxel to the next one along z, times its depth
  double widened; // height of a voxel's shadow, relative to `step`
};

struct Scene {
  std::vector<Sight> sights;
  Volume volume;
  int64_t columns, rows;        // size of the detector
  double radius;                // lines of voxels whose middles are farther from the axis are left out: they are 0
  int64_t line;                 // floats of a line of voxels
  int64_t column;               // floats of a column of the detector
  std::vector<Interval> inside; // for each line of a slice, the columns within the radius

  int64_t voxels () const { return volume.columns * volume.lines * line; } // floats of a volume
  int64_t bins () const { return columns * column; }                       // floats of a projection
  bool is_fan () const { return rows == 1 && volume.slices == 1; }
  int64_t across () const { return divide_up (volume.columns, side); } // tiles along x
  int64_t tiles () const { return across () * divide_up (volume.lines, side); }
};

// Tells why views are not as this method needs them, or shadows too large, and what to do; null if they are.
const char *against_footprints (std::span<const View> views, const Volume &volume);
Scene scene_of (std::span<const View> views, int64_t columns, int64_t rows, const Volume &volume, double radius);

// Multiplies bins of a column by the lengths of their rays, relative to what footprints take them for: after project ()
// and before back_project ().
void multiply_lengths (const Scene &scene, const Sight &sight, int64_t column, float *bins);

// Adds the shadows of a tile to projections, which belong to neighbouring views beginning with `first`, at most
// `views_together`. Tiles have to come in their order.
void project (const Scene &scene, int64_t tile, size_t first, std::span<float *const> projections, const float *volume,
              std::byte *memory);
// The transpose: adds projections to the voxels of a tile.
void back_project (const Scene &scene, int64_t tile, size_t first, std::span<const float *const> projections,
                   float *volume, std::byte *memory);
size_t memory_of_thread (const Scene &scene); // bytes, aligned to 64

} // namespace sino::footprint
