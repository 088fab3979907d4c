// SPDX-License-Identifier: LGPL-3.0-or-later
// The innermost part of the native kernel: adds a batch of rays to a cell. Compiled for every instruction set; the best
// one is selected at run time.
#pragma once
#include "kernels/back-project/native/batch.hpp"

namespace sino::back_project {

// Geometry of the rays of a batch, in fine bins.
struct BatchRays {
  alignas (64) double cos[most_rays];
  alignas (64) double sin[most_rays];
  alignas (64) double origin[most_rays];
  alignas (64) double reach[most_rays]; // distance from a cell's middle to the centre of its outermost pixel
};

// Positions of a square of pixels in rays. (x, y): its middle, from the slice's centre; `cells`: its size, in cells.
// Results for each ray: the first bin needed, and the position of the middle, minus `from_first` bins, relative to it.
void see (const BatchRays &rays, int count, bool nearest, double x, double y, double cells, double from_first,
          int32_t *first, float *middle);

// Adds a batch to sums[row][column][lane], whose rows are `stride` pixels long. It may also add pixels to the left and
// to the right of the part.
void add_cell (const Batch &batch, const Holding &how, bool nearest, const CellPart &part, float *sums, int stride);

// Number of lanes that is fastest on this CPU, and the instruction set in use ("AVX3").
int best_lanes ();
const char *instruction_set ();

} // namespace sino::back_project
