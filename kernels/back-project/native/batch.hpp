// SPDX-License-Identifier: LGPL-3.0-or-later
// A batch of rays, and the cell of 16 x 16 pixels that it is added to. Both are so small that the bins needed stay in
// the L1 cache.
#pragma once
#include "kernels/back-project/native/bins.hpp"

namespace sino::back_project {

constexpr int cell_size = 16;
constexpr int most_rays = 16; // rays per batch
constexpr float cell_middle = 0.5f * (cell_size - 1);

// Bins that a cell reads of a ray: its diagonal spans 15 sqrt (2) < 21.3 columns, and the first bin is rounded down and
// the last one needs its right neighbour.
constexpr int window_bins (int fine)
{
  return fine == 1 ? 24 : 88;
}
// Origin of positions, near the middle of the window, where floats are most precise.
constexpr int middle_bin (int fine)
{
  return window_bins (fine) / 2 - 1;
}
// Positions of a cell in some rays: for ray k, the point (x, y) from the cell's middle is at bin middle_bin + middle[k]
// + x dx[k] + y dy[k], counted from bins[k].
struct Batch {
  int count;
  const std::byte *bins[most_rays];
  alignas (64) float middle[most_rays];
  alignas (64) float dx[most_rays];
  alignas (64) float dy[most_rays];
  // Repeated as a vector: from a scalar the compiler would compute the left bin's weight as a scalar, too, and would
  // need a shuffle to broadcast it.
  alignas (64) float weight[most_rays][cell_size];
};

// Number of rays that are added before the sums leave the registers: so few that their bins stay in the L1 cache even
// with 32 lanes. It does not depend on the number of lanes above 1, because the order of additions determines a sum's
// bits.
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
