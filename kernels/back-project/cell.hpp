// SPDX-License-Identifier: LGPL-3.0-or-later
// The innermost part of the native kernel: a batch of rays is added to a cell of 16 x 16 pixels, small enough that the
// bins it sees stay in the L1 cache. Compiled for every instruction set and chosen at run time.
#pragma once
#include <cstddef>
#include <cstdint>

namespace sino::back_project {

constexpr int cell_size = 16;
constexpr int batch_size = 16;
constexpr float cell_middle = 0.5f * (cell_size - 1);

// The diagonal of a cell spans 15 sqrt (2) < 21.3 bins: with the rounding down of the first one and the right neighbour
// of the last one 24 bins hold all that it reads.
constexpr int window_bins = 24;
// Coordinates count from here, near the middle of what is read, where float is finest.
constexpr int middle_bin = 11;

// What a cell sees of a ray: the point (x, y) from the cell's middle is seen at bin middle_bin + middle + x dx + y dy.
struct Window {
  const float *bins; // [bin][lane]
  float middle, dx, dy;
  float weight;
};

// Pixels of a cell: columns [left, right), rows [top, bottom).
struct CellPart {
  int left, right, top, bottom;
};

// Adds `count` rays to sums[row][column][lane], whose rows are `stride` pixels long. Pixels left and right of
// the part may be added, too.
void add_cell (const Window *windows, int count, int lanes, bool nearest, const CellPart &part, float *sums,
               int stride);

void half_to_float (const void *half, float *out, size_t n);

int best_lanes ();
const char *instruction_set ();

} // namespace sino::back_project
