// SPDX-License-Identifier: LGPL-3.0-or-later
// A batch of rays, and a cell of 16 x 16 pixels that it is added to, small enough that the bins it sees stay in the L1
// cache.
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

// Pixels of a cell: columns [left, right), rows [top, bottom).
struct CellPart {
  int left, right, top, bottom;
};

} // namespace sino::back_project
