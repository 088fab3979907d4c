// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/back-project/native/cost.hpp"
#include "kernels/back-project/native/cell.hpp"
#include "kernels/back-project/native/stack.hpp"
#include <algorithm>
#include <numbers>

namespace sino::back_project {

namespace {

// Operations per ray and pixel for all lanes, or per vector of pixels of a single slice.
struct Step {
  double multiply_adds = 0, arithmetic = 0, pair_products = 0, loads = 0, small_loads = 0, permutes = 0, gathers = 0;
  double updates = 1;
};

// See stack-inl.hpp and samples-inl.hpp. Positions need eight operations per vector of pixels, shared by all lanes.
Step stack_step (const Job &job, Sample sample, double vector)
{
  const double parts = std::max (job.lanes / vector, 1.0);
  const bool linear = job.interpolation == Interpolation::linear;
  Step step;
  step.updates = job.lanes;
  step.arithmetic = 8 / vector;
  step.small_loads = linear ? 2 : 1; // index of the bin, and its weight
  if (sample == Sample::pairs) {
    step.pair_products = parts;
    step.loads = parts;
  } else if (sample == Sample::differences) { // a vector has twice as many halves
    step.multiply_adds = parts / 2;
    step.arithmetic += parts;
    step.loads = parts;
  } else if (linear) {
    step.multiply_adds = 2 * parts;
    step.arithmetic += 2 * parts + 1;
    step.loads = 2 * parts;
  } else {
    step.multiply_adds = step.arithmetic = parts;
    step.loads = parts;
  }
  return step;
}

// See single-inl.hpp.
Step single_step (const Job &job, int fine, double vector)
{
  const bool linear = job.interpolation == Interpolation::linear;
  const bool in_registers = vector >= 8 && fine == 1;
  Step step;
  step.updates = vector;
  step.multiply_adds = linear ? in_registers ? 3 : 4 : in_registers ? 2 : 3;
  step.arithmetic = step.multiply_adds + (linear ? in_registers ? 5 : 6 : 4);
  (in_registers ? step.permutes : step.gathers) = (linear ? 2 : 1) * (in_registers && vector == 8 ? 3 : 1);
  return step;
}

} // namespace

Cost cost_of (const Job &job, int64_t projections, int vector_bytes)
{
  const auto how = holding (job);
  if (job.lanes > 1) // few lanes use shorter vectors
    vector_bytes = std::min (vector_bytes, std::max (4 * job.lanes, 16));
  const double vector = vector_bytes / 4.0;
  const auto step = job.lanes == 1 ? single_step (job, how.fine, vector) : stack_step (job, how.sample, vector);
  Cost cost{.vector = vector_bytes,
            .operations = {step.multiply_adds, step.arithmetic, step.pair_products, step.loads, step.small_loads,
                           step.permutes, step.gathers},
            .l2 = 0,
            .memory = 0};
  for (auto &each : cost.operations)
    each /= step.updates;

  // The windows of a cell come from the L2 cache. Its sums are read from there and written back with each batch.
  constexpr double cell = cell_size * cell_size, tile = tile_size * tile_size;
  cost.l2 = window_bins (how.fine) * 4 / cell + 8.0 / batch_size (job.lanes, how.fine);
  // On average, a tile reads |cos| + |sin| times its side of bins from memory. Bins are also packed into lanes (read
  // and written, and a cache reads a line before writing) and searched for the largest value, and slices are written.
  const double bytes = job.half ? 2 : 4;
  cost.memory = 4 / std::numbers::pi * tile_size * bytes / tile +
                (3 * bytes + (how.scaled ? bytes : 0)) / static_cast<double> (job.size) +
                8 / static_cast<double> (projections);
  return cost;
}

} // namespace sino::back_project
