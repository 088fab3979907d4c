// SPDX-License-Identifier: LGPL-3.0-or-later
// Plan of iterations on OpenCL devices: how lines are transformed, and sizes of memory.
#pragma once
#include "device/line-plan.hpp"
#include "families/family.hpp"
#include "filters/fourier-reconstruct/opencl/plan.hpp"
#include "filters/iterative-reconstruct/problem.hpp"

namespace sino::iterative_reconstruct {

constexpr const char *iterate_source = "iterate/iterate.cl";

// Valid for all devices and numbers of lanes.
struct OpenclPlan : NoCopy {
  explicit OpenclPlan (const Problem &problem);

  const Problem problem;
  const std::shared_ptr<const fourier_reconstruct::OpenclPlan> gridding; // of the start
  const size_t blocks;                                                   // in which noise is looked for; 0: it is known

  size_t bins (int lanes) const; // bytes of sinograms
};

// How rows and columns of images are transformed.
struct Lines {
  LinePlan plan; // with the rows of a group
  int columns;   // of a group
  int together;  // columns side by side between rows and columns
  bool powers;   // factors of transforms are computed

  int beside () const; // floats of local memory from a column to the next
  std::string options () const;
};
// None if the length has no plan, or a line does not fit in the local memory of a group.
std::optional<Lines> lines_for (int64_t size, const OpenclFacts &facts, const families::Setting &setting);

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
