// SPDX-License-Identifier: LGPL-3.0-or-later
// The innermost part of the native kernel: a batch of rays is added to a cell of 16 x 16 pixels, small enough that the
// bins it sees stay in the L1 cache. Compiled for every instruction set and chosen at run time.
#pragma once
#include "kernels/back-project/native/bins.hpp"

namespace sino::back_project {

constexpr int cell_size = 16;
constexpr int most_rays = 16; // rays of a batch
constexpr float cell_middle = 0.5f * (cell_size - 1);

// The diagonal of a cell spans 15 sqrt (2) < 21.3 columns: with the rounding down of the first bin and the right
// neighbour of the last one these hold all that it reads.
constexpr int window_bins (int fine)
{
  return fine == 1 ? 24 : 88;
}
// Coordinates count from here, near the middle of what is read, where float is finest.
constexpr int middle_bin (int fine)
{
  return window_bins (fine) / 2 - 1;
}
// The single slice's loop loads whole vectors.
constexpr int single_window_bins = 33;

// What a cell sees of some rays: of ray k the point (x, y) from the cell's middle is seen at bin
// middle_bin + middle[k] + x dx[k] + y dy[k], counted from bins[k].
struct Batch {
  int count;
  const std::byte *bins[most_rays];
  alignas (64) float middle[most_rays];
  alignas (64) float dx[most_rays];
  alignas (64) float dy[most_rays];
  // A vector in memory, since of a scalar the compiler would compute the left bin's weight as a scalar, too, and spend
  // a shuffle on spreading it.
  alignas (64) float weight[most_rays][cell_size];
};

// How many rays are added before the sums leave the registers: so few that their bins stay in the L1 cache, also those
// of 32 lanes, and as many for every number of lanes, as the order of a sum decides its bits.
constexpr int batch_size (int lanes, int fine)
{
  return lanes == 1 ? 16 : fine == 1 ? 8 : 4;
}

// Interpolation weights of Sample::pairs are integers up to this, so that the sums of a batch stay below 2^31.
constexpr int pair_weight = 65536 / batch_size (2, 1);

// Geometry of the rays of a batch, in fine bins.
struct BatchRays {
  alignas (64) double cos[most_rays];
  alignas (64) double sin[most_rays];
  alignas (64) double origin[most_rays];
  alignas (64) double reach[most_rays]; // from a cell's middle to its outermost pixel's centre
};

// Where rays see a square of pixels whose middle is (x, y) pixels from the slice's centre, and which is `cells` as
// large as a cell: the first bin that each sees, and how far after `from_first` bins from there the middle is.
void see (const BatchRays &rays, int count, bool nearest, double x, double y, double cells, double from_first,
          int32_t *first, float *middle);

// Pixels of a cell: columns [left, right), rows [top, bottom).
struct CellPart {
  int left, right, top, bottom;
};

// Adds a batch to sums[row][column][lane], whose rows are `stride` pixels long. Pixels left and right of the part may
// be added, too.
void add_cell (const Batch &batch, const Holding &how, bool nearest, const CellPart &part, float *sums, int stride);

int best_lanes ();
const char *instruction_set ();

} // namespace sino::back_project
