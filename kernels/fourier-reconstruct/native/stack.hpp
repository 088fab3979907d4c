// SPDX-License-Identifier: LGPL-3.0-or-later
// Gridding on the CPU, for a stack of slices side by side, in stages that threads share:
//
//   1. transform_rays:  rows of sinograms are transformed and filtered
//   2. spread_rays:     what they become is spread over the grid of frequencies
//   3. add_centres:     what rays gave around the centre is added up
//   4. transform_line:  a line of the grid is transformed
//   5. store_rows:      a few rows of the slices are transformed and stored
//
// Rays are sorted by direction into sectors. Sectors that are not neighbours touch different cells, except around the
// centre, where all rays meet and each sector has cells of its own; so the even sectors can be worked on at the same
// time, and after them the odd ones. All sums have a fixed order: results do not depend on the number of threads.
//
// Lines of the grid run along y, one for each frequency in x: the last transforms then give rows of slices.
#pragma once
#include "kernels/fourier-reconstruct/gridding.hpp"
#include "kernels/fourier-reconstruct/lane-fft.hpp"
#include <atomic>
#include <string>

namespace sino::fourier_reconstruct {

constexpr int64_t batch_rays = 8; // spread together: what one touches is near for the next, and their terms are, too
constexpr int64_t margin = 4;     // cells beyond all sides of the grid, folded into it afterwards
constexpr int64_t rows_together = 4;

// What holds for all stacks. Shared by the threads.
struct StackPlan {
  explicit StackPlan (const Job &job); // throws Error where the size cannot be transformed; the filter is not set

  Job job;
  Gridding gridding;
  LaneFft row_fft, grid_fft;
  std::vector<float> half_turns;         // e^(i pi j / row_fft.n), complex
  std::vector<std::vector<size_t>> rays; // rays of each sector
  // In vectors:
  int64_t line_stride;  // from one line of the grid to the next
  int64_t term_stride;  // from one ray's terms k = -P/2 .. P/2 to the next's
  int64_t centre_terms; // up to this |k| they go to the centre
  int64_t centre_size;  // cells of both sides of a centre

  int sectors () const { return static_cast<int> (rays.size ()); } // an even number
  int64_t batches (int sector) const;
  std::span<const size_t> batch (int sector, int64_t i) const;
  int64_t row_groups () const { return (job.roi.height + rows_together - 1) / rows_together; }
  // Cells of a line `distance` from the middle line that rays can reach, at most this far from the line's middle.
  int64_t extent (int64_t distance) const;

  size_t resident () const;
};

// Memory of a stack, in floats; aligned to 64 bytes. Grid and centres are zero before a stack and again after it.
struct Memory {
  float *grid, *centres, *lines;
  std::atomic<uint32_t> *broken; // a bit for each lane that brought a value that is not finite; 0 before a stack
};
size_t grid_floats (const StackPlan &stack);
size_t centre_floats (const StackPlan &stack);
size_t line_floats (const StackPlan &stack);
size_t term_floats (const StackPlan &stack); // floats of a thread, as
size_t work_floats (const StackPlan &stack);

// The sinograms of a stack: [ray][bin][stride], of which the first `lanes` of each bin are taken; stack_lanes () or
// less.
struct Bins {
  const float *values;
  int64_t stride;
  int lanes;
};

// Slices in a stack: as many as a vector holds values, at least 4; 0 on CPUs without vectors, which have none of the
// functions below. And the instruction set ("AVX3").
int stack_lanes ();
const char *stack_instruction_set ();

// The rays of a batch become their terms k = -P/2 .. P/2: padded, transformed, filtered, moved to the rotation axis.
// Rows with a value that is not finite count as 0, for two share complex values; slices of such a lane become NaN in
// the end. `terms`: term_floats (), of which terms-inl.hpp tells the order; `work`: work_floats ().
void transform_rays (const StackPlan &stack, const Memory &memory, const Bins &bins, std::span<const size_t> rays,
                     float *terms, float *work);
// Adds the terms to the grid, and around the centre to the cells of the sector.
void spread_rays (const StackPlan &stack, const Memory &memory, int sector, std::span<const size_t> rays, float *terms);
// Adds what is around the centre to one of centre_size lines.
void add_centres (const StackPlan &stack, const Memory &memory, int64_t line);
// Transforms one of gridding.grid lines.
void transform_line (const StackPlan &stack, const Memory &memory, int64_t line, float *work);
// Stores one of row_groups (). `slices`: dense, roi.width x roi.height, a pointer per lane; null: not wanted.
void store_rows (const StackPlan &stack, const Memory &memory, int64_t group, std::span<float *const> slices,
                 float *work);

// The transform by itself, of stack_lanes () / 2 complex sequences side by side; for tests and benchmarks. `scratch`:
// fft.scratch () * stack_lanes () floats.
void transform (const LaneFft &fft, const float *in, float *out, float *scratch);

} // namespace sino::fourier_reconstruct
