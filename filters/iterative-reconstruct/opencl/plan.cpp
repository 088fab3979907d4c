// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/opencl/plan.hpp"
#include "filters/fourier-reconstruct/opencl/family.hpp"
#include "filters/iterative-reconstruct/responses.hpp"
#include "filters/slice/slices-at-once.hpp"
#include "kernels/iterate/noise.hpp"
#include <bit>

namespace sino::iterative_reconstruct {

namespace {

constexpr int64_t most_items = 512; // of a group, so that each has 128 registers
constexpr int64_t row_items = 128;  // of a group of rows: several small groups hide each other's waits
constexpr int64_t banks = 32;       // of local memory

size_t blocks_of (const Problem &problem)
{
  if (problem.solving.noise)
    return 0;
  return static_cast<size_t> (iterate::NoiseBlocks (problem.sinograms (nullptr, 1, 1)).count ());
}

// With the same radix at the begin and the end, values need not be exchanged between two transforms.
void match_ends (std::vector<int> &radices)
{
  for (size_t i = 0; i < radices.size (); i++)
    for (size_t j = radices.size () - 1; j > i; j--)
      if (radices[i] == radices[j]) {
        std::swap (radices[0], radices[i]);
        return std::swap (radices.back (), radices[j]);
      }
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

int Lines::beside () const
{
  const auto values = plan.length + plan.length / 16, columns_apart = banks / columns % banks;
  return static_cast<int> (values + ((columns_apart - values) % banks + banks) % banks);
}

std::string Lines::options () const
{
  return plan.options () +
         text (" -DROWS=%d -DCOLUMNS=%d -DTOGETHER=%d -DBESIDE=%d", plan.lines, columns, together, beside ()) +
         (powers ? " -DPOWERS" : "");
}

std::optional<Lines> lines_for (int64_t size, const OpenclFacts &facts, const families::Setting &setting)
{
  auto plan = size > 0 ? line_plan (size, facts) : std::nullopt;
  if (!plan)
    return {};
  match_ends (plan->radices);
  plan->unrolled = setting["UNROLL"] == 1;
  const auto most = std::min (most_items, static_cast<int64_t> (facts.largest_group)) / plan->items;
  const auto rows = setting["ROWS"] > 0 ? setting["ROWS"] : row_items / plan->items;
  const auto together = setting["TOGETHER"];
  const auto columns = std::clamp<int64_t> (std::min (most, int64_t{together}), 1, setting["COLUMNS"]);
  Lines lines{.plan = *plan,
              .columns = static_cast<int> (std::bit_floor (static_cast<unsigned> (columns))),
              .together = together,
              .powers = setting["POWERS"] == 1};
  while (lines.columns > 1 &&
         static_cast<size_t> (lines.columns * lines.beside ()) * sizeof (float) > facts.local_memory)
    lines.columns /= 2;
  lines.plan.lines = static_cast<int> (std::bit_floor (static_cast<unsigned> (std::clamp<int64_t> (rows, 1, most))));
  while (lines.plan.lines > 1 && lines.plan.local_memory () > facts.local_memory)
    lines.plan.lines /= 2;
  return lines;
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
