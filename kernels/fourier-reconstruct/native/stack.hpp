// SPDX-License-Identifier: LGPL-3.0-or-later
// Gridding on the CPU, for a stack of slices in lanes, in stages that threads share:
//
//   1. transform_rays:  rows of sinograms are transformed and filtered
//   2. spread_rays:     terms of rays are spread over the grid of frequencies
//   3. add_centres:     the sectors' cells around the centre are added up
//   4. transform_line:  a line of the grid is transformed
//   5. store_rows:      a few rows of the slices are transformed and stored
//
// Rays are sorted by direction into sectors. Sectors that are not neighbours touch different cells, except around the
// centre, where all rays meet and each sector has cells of its own. So all even sectors can be processed in parallel,
// then all odd ones. All sums have a fixed order: results do not depend on the number of threads.
//
// Lines of the grid run along y, one for each frequency in x, so that the last transforms give rows of slices.
#pragma once
#include "base/divide-up.hpp"
#include "kernels/fourier-reconstruct/gridding.hpp"
#include "kernels/fourier-reconstruct/lane-fft.hpp"
#include "kernels/vector-set.hpp"
#include <atomic>

namespace sino::fourier_reconstruct {

constexpr int64_t batch_rays = 8; // rays spread together: they share cells, and their terms stay in the cache
constexpr int64_t margin = 4;     // cells beyond all sides of the grid, which are added to the opposite side afterwards
constexpr int64_t rows_together = 4;

// Most slices in a stack: the number of floats in a vector, at least 4; 0 on CPUs without vectors, where the functions
// below are not available.
int stack_lanes ();
// The functions for a stack of up to `lanes` slices, whose bits do not depend on it.
kernels::VectorSet vectors_for (int lanes);

// Plan for all stacks. Shared by the threads.
struct StackPlan {
  // Throws Error if the size cannot be transformed. Does not set the filter.
  explicit StackPlan (const Job &job, kernels::VectorSet vectors = vectors_for (stack_lanes ()));

  Job job;
  kernels::VectorSet vectors;
  Gridding gridding;
  LaneFft row_fft, grid_fft;
  std::vector<float> half_turns;         // e^(i pi j / row_fft.n), complex
  std::vector<std::vector<size_t>> rays; // indices of the rays in each sector
  // In vectors:
  int64_t line_stride;  // distance between lines of the grid
  int64_t term_stride;  // distance between the terms, k = -P/2 .. P/2, of one ray and the next
  int64_t centre_terms; // terms with |k| up to this go to the centre
  int64_t centre_size;  // columns and rows of a centre

  int sectors () const { return static_cast<int> (rays.size ()); } // an even number
  int64_t batches (int sector) const { return divide_up (std::ssize (rays[static_cast<size_t> (sector)]), batch_rays); }
  std::span<const size_t> batch (int sector, int64_t i) const;
  int64_t row_groups () const { return divide_up (job.roi.height, rows_together); }
  // Largest distance, from the middle of a line, of cells that rays can reach in a line `distance` from the middle
  // line.
  int64_t extent (int64_t distance) const;

  size_t resident () const;
};

// Memory of a stack, in floats; aligned to 64 bytes. Grid and centres must be zero before a stack, and are zero after
// it.
struct Memory {
  float *grid, *centres, *lines;
  std::atomic<uint32_t> *broken; // a bit for each lane with a value that is not finite; 0 before a stack
};
struct Floats {
  size_t grid, centres, lines;
  size_t terms, work; // for each thread
};
Floats floats_of (const StackPlan &stack);

// Sinograms of a stack: [ray][bin][stride]. The first `lanes` values of each bin are used; at most as many as the
// vectors of the plan have.
struct Bins {
  const float *values;
  int64_t stride;
  int lanes;
};

// Computes the terms k = -P/2 .. P/2 of a batch's rays: pads, transforms, filters, and moves them to the rotation axis.
// Rows with a value that is not finite count as 0, because two slices share complex values; slices of such a lane
// finally become NaN. `terms`: Floats::terms, in the layout of terms-inl.hpp; `work`: Floats::work.
void transform_rays (const StackPlan &stack, const Memory &memory, const Bins &bins, std::span<const size_t> rays,
                     float *terms, float *work);
// Adds terms to the grid, and around the centre to the cells of the sector.
void spread_rays (const StackPlan &stack, const Memory &memory, int sector, std::span<const size_t> rays, float *terms);
// Adds one of centre_size lines of all sectors' centres to the grid.
void add_centres (const StackPlan &stack, const Memory &memory, int64_t line);
// Transforms one of gridding.grid lines.
void transform_line (const StackPlan &stack, const Memory &memory, int64_t line, float *work);
// Stores one of row_groups (). `slices`: dense, roi.width x roi.height, one pointer per lane; null: not wanted.
void store_rows (const StackPlan &stack, const Memory &memory, int64_t group, std::span<float *const> slices,
                 float *work);

// The transform alone, of stack_lanes () / 2 complex sequences in lanes; for tests and benchmarks. `scratch`:
// fft.scratch () * stack_lanes () floats.
void transform (const LaneFft &fft, const float *in, float *out, float *scratch);

} // namespace sino::fourier_reconstruct
