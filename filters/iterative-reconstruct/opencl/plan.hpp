// SPDX-License-Identifier: LGPL-3.0-or-later
// Plan of iterations on OpenCL devices: how lines are transformed, and sizes of memory.
#pragma once
#include "families/family.hpp"
#include "filters/fourier-reconstruct/opencl/plan.hpp"
#include "filters/iterative-reconstruct/problem.hpp"
#include "filters/opencl/lines.hpp"

namespace sino::iterative_reconstruct {

using opencl::Lines;
using opencl::lines_for;

constexpr const char *iterate_source = "iterate/iterate.cl";

// Valid for all devices and numbers of lanes.
struct OpenclPlan : NoCopy {
  explicit OpenclPlan (const Problem &problem);

  const Problem problem;
  const std::shared_ptr<const fourier_reconstruct::OpenclPlan> gridding; // of the start
  const size_t blocks;                                                   // in which noise is looked for; 0: it is known

  size_t bins (int lanes) const; // bytes of sinograms
};

// Slices at once, with the sizes of their start, which is one for several strengths. Results do not depend on them.
struct Batch {
  int slices;
  fourier_reconstruct::Batches gridding;

  int pairs () const { return slices / 2; }
};
// The setting of the start's kernels.
families::Setting gridding_setting (const families::Setting &setting, int slices);
// The largest batch for so many lanes that fits on the device; at least two slices. Throws Error if two do not fit.
Batch batch_for (const OpenclDevice &device, const OpenclPlan &plan, const families::Setting &setting, int lanes);

// Iterations that may be in a queue, so that a cancelled run ends soon; and places for what is known of them.
constexpr size_t most_iterations = 3, slots = most_iterations + 2;
constexpr int sums_of_rows = 3;

namespace buffers {
constexpr char images[] = "images", frequencies[] = "frequencies of images", kernel[] = "T in frequencies",
               metric[] = "metric", circle[] = "circle", turns[] = "turns of lines", half_turns[] = "half turns",
               sums[] = "sums of images", totals[] = "totals of images", factors[] = "factors of slices",
               broken[] = "marks of broken slices", medians[] = "medians of blocks", expected[] = "variances of blocks",
               noise[] = "noise of lanes", squares[] = "squares of rows", continued[] = "continued rows",
               tapers[] = "tapers of rows", adjoint[] = "responses of rays";
}
// All buffers except those for input and output blocks.
void memory (const OpenclDevice &device, const OpenclPlan &plan, const Batch &batch, int lanes, Bill &bill);

} // namespace sino::iterative_reconstruct
