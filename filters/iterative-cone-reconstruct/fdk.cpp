// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-cone-reconstruct/fdk.hpp"
#include "filters/iterative-cone-reconstruct/metric.hpp"
#include "kernels/cone-weight/cosines.hpp"
#include "kernels/ramp-filter/response.hpp"
#include <cmath>
#include <hwy/aligned_allocator.h>

namespace sino::iterative_cone_reconstruct {

using namespace ramp_filter;

namespace {

constexpr int64_t rows_together = 16; // neighbours in a column of a projection
constexpr double power_of_window = 1.5;
constexpr double safe_step = 0.9; // a step of 1 would be the largest that does not diverge

int64_t half_length (int64_t columns)
{
  return Fft::good_even_length (std::max<int64_t> (2 * columns, 32)) / 2;
}

std::vector<double> response_of (int64_t columns, const Cpu &cpu)
{
  const auto half = half_length (columns);
  const Ramp ramp (2 * half);
  std::vector<double> values (static_cast<size_t> (half) + 1);
  cpu.parallel (half + 1, 64, [&] (int64_t begin, int64_t end) {
    for (auto k = begin; k < end; k++)
      values[static_cast<size_t> (k)] =
          ramp.at (k) *
          window_at (Window::sinc, static_cast<double> (k) / static_cast<double> (half), 1, 2, power_of_window);
  });
  return values;
}

size_t work_floats (int64_t columns)
{
  const auto half = half_length (columns);
  return 2 * aligned_floats (half) + aligned_floats (Fft::work_values (half)) +
         static_cast<size_t> ((rows_together + 1) * columns);
}

} // namespace

Fdk::Fdk (const Space &s) : space (s), filter (response_of (s.scene.columns, s.cpu), false) {}

void Fdk::memory (const Problem &problem, int threads, Bill &bill)
{
  add_bytes (bill, "rows of a thread", work_floats (problem.scene.columns) * sizeof (float),
             static_cast<size_t> (threads));
  add_bytes (bill, "tables of transforms",
             Fft::plan_bytes (half_length (problem.scene.columns)) + problem.weights.bytes ());
}

void Fdk::add (float *projections, float *volume) const
{
  const auto &scene = space.scene;
  const auto blocks = divide_up (scene.rows, rows_together);
  space.cpu.parallel (space.problem.views () * blocks, 1, [&] (int64_t begin, int64_t end) {
    const auto work = hwy::AllocateAligned<float> (work_floats (scene.columns));
    for (auto i = begin; i < end; i++) {
      space.monitor.check ();
      filter_rows (i / blocks, i % blocks * rows_together, projections + i / blocks * scene.bins (), work.get ());
    }
  });
  space.pair.back_project (projections, space.all_views (), volume);
}

// Weights and filters some rows, beginning with `first`.
void Fdk::filter_rows (int64_t view, int64_t first, float *projection, float *work) const
{
  const auto &scene = space.scene;
  const auto width = scene.columns, half = filter.padded () / 2;
  const auto count = std::min (rows_together, scene.rows - first);
  float *const a = work, *const b = a + aligned_floats (half), *const scratch = b + aligned_floats (half),
               *const rows = scratch + aligned_floats (Fft::work_values (half)),
               *const shares = rows + rows_together * width;
  for (int64_t u = 0; u < width; u++)
    for (int64_t r = 0; r < count; r++)
      rows[r * width + u] = projection[u * scene.column + first + r];
  const auto number = static_cast<size_t> (space.problem.order[static_cast<size_t> (view)]);
  for (int64_t r = 0; r < count; r++) {
    float *const row = rows + r * width;
    space.problem.weights.shares (number, first + r, {shares, static_cast<size_t> (width)});
    for (int64_t u = 0; u < width; u++)
      shares[u] *= static_cast<float> (space.problem.shares[static_cast<size_t> (view)]);
    cone_weight::weigh (space.problem.weights.cosines (number, first + r), shares, row, width, row);
    filter.run (row, width, a, b, scratch, row);
  }
  for (int64_t u = 0; u < width; u++)
    for (int64_t r = 0; r < count; r++)
      projection[u * scene.column + first + r] = rows[r * width + u];
}

// x = x + step FDK (b - A x), the first time with a step of 1. Few projections need smaller steps: FDK takes them for
// enough, and adds too much where their frequencies meet.
Outcome solve_fdk (Space &space)
{
  const Fdk fdk (space);
  float *const x = space.volume (0), *const step = space.volume (1), *const rest = space.projections (1);
  const double next = std::min (1.0, safe_step / density_factor (space.problem, space.cpu, space.monitor));
  Outcome outcome{};
  do {
    outcome.residual = space.residual (x, space.all_views (), rest);
    space.clear (step);
    fdk.add (rest, step);
    double square = 0;
    const double change = space.take_step (x, step, outcome.iterations == 0 ? -1 : -static_cast<float> (next), square);
    outcome.change = share_of (change, square);
  } while (space.goes_on (outcome));
  return outcome;
}

} // namespace sino::iterative_cone_reconstruct
