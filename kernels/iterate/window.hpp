// SPDX-License-Identifier: LGPL-3.0-or-later
// The stages of TV in three dimensions, for the stacks of a window: slices that follow one another in their lanes.
//
//   for each stack:  lay_duals, convolve, take_gradient, which leaves the gradient in q
//   transform_along
//   for each stack:  lay_metric, divide_by, take_metric: in q
//   update_window
//
// The metric is 1 / (D + 1.1 sigma laplacian along z), where D is that of slices. Cosine transforms along z, by their
// matrix, make the Laplacian a factor, 2 - 2 cos (pi k / slices). Two frequencies that lie side by side in complex
// values are divided by the larger one of both.
#pragma once
#include "kernels/iterate/stack.hpp"

namespace sino::iterate {

struct Cosines {
  int64_t slices, width;            // width: slices, rounded up to whole stacks
  std::vector<float> forward, back; // [slice][frequency], [frequency][slice], rows of `width`; orthonormal
  std::vector<float> added;         // [frequency], for divide_by ()

  explicit Cosines (int64_t slices);
};

void take_gradient (const Plan &plan, const Memory &memory, int64_t row, float *work);
// Transforms q of all stacks along z.
void transform_along (const Plan &plan, const Cosines &cosines, std::span<const Memory> stacks, int64_t row);
// Transforms q back, and does update () for all stacks, each of which has its own sums.
void update_window (const Plan &plan, const Cosines &cosines, std::span<const Memory> stacks,
                    std::span<const TvSteps> steps, int64_t row);

} // namespace sino::iterate
