// SPDX-License-Identifier: LGPL-3.0-or-later
// The innermost part of the native kernel: a batch of rays is added to a cell. Compiled for every instruction set and
// chosen at run time.
#pragma once
#include "kernels/back-project/native/batch.hpp"

namespace sino::back_project {

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

// Adds a batch to sums[row][column][lane], whose rows are `stride` pixels long. Pixels left and right of the part may
// be added, too.
void add_cell (const Batch &batch, const Holding &how, bool nearest, const CellPart &part, float *sums, int stride);

// Lanes that the CPU is fastest with, and the instruction set that is used ("AVX3").
int best_lanes ();
const char *instruction_set ();

} // namespace sino::back_project
