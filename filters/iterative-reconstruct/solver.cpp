// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/solver.hpp"
#include "device/fresh-pages.hpp"
#include "filters/iterative-reconstruct/plan.hpp"
#include "filters/iterative-reconstruct/rows.hpp"
#include <atomic>
#include <ranges>
#include <utility>

namespace sino::iterative_reconstruct {

namespace {

constexpr char images_item[] = "images", sums_item[] = "sums of rows", work_item[] = "work of a thread",
               rows_item[] = "continued rows";

// What is idle at the start, q and all behind it.
size_t idle_floats (const Problem &problem, kernels::VectorSet vectors)
{
  const auto floats = iterate::floats_of (problem.size, vectors);
  return (problem.solving.deep ? 5 : 4) * floats.image + floats.frequencies;
}

} // namespace

Solver::Solver (const Replica &replica, const Problem &p)
    : problem (p), cpu (replica.cpu), allotment (replica.memory), report (replica.messages, replica.counters, p),
      start (p, p.vectors (replica.input_layouts[0].lanes), replica.cpu, replica.monitor, replica.memory),
      lags (iterate::lags_of (p.size, p.rays, start.padded (), cpu)),
      plan (plan_of (p, lags, cpu, p.vectors (replica.input_layouts[0].lanes))), images (allotment.take (images_item)),
      sums (allotment.take (sums_item))
{
  const auto floats = iterate::floats_of (problem.size, plan.vectors);
  auto *next = images.as<float> ();
  auto *next_sums = sums.as<double> ();
  const auto take = [&] (size_t count) { return std::exchange (next, next + count); };
  float *const z0 = take (floats.frequencies);
  memories.resize (static_cast<size_t> (problem.stacks ()));
  for (auto &memory : memories | std::views::reverse) { // what the first stack does not need at the start comes last
    for (float **image : {&memory.x, &memory.data, &memory.q, &memory.y0, &memory.y1, &memory.positive})
      *image = take (floats.image);
    if (problem.solving.deep)
      memory.y2 = take (floats.image);
    memory.sums = std::exchange (next_sums, next_sums + floats.sums / 2);
  }
  float *const z1 = take (floats.frequencies);
  for (auto &memory : memories)
    memory.z0 = z0, memory.z1 = z1;
  start.lend ({memories[0].q, idle_floats (problem, plan.vectors)});
  if (problem.margin >= 0)
    continued = allotment.take (rows_item);
  const FreshPages pages ({images.as<std::byte> (), images.size ()});
  cpu.parallel (pages.parts (), 1, [&] (int64_t begin, int64_t end) { pages.bring (begin, end); });
}

void Solver::memory (const Problem &problem, int threads, int lanes, Bill &bill)
{
  const auto vectors = problem.vectors (lanes);
  const auto floats = iterate::floats_of (problem.size, vectors);
  const auto size = static_cast<size_t> (problem.size);
  const size_t of_stack = problem.solving.deep ? 7 : 6;
  add_pages (bill, images_item,
             (static_cast<size_t> (problem.stacks ()) * of_stack * floats.image + 2 * floats.frequencies) *
                 sizeof (float));
  add_pages (bill, sums_item, static_cast<size_t> (problem.stacks ()) * floats.sums * sizeof (float));
  add_pages (bill, work_item, floats.work * sizeof (float), static_cast<size_t> (threads));
  if (problem.margin >= 0)
    add_pages (bill, rows_item,
               problem.rays.size () * size * sizeof (float) * static_cast<size_t> (std::min (lanes, vectors.lanes)));
  add_bytes (bill, "T and its metric", iterate::Plan::resident (problem.size));
  // T's lags, a half of them as complex values, and its frequencies.
  add_bytes (bill, "making T", 44 * size * size);
  Start::memory (problem, vectors, idle_floats (problem, vectors), threads, bill);
}

void Solver::solve (std::span<const StackInput> inputs, std::span<const double> strengths, Interval told)
{
  std::vector<Lanes> stacks;
  broken.assign (inputs.size (), 0);
  start.begin ();
  for (size_t i = 0; i < inputs.size (); i++)
    stacks.push_back (load (i, inputs[i], strengths));
  if (problem.solving.deep)
    join (stacks);
  Iteration iteration (
      problem.solving, problem.weight_of_noise (lags.middle ()), plan, std::span (memories).first (inputs.size ()),
      [this] (int64_t n, const auto &body) { on_all (n, body); },
      [this] (int count, std::span<const Lanes> all) { report.step (count, all); });
  const int iterations = iteration.run (stacks);
  int64_t slice = 0;
  for (size_t i = 0; i < stacks.size (); i++) {
    auto left_out = stacks[i].broken;
    for (int lane = 0; lane < stacks[i].used; lane++, slice++)
      if (told.place (slice) < 0)
        left_out |= 1U << lane;
    report.add (stacks[i], iterations, left_out);
  }
}

// Fills the memory of a stack with its start.
Lanes Solver::load (size_t stack, const StackInput &input, std::span<const double> strengths)
{
  auto &memory = memories[stack];
  Lanes known{.used = 0};
  for (const auto &sinograms : input)
    known.append (look (sinograms, problem, cpu));
  known.spread (strengths);
  known.broken = broken[stack] =
      fill (memory.data, input, known.used, [this] (const auto &bins, auto to) { start.adjoint (bins, to); });
  if (problem.solving.method == Method::tv)
    fill (memory.x, input, known.used, [this] (const auto &bins, auto to) { start.filtered (bins, to); });
  else
    on_all (plan.n, [&] (int64_t y, float *) {
      const auto row = plan.n * plan.vectors.lanes;
      std::fill_n (memory.x + y * row, row, 0.0F);
    });
  return known;
}

// Joins each slice to the one behind it, if both have finite values.
void Solver::join (std::span<Lanes> stacks)
{
  for (size_t i = 0; i < stacks.size (); i++) {
    auto &memory = memories[i];
    const bool more = i + 1 < stacks.size ();
    memory.y2_before = i > 0 ? memories[i - 1].y2 : nullptr;
    memory.q_behind = more ? memories[i + 1].q : nullptr;
    const auto whole = (1ULL << stacks[i].used) - 1, good = whole & ~stacks[i].broken;
    const auto behind = more ? ~stacks[i + 1].broken & 1U : 0U;
    stacks[i].joined = static_cast<uint32_t> (good & (good >> 1 | uint64_t{behind} << (stacks[i].used - 1)));
  }
}

// Slices per length, as those of back-projection.
void Solver::give (size_t stack, std::span<float *const> slices)
{
  const auto &roi = problem.roi;
  const auto corner = problem.corner ();
  const auto scale = static_cast<float> (1 / problem.pixel_size);
  on_all (roi.height, [&] (int64_t y, float *work) {
    iterate::unpack (plan, memories[stack].x, {corner + roi.x, corner + roi.y, roi.width, roi.height}, slices,
                     problem.solving.non_negative ? ~0U : 0, corner + roi.y + y, work);
    for (size_t lane = 0; lane < slices.size (); lane++) {
      if (!slices[lane])
        continue;
      float *const row = slices[lane] + y * roi.width;
      for (int64_t x = 0; x < roi.width; x++) {
        const bool outside = problem.mask && !back_project::in_circle (problem.columns, roi.x + x, roi.y + y);
        row[x] = outside ? 0 : broken[stack] >> lane & 1 ? NAN : row[x] * scale;
      }
    }
  });
}

void Solver::on_all (int64_t n, const std::function<void (int64_t i, float *work)> &body)
{
  cpu.parallel (n, 1, [&] (int64_t begin, int64_t end) {
    const auto work = allotment.take (work_item);
    for (auto i = begin; i < end; i++)
      body (i, work.as<float> ());
  });
}

// Fills an image through dense ones; all slices have that of the only sinogram. Returns the lanes that have values
// which are not finite.
uint32_t Solver::fill (float *image, const StackInput &input, int slices, const Make &make)
{
  std::vector<float *> dense;
  for (const auto &sinograms : input) {
    const auto first = dense.size ();
    for (int lane = 0; lane < sinograms.lanes; lane++)
      dense.push_back (memories[0].z0 + std::ssize (dense) * plan.n * plan.n);
    make (bins_of (sinograms), std::span (dense).subspan (first));
  }
  std::vector<const float *> from (dense.begin (), dense.end ());
  from.resize (static_cast<size_t> (slices), from[0]);
  std::atomic<uint32_t> found = 0;
  on_all (plan.n, [&] (int64_t y, float *work) {
    found |= iterate::pack (plan, image, {0, 0, plan.n, plan.n}, from, y, work);
  });
  return found;
}

// The rows, continued beyond the detector if the object is.
fourier_reconstruct::Bins Solver::bins_of (const iterate::Sinograms &sinograms)
{
  if (problem.margin < 0)
    return {sinograms.values, sinograms.stride, sinograms.lanes};
  continue_rows (sinograms, problem.margin, problem.size, cpu, continued.as<float> ());
  return {continued.as<float> (), sinograms.lanes, sinograms.lanes};
}

} // namespace sino::iterative_reconstruct
