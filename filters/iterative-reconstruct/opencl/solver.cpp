// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/opencl/solver.hpp"
#include "filters/iterative-reconstruct/change.hpp"
#include "kernels/iterate/steps.hpp"

namespace sino::iterative_reconstruct {

using iterate::most_lanes;

DeviceSolver::DeviceSolver (const OpenclPlan &plan, double middle, const Monitor &m, Images &i, Progress &p)
    : solving (plan.problem.solving), weight_of_noise (plan.problem.weight_of_noise (middle)), monitor (m), images (i),
      progress (p)
{
}

int DeviceSolver::run (const std::shared_ptr<Lanes> &lanes)
{
  return solving.method == Method::tv ? run_tv (lanes) : run_cgls (*lanes);
}

int DeviceSolver::run_tv (const std::shared_ptr<Lanes> &lanes)
{
  constexpr float still = -1; // a slice that is finished
  std::array<float, most_lanes> lambdas;
  lambdas.fill (still);
  uint32_t moving = 0;
  for (size_t i = 0; i < static_cast<size_t> (lanes->used); i++) {
    const auto lambda = static_cast<float> (lanes->strength[i] * lanes->noise[i] * weight_of_noise);
    if (lambda > 0) { // nothing but zeros has no noise at all
      lambdas[i] = lambda;
      moving |= 1U << i;
    }
  }
  images.set_factors (lambdas);
  images.begin_tv ();
  int count = 0;
  while (count < solving.iterations && moving) {
    monitor.check ();
    const auto slot = progress.next ();
    images.lay_duals (solving.non_negative ? iterate::positive_step : 0);
    images.convolve ();
    images.lay_gradient ();
    images.divide ();
    images.update ();
    images.add_rows (slot);
    progress.add (++count, lanes, ~moving);
    if (!(solving.tolerance > 0))
      continue;
    progress.wait ();
    for (size_t i = 0; i < most_lanes; i++)
      if (moving >> i & 1 && finished (lanes->change[i])) {
        moving &= ~(1U << i);
        lambdas[i] = still;
      }
    images.set_factors (lambdas);
  }
  return count;
}

// As Iteration::run_cgls (), from slices of zeros, and with a metric of 1.
int DeviceSolver::run_cgls (Lanes &lanes)
{
  std::array<float, most_lanes> factors{};
  std::array<double, most_lanes> first{}, last{};
  uint32_t frozen = 0;
  lanes.difference = lanes.square;
  const auto sums = [&] {
    images.add_rows (progress.next ());
    return progress.sums ()[0];
  };
  // beta = |r|^2 / the last |r|^2
  const auto turn = [&] (bool begin) {
    images.step ();
    const auto now = sums ();
    first = begin ? now : first;
    for (size_t i = 0; i < most_lanes; i++) {
      lanes.change[i] = share_of (now[i], first[i]);
      frozen |= (finished (lanes.change[i]) ? 1U : 0U) << i;
      factors[i] = !begin && last[i] > 0 && !(frozen >> i & 1) ? static_cast<float> (now[i] / last[i]) : 0;
    }
    last = now;
  };
  images.begin_cgls ();
  images.set_factors (factors);
  turn (true);
  int count = 0;
  while (count < solving.iterations && frozen != (1U << most_lanes) - 1) {
    monitor.check ();
    images.lay ();
    images.convolve ();
    images.take_product ();
    const auto product = sums ();
    for (size_t i = 0; i < most_lanes; i++) {
      const double step = product[i] > 0 && !(frozen >> i & 1) ? last[i] / product[i] : 0;
      factors[i] = static_cast<float> (step);
      lanes.difference[i] -= step * last[i];
    }
    images.set_factors (factors);
    turn (false);
    images.set_factors (factors);
    images.turn ();
    progress.step (++count, lanes);
  }
  return count;
}

} // namespace sino::iterative_reconstruct
