// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/opencl/plan.hpp"
#include "filters/fourier-reconstruct/opencl/family.hpp"
#include "filters/iterative-reconstruct/responses.hpp"
#include "filters/slice/slices-at-once.hpp"
#include "kernels/iterate/noise.hpp"

namespace sino::iterative_reconstruct {

namespace {

size_t blocks_of (const Problem &problem)
{
  if (problem.solving.noise)
    return 0;
  return static_cast<size_t> (iterate::NoiseBlocks (problem.sinograms (nullptr, 1, 1)).count ());
}

} // namespace

OpenclPlan::OpenclPlan (const Problem &p)
    : problem (p), gridding (std::make_shared<const fourier_reconstruct::OpenclPlan> (gridding_job (problem))),
      blocks (blocks_of (problem))
{
}

size_t OpenclPlan::bins (int lanes) const
{
  return static_cast<size_t> (lanes) * problem.rays.size () * static_cast<size_t> (problem.columns) * sizeof (float);
}

families::Setting gridding_setting (const families::Setting &setting, int slices)
{
  return {fourier_reconstruct::family ().kernels.data (), {{"SLICES", slices}, {"FFT", setting["FFT"]}}};
}

Batch batch_for (const OpenclDevice &device, const OpenclPlan &plan, const families::Setting &setting, int lanes)
{
  const auto transforms =
      fourier_reconstruct::transforms_for (device.facts (), *plan.gridding, gridding_setting (setting, 2));
  const auto &solving = plan.problem.solving;
  const auto batch = [&] (int slices) -> Batch {
    return {slices, {*plan.gridding, solving.tries () ? 2 : slices, transforms}};
  };
  const int wanted = solving.tries () ? static_cast<int> (solving.strengths.size ()) : lanes;
  return batch (slice::slices_at_once (device, std::clamp (wanted, 2, setting["SLICES"]), 0.25, [&] (int slices) {
    Bill bill;
    memory (device, plan, batch (slices), lanes, bill);
    return bill;
  }));
}

void memory (const OpenclDevice &device, const OpenclPlan &plan, const Batch &batch, int lanes, Bill &bill)
{
  const auto &problem = plan.problem;
  const auto n = static_cast<size_t> (problem.size), pairs = static_cast<size_t> (batch.pairs ());
  const auto rays = problem.rays.size (), wide = static_cast<size_t> (lanes);
  const bool tv = problem.solving.method == Method::tv;
  constexpr auto number = sizeof (float), value = 2 * sizeof (float);
  fourier_reconstruct::memory (device, *plan.gridding, batch.gridding, bill);
  add_buffers (bill, buffers::images, n * n * pairs * value, tv ? 6 : 4);
  add_buffers (bill, buffers::frequencies, n * n * pairs * value, 2);
  add_buffers (bill, buffers::kernel, 4 * n * n * number);
  if (tv)
    add_buffers (bill, buffers::metric, n * n * number);
  add_buffers (bill, buffers::circle, n * value);
  add_buffers (bill, buffers::turns, n * value);
  add_buffers (bill, buffers::half_turns, n * value);
  add_buffers (bill, buffers::sums, sums_of_rows * pairs * n * value);
  add_buffers (bill, buffers::totals, sums_of_rows * pairs * 2 * value, slots);
  add_buffers (bill, buffers::factors, sizeof (cl_float16));
  add_buffers (bill, buffers::broken, 2 * pairs * sizeof (cl_int), slots);
  add_buffers (bill, buffers::medians, std::max<size_t> (plan.blocks * wide, 1) * value);
  add_buffers (bill, buffers::squares, rays * wide * number);
  add_buffers (bill, buffers::expected, std::max<size_t> (plan.blocks * wide, 1) * number);
  add_buffers (bill, buffers::noise, wide * sizeof (cl_float4));
  if (problem.margin >= 0) {
    add_buffers (bill, buffers::continued, rays * n * wide * number);
    add_buffers (bill, buffers::tapers, n * number);
  }
  add_buffers (bill, buffers::adjoint, static_cast<size_t> (plan.gridding->gridding.padded / 2 + 1) * rays * number);
}

} // namespace sino::iterative_reconstruct
