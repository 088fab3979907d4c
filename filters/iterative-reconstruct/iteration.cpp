// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/iteration.hpp"
#include "kernels/iterate/steps.hpp"
#include <algorithm>
#include <cmath>

namespace sino::iterative_reconstruct {

using iterate::most_lanes;
using PerLane = std::array<double, most_lanes>;

namespace {

constexpr uint32_t all_lanes = (1U << most_lanes) - 1;

bool finished (const Solving &solving, double change, double norm, double &share)
{
  share = norm > 0 ? std::sqrt (change / norm) : 0;
  return share < solving.tolerance;
}

} // namespace

void Lanes::spread (std::span<const double> strengths)
{
  if (strengths.size () == 1)
    return strength.fill (strengths[0]);
  used = static_cast<int> (strengths.size ());
  std::ranges::copy (strengths, strength.begin ());
  noise.fill (noise[0]);
  square.fill (square[0]);
}

Iteration::Iteration (const Solving &s, double weight, const iterate::Plan &p, const iterate::Memory &mem,
                      Parts run_parts, Done tell)
    : solving (s), weight_of_noise (weight), plan (p), memory (mem), parts (std::move (run_parts)),
      done (std::move (tell))
{
}

int Iteration::run (Lanes &lanes)
{
  return solving.method == Method::tv ? run_tv (lanes) : run_cgls (lanes);
}

void Iteration::convolve ()
{
  parts (2 * plan.groups (), [&] (int64_t i, float *work) {
    iterate::convolve (plan, memory, i < plan.groups () ? 0 : 1, i % plan.groups (), work);
  });
}

void Iteration::divide ()
{
  parts (plan.groups (), [&] (int64_t i, float *work) { iterate::divide (plan, memory, i, work); });
}

PerLane Iteration::sums (PerLane *second)
{
  PerLane first{}, other{};
  iterate::add_sums (plan, memory, first.data (), other.data ());
  if (second)
    *second = other;
  return first;
}

int Iteration::run_tv (Lanes &lanes)
{
  iterate::TvSteps steps;
  steps.frozen = all_lanes;
  for (int lane = 0; lane < lanes.used; lane++) {
    const auto i = static_cast<size_t> (lane);
    steps.lambda[i] = static_cast<float> (lanes.strength[i] * lanes.noise[i] * weight_of_noise);
    steps.sigma[i] = iterate::dual_step;
    steps.positive[i] = solving.non_negative ? iterate::positive_step : 0;
    if (steps.lambda[i] > 0)
      steps.frozen &= ~(1U << lane); // nothing but zeros has no noise at all
  }
  parts (plan.n, [&] (int64_t y, float *) { iterate::begin_tv (plan, memory, y); });
  int count = 0;
  while (count < solving.iterations && steps.frozen != all_lanes) {
    parts (plan.n, [&] (int64_t y, float *work) { iterate::lay_duals (plan, memory, steps, y, work); });
    convolve ();
    parts (plan.n, [&] (int64_t y, float *work) { iterate::lay_gradient (plan, memory, y, work); });
    const auto energy = sums ();
    divide ();
    parts (plan.n, [&] (int64_t y, float *work) { iterate::update (plan, memory, steps, y, work); });
    PerLane norm;
    const auto change = sums (&norm);
    count++;
    for (size_t i = 0; i < static_cast<size_t> (lanes.used); i++) {
      if (steps.frozen >> i & 1)
        continue;
      lanes.difference[i] = energy[i] + lanes.square[i];
      if (finished (solving, change[i], norm[i], lanes.change[i]))
        steps.frozen |= 1U << i;
    }
    done (count, lanes);
  }
  return count;
}

// M. R. Hestenes, E. Stiefel, J. Res. Natl. Bur. Stand. 49, 409, 1952. |A x - b|^2 falls by alpha r.z in each step. The
// first round, number 0, computes the residual of the slices that are there.
int Iteration::run_cgls (Lanes &lanes)
{
  alignas (64) float alpha[most_lanes] = {}, beta[most_lanes] = {};
  PerLane first{}, last{};
  uint32_t frozen = 0;
  lanes.difference = lanes.square;
  parts (plan.n, [&] (int64_t y, float *) { iterate::begin_cgls (plan, memory, y); });
  int round = 0;
  for (; round <= solving.iterations && frozen != all_lanes; round++) {
    parts (plan.n, [&] (int64_t y, float *work) { iterate::lay (plan, memory, memory.y1, y, work); });
    convolve ();
    parts (plan.n, [&] (int64_t y, float *work) { iterate::take_product (plan, memory, y, work); });
    const auto product = sums ();
    for (size_t i = 0; i < most_lanes; i++) {
      const double step = round == 0 ? 1 : product[i] > 0 && !(frozen >> i & 1) ? last[i] / product[i] : 0;
      alpha[i] = static_cast<float> (step);
      lanes.difference[i] -= round == 0 ? 0 : step * last[i];
    }
    parts (plan.n, [&] (int64_t y, float *work) { iterate::step (plan, memory, alpha, y, work); });
    divide ();
    parts (plan.n, [&] (int64_t y, float *work) { iterate::take_direction (plan, memory, y, work); });
    const auto now = sums ();
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
      done (round, lanes);
  }
  return round - 1;
}

} // namespace sino::iterative_reconstruct
