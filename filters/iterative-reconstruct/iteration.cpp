// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/iteration.hpp"
#include "filters/iterative-reconstruct/change.hpp"
#include "kernels/iterate/steps.hpp"
#include <algorithm>

namespace sino::iterative_reconstruct {

using iterate::most_lanes;
using PerLane = std::array<double, most_lanes>;

namespace {

constexpr uint32_t all_lanes = (1U << most_lanes) - 1;

bool finished (const Solving &solving, double change, double norm, double &share)
{
  share = share_of (change, norm);
  return share < solving.tolerance;
}

} // namespace

void Lanes::append (const Lanes &others)
{
  for (size_t i = 0; i < static_cast<size_t> (others.used); i++, used++) {
    noise[static_cast<size_t> (used)] = others.noise[i];
    square[static_cast<size_t> (used)] = others.square[i];
    from_flats |= (others.from_flats >> i & 1) << used;
  }
}

void Lanes::spread (std::span<const double> strengths)
{
  if (strengths.size () == 1)
    return strength.fill (strengths[0]);
  used = static_cast<int> (strengths.size ());
  std::ranges::copy (strengths, strength.begin ());
  noise.fill (noise[0]);
  from_flats = from_flats & 1 ? all_lanes : 0;
  square.fill (square[0]);
}

Iteration::Iteration (const Solving &s, double weight, const iterate::Plan &p, std::span<const iterate::Memory> mem,
                      Parts run_parts, Done tell)
    : solving (s), weight_of_noise (weight), plan (p), memories (mem), parts (std::move (run_parts)),
      done (std::move (tell))
{
}

int Iteration::run (std::span<Lanes> stacks)
{
  if (solving.deep)
    return run_window (stacks);
  return solving.method == Method::tv ? run_tv (stacks[0]) : run_cgls (stacks[0]);
}

void Iteration::convolve (const iterate::Memory &memory)
{
  parts (2 * plan.groups (), [&] (int64_t i, float *work) {
    iterate::convolve (plan, memory, i < plan.groups () ? 0 : 1, i % plan.groups (), work);
  });
}

void Iteration::divide (const iterate::Memory &memory)
{
  parts (plan.groups (), [&] (int64_t i, float *work) { iterate::divide (plan, memory, i, work); });
}

PerLane Iteration::sums (const iterate::Memory &memory, PerLane *second)
{
  PerLane first{}, other{};
  iterate::add_sums (plan, memory, first.data (), other.data ());
  if (second)
    *second = other;
  return first;
}

iterate::TvSteps Iteration::tv_steps (const Lanes &lanes) const
{
  iterate::TvSteps steps;
  steps.frozen = all_lanes;
  for (int lane = 0; lane < lanes.used; lane++) {
    const auto i = static_cast<size_t> (lane);
    const double lambda = lanes.strength[i] * lanes.noise[i] * weight_of_noise;
    steps.lambda[i] = lambda > 0 ? static_cast<float> (lambda) : 0;
    steps.sigma[i] = iterate::dual_step;
    steps.positive[i] = solving.non_negative ? iterate::positive_step : 0;
    steps.along[i] = lanes.joined >> lane & 1 ? iterate::dual_step : 0;
    if (steps.lambda[i] > 0 && !(lanes.broken >> lane & 1))
      steps.frozen &= ~(1U << lane); // nothing but zeros has no noise at all
  }
  return steps;
}

// |A x - b|^2 from the sums of the gradient's stage.
void Iteration::take_energy (const iterate::Memory &memory, const iterate::TvSteps &steps, Lanes &lanes)
{
  const auto energy = sums (memory);
  for (size_t i = 0; i < static_cast<size_t> (lanes.used); i++)
    if (!(steps.frozen >> i & 1))
      lanes.difference[i] = energy[i] + lanes.square[i];
}

int Iteration::run_tv (Lanes &lanes)
{
  const auto &memory = memories[0];
  auto steps = tv_steps (lanes);
  parts (plan.n, [&] (int64_t y, float *) { iterate::begin_tv (plan, memory, y); });
  int count = 0;
  while (count < solving.iterations && steps.frozen != all_lanes) {
    parts (plan.n, [&] (int64_t y, float *work) { iterate::lay_duals (plan, memory, steps, y, work); });
    convolve (memory);
    parts (plan.n, [&] (int64_t y, float *work) { iterate::lay_gradient (plan, memory, y, work); });
    take_energy (memory, steps, lanes);
    divide (memory);
    parts (plan.n, [&] (int64_t y, float *work) { iterate::update (plan, memory, steps, y, work); });
    PerLane norm;
    const auto change = sums (memory, &norm);
    for (size_t i = 0; i < static_cast<size_t> (lanes.used); i++)
      if (!(steps.frozen >> i & 1) && finished (solving, change[i], norm[i], lanes.change[i]))
        steps.frozen |= 1U << i;
    done (++count, {&lanes, 1});
  }
  return count;
}

// The slices of a window end together, because each one depends on the others.
int Iteration::run_window (std::span<Lanes> stacks)
{
  int64_t slices = 0;
  std::vector<iterate::TvSteps> steps;
  for (const auto &lanes : stacks) {
    slices += lanes.used;
    steps.push_back (tv_steps (lanes));
  }
  if (std::ranges::all_of (steps, [] (const auto &some) { return some.frozen == all_lanes; }))
    return 0;
  for (auto &some : steps)
    some.frozen = 0;
  const iterate::Cosines cosines (slices);
  for (const auto &memory : memories)
    parts (plan.n, [&] (int64_t y, float *) { iterate::begin_tv (plan, memory, y); });
  int count = 0;
  bool ended = false;
  while (count < solving.iterations && !ended) {
    iterate_window (cosines, stacks, steps);
    double change = 0, square = 0, share = 0;
    for (size_t s = 0; s < stacks.size (); s++) {
      PerLane norms;
      const auto changes = sums (memories[s], &norms);
      for (size_t i = 0; i < static_cast<size_t> (stacks[s].used); i++) {
        finished (solving, changes[i], norms[i], stacks[s].change[i]);
        if (stacks[s].broken >> i & 1)
          continue;
        change += changes[i];
        square += norms[i];
      }
    }
    ended = finished (solving, change, square, share);
    done (++count, stacks);
  }
  return count;
}

void Iteration::iterate_window (const iterate::Cosines &cosines, std::span<Lanes> stacks,
                                std::span<const iterate::TvSteps> steps)
{
  const auto all = memories.first (stacks.size ());
  for (size_t s = 0; s < all.size (); s++) {
    const auto &memory = all[s];
    parts (plan.n, [&] (int64_t y, float *work) { iterate::lay_duals (plan, memory, steps[s], y, work); });
    convolve (memory);
    parts (plan.n, [&] (int64_t y, float *work) { iterate::take_gradient (plan, memory, y, work); });
    take_energy (memory, steps[s], stacks[s]);
  }
  parts (plan.n, [&] (int64_t y, float *) { iterate::transform_along (plan, cosines, all, y); });
  const auto row = plan.n * plan.vectors.lanes;
  for (size_t s = 0; s < all.size (); s++) {
    const auto &memory = all[s];
    const float *add = cosines.added.data () + s * static_cast<size_t> (plan.vectors.lanes);
    parts (plan.n, [&] (int64_t y, float *work) {
      iterate::lay_metric (plan, memory, memory.q + y * row, plan.n, plan.vectors.lanes, y, work);
    });
    parts (plan.groups (), [&] (int64_t i, float *work) { iterate::divide_by (plan, memory, add, i, work); });
    parts (plan.n, [&] (int64_t y, float *work) {
      iterate::take_metric (plan, memory, memory.q + y * row, plan.n, plan.vectors.lanes, y, work);
    });
  }
  parts (plan.n, [&] (int64_t y, float *) { iterate::update_window (plan, cosines, all, steps, y); });
}

// M. R. Hestenes, E. Stiefel, J. Res. Natl. Bur. Stand. 49, 409, 1952. |A x - b|^2 falls by alpha r.z in each step. The
// first round, number 0, computes the residual of the slices that are there.
int Iteration::run_cgls (Lanes &lanes)
{
  const auto &memory = memories[0];
  alignas (64) float alpha[most_lanes] = {}, beta[most_lanes] = {};
  PerLane first{}, last{};
  uint32_t frozen = lanes.broken;
  lanes.difference = lanes.square;
  parts (plan.n, [&] (int64_t y, float *) { iterate::begin_cgls (plan, memory, y); });
  int round = 0;
  for (; round <= solving.iterations && frozen != all_lanes; round++) {
    parts (plan.n, [&] (int64_t y, float *work) { iterate::lay (plan, memory, memory.y1, y, work); });
    convolve (memory);
    parts (plan.n, [&] (int64_t y, float *work) { iterate::take_product (plan, memory, y, work); });
    const auto product = sums (memory);
    for (size_t i = 0; i < most_lanes; i++) {
      const double step = round == 0 ? 1 : product[i] > 0 && !(frozen >> i & 1) ? last[i] / product[i] : 0;
      alpha[i] = static_cast<float> (step);
      lanes.difference[i] -= round == 0 ? 0 : step * last[i];
    }
    parts (plan.n, [&] (int64_t y, float *work) { iterate::step (plan, memory, alpha, y, work); });
    divide (memory);
    parts (plan.n, [&] (int64_t y, float *work) { iterate::take_direction (plan, memory, y, work); });
    const auto now = sums (memory);
    for (size_t i = 0; i < most_lanes; i++) {
      first[i] = round == 0 ? now[i] : first[i];
      beta[i] = round > 0 && last[i] > 0 ? static_cast<float> (now[i] / last[i]) : 0;
      if (!(frozen >> i & 1) && finished (solving, now[i], first[i], lanes.change[i]))
        frozen |= 1U << i;
      if (frozen >> i & 1)
        beta[i] = 0;
      last[i] = now[i];
    }
    parts (plan.n, [&] (int64_t y, float *) { iterate::turn (plan, memory, beta, y); });
    if (round > 0)
      done (round, {&lanes, 1});
  }
  return round - 1;
}

} // namespace sino::iterative_reconstruct
